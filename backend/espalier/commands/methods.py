"""`espalier methods`: ways to explain."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text


def methods(as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with all parameters.")] = False) -> None:
    """List the methods and what each shows."""
    from espalier.explain.registry import methods as registered

    known = sorted(registered().values(), key=lambda method: method.name)
    if as_json:
        listed = [
            {
                "name": method.name,
                "title": method.title,
                "shows": method.shows,
                "view": method.view,
                "scale": method.scale,
                "needs_tree": method.needs_tree,
                "parameters": method.parameters.model_json_schema(),
            }
            for method in known
        ]
        typer.echo(json.dumps(listed, indent=2, ensure_ascii=False))
        return
    table = Table(box=None, header_style="bold")
    for column in ("name", "view", "shows"):
        table.add_column(column, no_wrap=column == "name")
    for method in known:
        table.add_row(Text(method.name), Text(method.view), Text(method.shows))
    Console().print(table)
