"""`espalier interactions`: what MAHE's paper measures over many texts."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

if TYPE_CHECKING:
    from espalier.datasets.forms import Row
    from espalier.statistics.documents import MeanInterval, Share

interactions = typer.Typer(
    help="Interactions over many texts: how well they fit, and whether they are free of their context.",
    no_args_is_help=True,
)

File = Annotated[Path | None, typer.Option(help="A .tsv, .csv or .jsonl of texts; the samples if left out.")]
Samples = Annotated[str, typer.Option(help="The project's sentences: sentiment, emotion or topic.")]
Column = Annotated[str | None, typer.Option(help="The column of the texts.")]
Draws = Annotated[int, typer.Option(min=100, max=20_000, help="Texts with absent words, around each text.")]
Seed = Annotated[int, typer.Option(min=0, help="Fixes everything that is drawn at random.")]
Json = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]


@interactions.command()
def fit(
    model: Annotated[list[str] | None, typer.Option(help="A model; several have a line each.")] = None,
    file: File = None,
    samples: Samples = "sentiment",
    column: Column = None,
    texts: Annotated[int | None, typer.Option(min=1, help="Only the first so many texts.")] = None,
    draws: Draws = 2000,
    scale: Annotated[str, typer.Option(help="What is fitted: log_odds, probability, …")] = "log_odds",
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Squared error of local explanations: linear, with one interaction, at the last level (MAHE, Table 3)."""
    from espalier.lab.interactions.asking import Asking
    from espalier.lab.interactions.fit import fit_table
    from espalier.library import shared_explainer
    from espalier.models.catalog import catalog

    names = [catalog().choose(name) for name in model] if model else [catalog().first]
    askings = [Asking.model_validate({"model": name, "draws": draws, "scale": scale, "seed": seed}) for name in names]
    given = [row.text for row in rows_from(file, samples, column)][:texts]
    with progress("fitting") as advance:
        lines = fit_table(given, shared_explainer(), askings, advance)
    if as_json:
        typer.echo(json.dumps([line.model_dump(mode="json") for line in lines], indent=2))
        return
    table = Table(title=f"squared error of {scale}, over the texts with an interaction", title_justify="left")
    table.add_column("")
    for line in lines:
        table.add_column(line.model, justify="right")
    table.add_row("texts with an interaction", *(f"{line.found.count} of {line.found.of}" for line in lines))
    table.add_row("words alone", *(interval(line.linear) for line in lines))
    table.add_row("one interaction", *(interval(line.one) for line in lines))
    table.add_row("last level", *(interval(line.last) for line in lines))
    table.add_section()
    table.add_row("gain of the first", *(interval(line.first_gain) for line in lines))
    table.add_row("p (sign flips, Holm)", *(f"{line.first_p:.4f}" for line in lines))
    table.add_row("gain of all further ones", *(interval(line.further_gain) for line in lines))
    table.add_row("p (sign flips, Holm)", *(f"{line.further_p:.4f}" for line in lines))
    Console().print(table)


