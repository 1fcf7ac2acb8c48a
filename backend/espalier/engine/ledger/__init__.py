"""What was accepted, whose it is, and how it goes. On the store; it never sees a process.

- `ledger`: the engine the service talks to. It accepts, answers and tells; a crew does the work.
- `own_jobs`: jobs that are done here, from their beginning to their end.
- `live`: a job that is done here, with whoever listens to it.
- `elsewhere`: a job that another server does, followed through the store.
- `keeper`: renews claims, takes what others left, ends leases, forgets what is old.
"""
