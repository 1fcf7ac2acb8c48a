"""`espalier serve`: the API and the interface on one port."""

import os
from pathlib import Path
from typing import Annotated

import typer

LAST_ANSWERS_SECONDS = 5
"""How long requests may go on when the server is stopped; event streams end at once."""


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; the default is ESPALIER_HOST.")] = None,
    port: Annotated[int | None, typer.Option(help="Port, 0 for any free one; the default is ESPALIER_PORT.")] = None,
    devices: Annotated[
        str | None,
        typer.Option(help="Where models run, one worker each, as cuda:0,cuda:1; the default is ESPALIER_DEVICES."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="A model's folder or hub id, before those of the catalog; repeatable."),
    ] = None,
    reload: Annotated[bool, typer.Option("--reload", help="Start again when the code changes.")] = False,
) -> None:
    """Serve the interface and the API."""
    # Workers and, with --reload, further servers are processes of their own: they read the environment.
    if devices is not None:
        os.environ["ESPALIER_DEVICES"] = devices
    if host is not None:
        os.environ["ESPALIER_HOST"] = host  # who can reach the server decides whether it asks for keys

    if data := os.environ.get("ESPALIER_DATA"):
        os.environ["ESPALIER_DATA"] = str(Path(data).resolve())  # workers are started elsewhere
    if model:
        os.environ["ESPALIER_MODELS"] = ",".join(map(_placed, model))

    from espalier.settings import settings

    if not reload and settings().engine == "embedded":
        # They need longer than the service itself, so they come first.
        from espalier.engine.crews.embedded.devices import default_devices
        from espalier.engine.crews.embedded.process import arguments, launch_early

        chosen = settings()
        used = chosen.devices or default_devices()
        given = arguments(chosen.catalog, chosen.worker_limits, used, chosen.models)
        for device in used:
            launch_early(device, given)

    from espalier.api.server import allow_open_files, run
    from espalier.logs import set_up_logs

    set_up_logs()
    allow_open_files(settings().connections)
    run(
        "espalier.api.app:create_app",
        factory=True,
        host=settings().host,
        port=settings().port if port is None else port,
        http="espalier.api.http_protocol:StrictProtocol",
        ws="none",
        server_header=False,
        proxy_headers=bool(settings().trusted_proxies),
        forwarded_allow_ips=list(settings().trusted_proxies),
        log_config=None,
        access_log=False,  # it would hold paths and queries: ours names routes
        timeout_graceful_shutdown=LAST_ANSWERS_SECONDS,
        reload=reload,
        reload_dirs=[str(Path(__file__).parents[1])] if reload else None,
    )


def _placed(model: str) -> str:
    """A folder by its full path: workers are started elsewhere."""
    from espalier.models.sources import source_of

    return source_of(model, {}).entry.source
