"""What was accepted, whose it is, and how it goes. On the store; it never sees a process.

- `ledger`: the engine the service talks to. It writes, claims, cancels, ends and tells; a crew does the work.
- `live`: a job that is done here, with whoever listens to it.
- `elsewhere`: a job that another server does, followed through the store.
- `keeper`: renews claims, takes what others left, ends leases, forgets what is old.
"""