@interactions.command("context-free")
def context_free(
    words: Annotated[list[str], typer.Argument(help="The words in order, such as: not good")],
    model: Annotated[str | None, typer.Option(help="The model; the catalog's first if left out.")] = None,
    target: Annotated[str | None, typer.Option(help="The class; the model's last if left out.")] = None,
    file: File = None,
    samples: Samples = "sentiment",
    column: Column = None,
    texts: Annotated[int, typer.Option(min=1, help="Ask about at most so many texts that have the words.")] = 40,
    random_pairs: Annotated[int, typer.Option(min=0, help="Random pairs of words to compare with.")] = 10,
    draws: Draws = 1000,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Whether words interact with the same sign wherever they stand together (MAHE, sections 4.2 and 5.3)."""
    from espalier.lab.interactions.asking import Asking
    from espalier.lab.interactions.context_free import context_free as found_in
    from espalier.library import shared_explainer
    from espalier.models.catalog import catalog

    asking = Asking(model=catalog().choose(model), target=target, draws=draws, seed=seed)
    given = [row.text for row in rows_from(file, samples, column)]
    with progress("pairs") as advance:
        found = found_in(
            words, given, shared_explainer(), asking, most=texts, random_pairs=random_pairs, advance=advance
        )
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    table = Table(title=f"({', '.join(found.words)}) on {found.model}, {found.texts} texts", title_justify="left")
    table.add_column("")
    table.add_column("", justify="right")
    sign = {1: "positive", -1: "negative", 0: "none"}[found.sign]
    table.add_row(f"sign of the majority: {sign}", share_of(found.same))
    table.add_row("the same, where the term is clear", share_of(found.clear))
    table.add_row("the term, on average", interval(found.mean))
    table.add_row("words between them, on average", "" if found.gap is None else f"{found.gap:.1f}")
    table.add_row(f"random pairs as frequent ({found.random.n})", interval(found.random))
    if found.rank is not None:
        table.add_row("random pairs that agree as much (rank)", f"{found.rank:.3f}")
    Console().print(table)


@interactions.command()
def synthetic(
    points: Annotated[int, typer.Option(min=1, help="Points of each function.")] = 20,
    draws: Annotated[int, typer.Option(min=100, max=20_000, help="Inputs drawn around each point.")] = 1000,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """How often the true interaction of a known function is ranked first (MAHE, Figure 3b)."""
    from espalier.lab.interactions.synthetic import synthetic as detected

    with progress("points") as advance:
        found = detected(points, draws, seed, advance)
    if as_json:
        typer.echo(json.dumps([each.model_dump(mode="json") for each in found], indent=2, ensure_ascii=False))
        return
    table = Table()
    for name in ("", "function", "R-precision", "true one or a part of it"):
        table.add_column(name, justify="left" if name in ("", "function") else "right")
    for each in found:
        table.add_row(each.name, each.formula, share_of(each.precision), share_of(each.inside))
    Console().print(table)


@interactions.command("synthetic-fit")
def synthetic_fit(
    base: Annotated[list[str] | None, typer.Option(help="function, trees, mlp or lstm; all of them if none.")] = None,
    points: Annotated[int, typer.Option(min=1, help="Points of each trial.")] = 20,
    trials: Annotated[int, typer.Option(min=1, help="Trials, each with newly trained models.")] = 10,
    draws: Annotated[int, typer.Option(min=100, max=20_000, help="Inputs drawn around each point.")] = 1000,
    seed: Seed = 0,
    svg: Annotated[Path | None, typer.Option(help="Write the picture to this file as well.")] = None,
    as_json: Json = False,
) -> None:
    """How well the true interaction of a known function is fitted, where it is told (MAHE, Figure 3a)."""
    from espalier.commands.explain import check_writable
    from espalier.lab.interactions.base_models import BASES
    from espalier.lab.interactions.figure import figure_3a
    from espalier.lab.interactions.synthetic_fit import synthetic_fit as fitted
    from espalier.problems import UnknownName

    for name in base or ():
        if name not in BASES:
            raise UnknownName("base model", name, BASES)
    check_writable("svg", svg)
    chosen = tuple(each for each in BASES if not base or each in base)
    with progress("trials") as advance:
        found = fitted(points, trials, draws, seed, chosen, advance)
    if svg is not None:
        svg.write_text(figure_3a(found), encoding="utf-8")
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    table = Table(title="Standardised squared error of the interaction (1: no interaction)", title_justify="left")
    for name in ("", "asked", "MAHE", "products of inputs", "the model itself"):
        table.add_column(name, justify="left" if name in ("", "asked") else "right")
    for each in found.fitted:
        table.add_row(each.function, each.base, interval(each.mahe), interval(each.products), interval(each.known))
    Console().print(table)


def rows_from(file: Path | None, samples: str, column: str | None = None) -> "tuple[Row, ...]":
    """The texts of a file, or the project's own."""
    from espalier.datasets.forms import Samples as Shipped
    from espalier.datasets.rows import rows_of
    from espalier.datasets.uploads import read_file

    return rows_of(Shipped(task=samples) if file is None else read_file(file, column))


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, nothing elsewhere."""
    console = Console(stderr=True)
    with Progress(
        TextColumn(what), BarColumn(), MofNCompleteColumn(), console=console, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def interval(found: "MeanInterval") -> str:
    if found.mean is None:
        return "–"
    return f"{found.mean:.3f}" + ("" if found.low is None else f" [{found.low:.3f}, {found.high:.3f}]")


def share_of(found: "Share") -> str:
    if found.share is None:
        return "–"
    return f"{found.share:.1%} [{found.low:.1%}, {found.high:.1%}], {found.count} of {found.of}"
