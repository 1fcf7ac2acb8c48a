"""`espalier models`: what is served."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table


def models(as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False) -> None:
    """List the models of the catalog."""
    from espalier.models.catalog import catalog

    entries = catalog().entries()
    if as_json:
        typer.echo(json.dumps([entry.model_dump() for entry in entries], indent=2, ensure_ascii=False))
        return
    table = Table(box=None, header_style="bold")
    for column in ("name", "title", "description"):
        table.add_column(column)
    for entry in entries:
        table.add_row(entry.name, entry.title, entry.description)
    Console().print(table)
