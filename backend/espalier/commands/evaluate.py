"""`espalier evaluate --file reviews.tsv --method hedge --method shap`: explain a dataset in several ways, measure."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from espalier.lab.documents import EvaluationResults

USUAL_METHODS = ["ls-tree", "hedge", "shap", "lime", "leave-one-out"]


def evaluate(
    file: Annotated[Path | None, typer.Option(help="A .tsv, .csv or .jsonl of texts; the samples if left out.")] = None,
    samples: Annotated[str, typer.Option(help="The project's sentences: sentiment, emotion or topic.")] = "sentiment",
    explanations: Annotated[
        Path | None,
        typer.Option(help="Explanations made elsewhere (.jsonl), measured beside the methods; see docs/lab.md."),
    ] = None,
    model: Annotated[list[str] | None, typer.Option(help="A model; several are measured apart.")] = None,
    method: Annotated[list[str] | None, typer.Option(help="A method; give several to compare them.")] = None,
    own: Annotated[bool, typer.Option(help="Run methods; --no-own measures only --explanations.")] = True,
    reference: Annotated[list[str] | None, typer.Option(help="What stands in for absent words: pad if none.")] = None,
    measure: Annotated[list[str] | None, typer.Option(help="A measure such as aopc-delete; the usual if none.")] = None,
    column: Annotated[str | None, typer.Option(help="The column of the texts.")] = None,
    texts: Annotated[int | None, typer.Option(min=1, help="Draw so many texts of the dataset.")] = None,
    best_order: Annotated[bool, typer.Option(help="Search for the best order of each text's words.")] = True,
    gauge: Annotated[
        bool, typer.Option(help="Say how surprised a language model is by the texts that each operator makes.")
    ] = True,
    seed: Annotated[int, typer.Option(min=0, help="Fixes everything that is drawn at random.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Keep the run here (.jsonl): stopped, it goes on later.")] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only say what it would cost.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The results as JSON instead of tables.")] = False,
) -> None:
    """Explain a dataset in several ways and measure every way, with intervals and tests."""
    from espalier.datasets.uploads import read_file
    from espalier.games.references import USUAL_REFERENCE
    from espalier.lab.design import EvaluationDesign
    from espalier.lab.design import plan as planned
    from espalier.lab.foreign.written import explanation_file
    from espalier.lab.local import run_here
    from espalier.library import shared_explainer
    from espalier.models.catalog import catalog
    from espalier.models.describe import Shelf

    given: dict[str, Any] = {
        "dataset": {"kind": "samples", "task": samples} if file is None else read_file(file, column),
        "models": [catalog().choose(name) for name in model] if model else [catalog().choose(None)],
        "methods": [{"method": name} for name in (method or USUAL_METHODS if own else [])],
        "explanations": None if explanations is None else explanation_file(explanations),
        "references": reference or [USUAL_REFERENCE],
        "most_texts": texts,
        "best_order": best_order,
        "gauge": gauge,
        "seed": seed,
    }
    design = EvaluationDesign.model_validate(given | ({"measures": measure} if measure else {}))
    shelf = Shelf(catalog())
    cost = planned(design, shelf)
    typer.echo(f"{cost.texts:,} texts, {cost.rows:,} rows, at most about {cost.evaluations:,} evaluations", err=True)
    for said in (*cost.warnings, *(f"{each.method} is left out: {each.reason}" for each in cost.left_out)):
        typer.echo(f"note: {said}", err=True)
    if plan:
        return
    console = Console(stderr=True)
    columns = (TextColumn("measuring"), BarColumn(), MofNCompleteColumn(), TextColumn("texts"), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=cost.units)
        run = run_here(
            design, shared_explainer(), shelf, out, lambda done, total: bar.update(task, completed=done, total=total)
        )
    found = run.results
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    for each in design.models:
        Console().print(_table(found, each))
        if any(line.cells for line in found.operators):
            Console().print(_operators(found, each))
    for line in found.lines:
        for what, reason in line.not_measured.items():
            typer.echo(f"{line.method} on {line.model}: {what} not measured, {reason}")
    typer.echo(found.paragraph)


def _table(results: "EvaluationResults", model: str) -> Table:
    """Means with their intervals; a star only where a method beats all others after correction."""
    table = Table(title=model, title_justify="left")
    for name in ("measure", "method"):
        table.add_column(name, no_wrap=True)
    for name in ("mean", "95% interval", "n", "evaluations"):
        table.add_column(name, justify="right", no_wrap=True)
    several = len({line.reference for line in results.lines if line.reference}) > 1
    for index, column in enumerate(results.measures):
        title = f"{column.title} {'↑' if column.better == 'higher' else '↓'}"
        for line in (each for each in results.lines if each.model == model):
            cell = line.cells[index]
            if cell.interval.mean is None:
                continue
            name = escape(f"{line.method} ({line.reference})" if several and line.reference else line.method)
            span = "" if cell.interval.low is None else f"{cell.interval.low:.3f} … {cell.interval.high:.3f}"
            price = "" if line.evaluations.mean is None else f"{line.evaluations.mean:,.0f}"
            mean = f"{cell.interval.mean:.3f}{'*' if cell.best else ' '}"
            table.add_row(title, name, mean, span, str(cell.interval.n), price, style="dim" if line.baseline else "")
            title = ""
        table.add_section()
    return table


def _operators(results: "EvaluationResults", model: str) -> Table:
    """How far each operator's texts are from what people write."""
    table = Table(title=f"{model}: extra bits a word of the operators' texts", title_justify="left")
    for name in ("operator", "top words of"):
        table.add_column(name)
    for name in ("mean", "95% interval", "n"):
        table.add_column(name, justify="right", no_wrap=True)
    several = len({line.reference for line in results.lines if line.reference}) > 1
    for line in (each for each in results.operators if each.model == model):
        if line.reason is not None:
            table.add_row(line.operator, line.reason, "", "", "")
        title = line.operator
        for cell in line.cells:
            if cell.interval.mean is None:
                continue
            name = escape(f"{cell.method} ({cell.reference})" if several and cell.reference else cell.method)
            span = "" if cell.interval.low is None else f"{cell.interval.low:.2f} … {cell.interval.high:.2f}"
            table.add_row(title, name, f"{cell.interval.mean:.2f}", span, str(cell.interval.n))
            title = ""
        table.add_section()
    return table
