"""`espalier keys`: who may use a server that asks for keys."""

import json
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from espalier.problems import UnknownName

if TYPE_CHECKING:
    from espalier.store.keys import AccessKeys

keys = typer.Typer(help="Make, list and revoke access keys.", no_args_is_help=True)


class KeyScope(StrEnum):
    USE = "use"
    OWNER = "owner"
    ADMIN = "admin"


@keys.command()
def create(
    name: Annotated[str, typer.Argument(help="Whom the key is for; shown in the list.")],
    scope: Annotated[
        KeyScope,
        typer.Option(help="use: ask for explanations; owner: run studies as well; admin: see what anybody asked for."),
    ] = KeyScope.USE,
) -> None:
    """Make a key and print it. It is not kept: only its hash is."""
    from espalier.access import issue

    key, text = issue(name, scope.value)
    _book().add(key)
    typer.echo(text)
    typer.echo(f"Key {key.id} for {name}. Keep it: it cannot be shown again.", err=True)


@keys.command("list")
def list_keys(as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False) -> None:
    """List all keys, revoked ones included."""
    kept = _book().all()
    if as_json:
        listed = [
            {
                "id": key.id,
                "name": key.name,
                "scope": key.scope,
                "created": key.created.isoformat(),
                "revoked": key.revoked.isoformat() if key.revoked else None,
            }
            for key in kept
        ]
        typer.echo(json.dumps(listed, indent=2, ensure_ascii=False))
        return
    table = Table(box=None, header_style="bold")
    for column in ("id", "name", "scope", "created", "revoked"):
        table.add_column(column)
    for key in kept:
        table.add_row(key.id, key.name, key.scope, _day(key.created), _day(key.revoked))
    Console().print(table)


@keys.command()
def revoke(id: Annotated[str, typer.Argument(help="The key's id, as listed.")]) -> None:
    """Refuse a key from now on. A running server does so within seconds."""
    book = _book()
    if (key := book.revoke(id)) is None:
        raise UnknownName("key", id, [known.id for known in book.all()])
    typer.echo(f"Key {key.id} for {key.name} is revoked.", err=True)


def _book() -> "AccessKeys":
    from espalier.settings import settings
    from espalier.store import open_store
    from espalier.store.keys import AccessKeys

    return AccessKeys(open_store(settings().database_url))


def _day(moment: datetime | None) -> str:
    return "" if moment is None else moment.strftime("%Y-%m-%d %H:%M")
