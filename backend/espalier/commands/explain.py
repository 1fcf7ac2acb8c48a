"""`espalier explain "text"`: why a model says what it says, drawn in the terminal."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from espalier.commands.first_use import wait_until_ready
from espalier.problems import BadParameter

if TYPE_CHECKING:
    from espalier.explain.request import ExplanationRequest


def explain(
    text: Annotated[str | None, typer.Argument(help="The text to explain; - reads it from standard input.")] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="A model of the catalog (`espalier models`; by default its first), a folder, or a hub id.",
        ),
    ] = None,
    method: Annotated[str, typer.Option("--method", "-x", help="How to explain (see `espalier methods`).")] = "ls-tree",
    pair: Annotated[str | None, typer.Option(help="The second text, for models of sentence pairs.")] = None,
    target: Annotated[str | None, typer.Option(help="The class to explain; the predicted one by default.")] = None,
    outcome: Annotated[
        str | None,
        typer.Option(help='The next word to explain, for language models, such as " Paris" with its leading space.'),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="Explain why the outcome rather than this word, for language models.")
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(help="What values are measured in: probability, log_probability, log_odds, margin or logit."),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            help="What stands in for an absent word: pad (if none), mask, delete, marginal, conditional or in-domain."
        ),
    ] = None,
    fill: Annotated[
        str | None, typer.Option(help="How conditional and in-domain fill in words: drawn, likeliest or in-turn.")
    ] = None,
    draws: Annotated[
        int | None, typer.Option(help="Texts drawn for each coalition by marginal, conditional and in-domain.")
    ] = None,
    filler: Annotated[
        str | None,
        typer.Option(help="The masked language model that conditional and in-domain ask: a name, a folder, a hub id."),
    ] = None,
    players: Annotated[
        str, typer.Option(help="What is present or absent: words, tokens, phrases, sentences, spans or nested.")
    ] = "words",
    opened: Annotated[
        str | None,
        typer.Option(
            "--open", help="For players = nested: the words whose parts are explained, such as 12:28; or all of them."
        ),
    ] = None,
    span: Annotated[
        list[str] | None, typer.Option(help="For players = spans: words 3 up to 6 as 3:6; repeatable.")
    ] = None,
    tree: Annotated[str | None, typer.Option(help="A bracketed tree over the words instead of a parse.")] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--parameter", "-p", help="A setting of the method, as name=value; repeatable.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Fixes everything that is drawn at random.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole explanation as JSON.")] = False,
    lines: Annotated[
        bool, typer.Option("--lines", help="Words and scores on one line of JSON, as `evaluate --explanations` reads.")
    ] = False,
    svg: Annotated[Path | None, typer.Option(help="Write the picture to this file as well.")] = None,
    table: Annotated[Path | None, typer.Option("--csv", help="Write the numbers to this file as well.")] = None,
    file: Annotated[
        Path | None, typer.Option(help="Explain every text of a file instead: a .tsv or .csv table, or a text a line.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="For --file: where results go, as lines of JSON; resumed.")] = None,
    column: Annotated[str, typer.Option(help="For --file: the table's column of texts.")] = "text",
) -> None:
    """Explain a prediction."""
    from espalier.games.references import USUAL_REFERENCE
    from espalier.models.catalog import catalog

    name = catalog().choose(model)
    wait_until_ready(catalog().source(name))
    fields: dict[str, Any] = {
        "pair": pair,
        "model": name,
        "method": method,
        "target": target,
        "outcome": outcome,
        "against": against,
        "scale": scale,
        "reference": reference or USUAL_REFERENCE,
        "fill": fill,
        "draws": draws,
        "filler": None if filler is None else catalog().choose(filler),
        "players": players,
        "spans": [span_of(each) for each in span or []],
        "open": None if opened is None else span_of(opened, "open"),
        "tree": tree,
        "parameters": settings_of(parameter or []),
        "seed": seed,
    }
    if file is not None:
        if text is not None or out is None:
            raise BadParameter(
                "--file goes with --out and without a text: possible is --file texts.tsv --out results.jsonl"
            )
        from espalier.commands.explain_file import explain_file

        explain_file(file, out, column, lambda row: request_of(**fields | row), lines)
        return
    if text is None:
        raise BadParameter("nothing to explain: got no text, possible are a text, - for standard input, or --file")
    check_writable("svg", svg)
    check_writable("csv", table)
    source = typer.get_text_stream("stdin").read() if text == "-" else text
    with progress(name, method) as listener:
        from espalier.library import shared_explainer

        request = request_of(text=source, **fields)
        explanation = shared_explainer().explain(request, listener)
    if svg is not None:
        from espalier.pictures.svg import svg as drawn

        svg.write_text(drawn(explanation), encoding="utf-8")
    if table is not None:
        from espalier.findings.table import csv_of

        table.write_text(csv_of(explanation), encoding="utf-8", newline="")
    if lines:
        from espalier.lab.foreign.written import line_of, to_lines

        typer.echo(to_lines([line_of(explanation)]), nl=False)
    elif as_json:
        from espalier.findings.document import document

        typer.echo(json.dumps(document(explanation), indent=2, ensure_ascii=False))
    else:
        from espalier.pictures.terminal import draw

        Console().print(draw(explanation))


def settings_of(given: list[str]) -> dict[str, Any]:
    """`window=3` as {"window": 3}: values are JSON where they can be, else text."""
    settings: dict[str, Any] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not (name and equals):
            raise BadParameter(f"bad --parameter: got {each!r}, possible is name=value")
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    return settings


def span_of(given: str, option: str = "span") -> tuple[int, int]:
    start, _, end = given.partition(":")
    try:
        return int(start), int(end)
    except ValueError:
        raise BadParameter(f"bad --{option}: got {given!r}, possible are two word positions such as 3:6") from None


def check_writable(option: str, path: Path | None) -> None:
    """Say so before the work, not after it."""
    if path is None:
        return
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadParameter(
            f"cannot write --{option}: got {str(path)!r}, possible is a file in a folder you can write to"
        )


def request_of(**fields: Any) -> "ExplanationRequest":
    """A checked request, or one line on what is wrong with it."""
    from pydantic import ValidationError

    from espalier.explain.request import ExplanationRequest

    try:
        return ExplanationRequest(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = first["loc"][0]
        raise BadParameter(f"bad --{name}: got {first['input']!r} ({first['msg'].lower()})") from error


class _Evaluations(ProgressColumn):
    """How many of how many, once that is known."""

    def render(self, task: Task) -> Text:
        return Text("" if task.total is None else f"{task.completed:,.0f} of {task.total:,.0f} evaluations")


class _Counter:
    """Tells the bar how many evaluations are done of those expected; before the first, the model is loading."""

    def __init__(self, bar: Progress, model: str, method: str) -> None:
        self._bar = bar
        self._method = method
        self._task = bar.add_task(f"loading {model}", total=None)

    def progress(self, evaluated: int, expected: int) -> None:
        self._bar.update(self._task, description=self._method, completed=evaluated, total=max(evaluated, expected))

    def partial(self, make: Callable[[], Any]) -> None:
        """The picture is drawn once, at the end."""


@contextmanager
def progress(model: str, method: str) -> Iterator[_Counter]:
    """A bar on standard error while the work goes on; nothing where nobody looks."""
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        _Evaluations(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield _Counter(bar, model, method)
