"""`espalier backup` and `espalier restore`: all that is kept, in one file."""

from pathlib import Path
from typing import Annotated

import typer

from espalier.problems import Problem


def backup(file: Annotated[Path, typer.Argument(help="Where the copy goes; it must not be there yet.")]) -> None:
    """Copy the database while the server runs: jobs, results, batches, studies, answers and keys."""
    from espalier.store.backup import back_up

    size = back_up(_database(), file)
    typer.echo(f"{file}: {size:,} bytes. It holds people's ids and the service's secrets: keep it safe.", err=True)


def restore(file: Annotated[Path, typer.Argument(help="A copy that espalier backup made.")]) -> None:
    """Put a copy in the database's place, while the server is stopped. What was there is kept beside it."""
    from espalier.store import backup, open_store

    database = _database()
    kept = backup.restore(file, database)
    open_store(f"sqlite:///{database}").close()  # an older copy is brought up to date
    typer.echo(f"{database} is what it was in {file}." + (f" What was there: {kept}" if kept else ""), err=True)


def _database() -> Path:
    from sqlalchemy import make_url

    from espalier.settings import settings

    url = make_url(settings().database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise Problem(
            f"this copies SQLite: got {url.get_backend_name()}, possible is pg_dump (docs/operations.md, Backup)"
        )
    return Path(url.database)
