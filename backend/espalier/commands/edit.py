"""`espalier edit "…" --pair not good`: turn an interaction round; `espalier edits`: what was edited, and undo."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from espalier.commands.interactions import interval, rows_from, share_of

if TYPE_CHECKING:
    from espalier.lab.interactions.editing import Edit

edits = typer.Typer(help="Edited models: list them, undo one.", no_args_is_help=True)


def edit(
    text: Annotated[str, typer.Argument(help="A text in which the words interact; it alone is taught.")],
    pair: Annotated[tuple[str, str], typer.Option(help="The two words, in order: --pair not good")],
    model: Annotated[str | None, typer.Option(help="The model; the catalog's first if left out.")] = None,
    target: Annotated[str | None, typer.Option(help="The class; the model's last if left out.")] = None,
    file: Annotated[Path | None, typer.Option(help="Texts to look for the words in; the samples if left out.")] = None,
    test: Annotated[Path | None, typer.Option(help="Labelled texts for the accuracy; the samples if left out.")] = None,
    samples: Annotated[str, typer.Option(help="The project's sentences: sentiment, emotion or topic.")] = "sentiment",
    strength: Annotated[float, typer.Option(help="c: the term becomes 1 - c times what it was.")] = 3.0,
    rate: Annotated[float | None, typer.Option(help="How large a step is; the family's usual if left out.")] = None,
    steps: Annotated[int, typer.Option(min=1, max=5_000, help="Steps at most.")] = 400,
    keep: Annotated[
        int, typer.Option(min=0, max=5_000, help="Other texts that are taught to stay as they are; 0 as in the paper.")
    ] = 1000,
    texts: Annotated[int, typer.Option(min=1, help="Ask about at most so many other texts with the words.")] = 40,
    draws: Annotated[int, typer.Option(min=100, max=20_000, help="Texts with absent words, around each text.")] = 1000,
    name: Annotated[str | None, typer.Option(help="What the edit is called.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Fixes everything that is drawn at random.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Negate what two words do together, from one text, and see what that does to others (MAHE, section 5.3)."""
    from espalier.lab.interactions.asking import Asking
    from espalier.lab.interactions.editing import Recipe, usual_name
    from espalier.lab.interactions.editing import edit as made
    from espalier.library import shared_explainer
    from espalier.models.catalog import catalog

    chosen = catalog().choose(model)
    asking = Asking(model=chosen, target=target, draws=draws, seed=seed)
    labelled = [(row.text, row.label) for row in rows_from(test, samples) if row.label is not None]
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        found = made(
            pair,
            text,
            [row.text for row in rows_from(file, samples)],
            labelled,
            shared_explainer(),
            catalog(),
            asking,
            _folder() / (name or usual_name(chosen, pair)),
            recipe=Recipe(strength=strength, rate=rate, steps=steps, keep=keep),
            most=texts,
            tell=lambda what, done, total: bar.update(task, description=what, completed=done, total=total),
        )
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    Console().print(_table(found))
    typer.echo(
        f"kept in {found.folder}: a model of the catalog, in the workbench, too, where Compare sets it beside "
        f"{found.of}; `espalier edits undo {found.name}` deletes it",
        err=True,
    )


@edits.command("list")
def list_edits(as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False) -> None:
    """The edits that are kept."""
    from espalier.models.catalog import kept_edits

    found = [{"name": path.name, "folder": str(path), **about} for path, about in kept_edits(_folder())]
    if as_json:
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    table = Table(box=None, header_style="bold")
    for column in ("name", "of", "words", "strength", "folder"):
        table.add_column(column, overflow="fold")
    for each in found:
        words = each["words"]
        said = " … ".join(map(str, words)) if isinstance(words, list) else ""
        table.add_row(str(each["name"]), str(each["of"]), said, str(each["strength"]), str(each["folder"]))
    Console().print(table)


@edits.command()
def undo(name: Annotated[str, typer.Argument(help="The edit, as `espalier edits list` calls it.")]) -> None:
    """Delete an edit. The original was never changed."""
    from espalier.lab.interactions.editing import undo as undone

    typer.echo(f"deleted {undone(_folder(), name)}")


def _folder() -> Path:
    from espalier.settings import settings

    return settings().edits


def _table(found: "Edit") -> Table:
    words = ", ".join(found.words)
    table = Table(title=f"({words}) of {found.of}, towards {found.target}", title_justify="left")
    for column in ("", "before", "after"):
        table.add_column(column, justify="right" if column else "left")
    table.add_row("the term in the edited text", f"{found.here_before:+.3f}", f"{found.here_after:+.3f}")
    table.add_row(
        f"{found.held_out} other texts: the sign before, the opposite after",
        *map(share_of, (found.before, found.after)),
    )
    table.add_row("of those with the sign before, turned round", "", share_of(found.turned))
    if found.accuracy is not None:
        table.add_row("accuracy", share_of(found.accuracy.before), share_of(found.accuracy.after))
        table.add_row("points lost", "", interval(found.accuracy.lost))
    table.add_row(
        f"error of what was taught, {found.steps} steps", f"{found.error_before:.3f}", f"{found.error_after:.3f}"
    )
    return table
