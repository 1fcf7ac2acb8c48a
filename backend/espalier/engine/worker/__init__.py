"""A worker process: it hosts models on one device and drives the jobs it is given. It is started by the service, told
what to do over its standard input, and ends when that input ends: no worker outlives its server."""
