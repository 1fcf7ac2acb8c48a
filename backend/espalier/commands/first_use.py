"""A model that is made ready once: a bar in the terminal until it is there."""

import time
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from espalier.problems import BeingMadeReady

if TYPE_CHECKING:
    from espalier.models.sources import Source

LOOK_SECONDS = 0.2


def wait_until_ready(source: "Source") -> None:
    """At once, but for the first use of a model that has to be made. Where nobody looks, one line says why it takes so
    long."""
    from espalier.models.families import be_ready

    try:
        return be_ready(source)
    except BeingMadeReady:
        console = Console(stderr=True)
    said = f"Making {source.name} ready for its first use, once"
    if not console.is_terminal:
        console.print(f"{said}: this takes about half a minute.", highlight=False)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(said, total=None)
        while True:
            try:
                return be_ready(source)
            except BeingMadeReady as making:
                done, count = making.progress
                bar.update(task, completed=done, total=count)
            time.sleep(LOOK_SECONDS)
