"""Workers on many machines: detached actors of Ray, one for each device, shared by all servers.

- `crew`: what the ledger sees. It never imports Ray: a driver of Ray ends with the cluster's head, a server must not.
- `courier`: a process of the server's own that speaks with Ray; it may end at any time, and is started again.
- `errands`, `post`: in the courier, jobs and the workers they were given to.
- `actor`: on a machine of the cluster, one worker process with whoever asks it.
- `placement`, `reconciling`: which worker does a job, and which workers there should be.
"""
