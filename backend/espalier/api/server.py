"""The HTTP server: uvicorn, which tells the application that it stops before it waits for the last answers."""

import gc
from typing import Any

import uvicorn
from uvicorn.supervisors import ChangeReload

from espalier.engine.threads import take_short_turns


class Server(uvicorn.Server):
    """Streams of events would go on for as long as their jobs do: they are ended first."""

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        take_short_turns()
        # What is there now stays. Every full collection of garbage would look through all of it, and no request is
        # answered meanwhile: 0.1 s each time, where an answer takes 3 ms.
        gc.collect()
        gc.freeze()

    async def shutdown(self, sockets: Any = None) -> None:
        app: Any = self.config.loaded_app
        while app is not None and not hasattr(app, "state"):
            app = getattr(app, "app", None)
        if app is not None:
            app.state.stopping.set()
        await super().shutdown(sockets)


def run(application: str, **options: Any) -> None:
    """As `uvicorn.run` does it."""
    config = uvicorn.Config(application, **options)
    server = Server(config)
    if config.should_reload:
        ChangeReload(config, target=server.run, sockets=[config.bind_socket()]).run()
    else:
        server.run()


def allow_open_files(connections: int) -> None:
    """Let the process have a file for each connection, beside those of the store and the workers."""
    try:
        import resource
    except ImportError:  # not a Unix
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + 500
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
