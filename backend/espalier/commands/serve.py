"""`espalier serve`: the API and the interface on one port."""

from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; the default is ESPALIER_HOST.")] = None,
    port: Annotated[int | None, typer.Option(help="Port, 0 for any free one; the default is ESPALIER_PORT.")] = None,
    reload: Annotated[bool, typer.Option("--reload", help="Start again when the code changes.")] = False,
) -> None:
    """Serve the interface and the API."""
    import uvicorn

    from espalier.settings import settings

    uvicorn.run(
        "espalier.api.app:create_app",
        factory=True,
        host=settings().host if host is None else host,
        port=settings().port if port is None else port,
        http="espalier.api.http_protocol:StrictProtocol",  # type: ignore[arg-type]  # any import path works
        ws="none",
        server_header=False,
        proxy_headers=bool(settings().trusted_proxies),
        forwarded_allow_ips=list(settings().trusted_proxies),
        reload=reload,
        reload_dirs=[str(Path(__file__).parents[1])] if reload else None,
    )
