"""`espalier diagnose reviews.tsv --model sst2-cnn --linear sst2-bow`: what LS-Tree's scores say of models."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from espalier.commands.explain import check_writable

if TYPE_CHECKING:
    from espalier.diagnostics.documents import Diagnosis, ModelDiagnosis
    from espalier.scale import Scale
    from espalier.statistics.documents import MeanInterval, RatioInterval


def diagnose(
    file: Annotated[Path | None, typer.Argument(help="A .tsv, .csv or .jsonl of texts; samples if left out.")] = None,
    samples: Annotated[str, typer.Option(help="The project's sentences: sentiment, emotion or topic.")] = "sentiment",
    model: Annotated[list[str] | None, typer.Option(help="A model, or the folder of a checkpoint; several.")] = None,
    linear: Annotated[str | None, typer.Option(help="The bag of words to compare with, such as sst2-bow.")] = None,
    train: Annotated[
        Path | None, typer.Option(help="Texts that the models were trained on: tests overfitting.")
    ] = None,
    word: Annotated[list[str] | None, typer.Option(help="A word of contrast; the paper's if none.")] = None,
    texts: Annotated[int | None, typer.Option(min=2, help="Draw so many texts of each file.")] = None,
    scale: Annotated[
        str, typer.Option(help="What scores are measured in: log_probability, logit, …")
    ] = "log_probability",
    seed: Annotated[int, typer.Option(min=0, help="Fixes everything that is drawn at random.")] = 0,
    svg: Annotated[Path | None, typer.Option(help="Write a picture of all diagnostics to this file as well.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All numbers as JSON instead of tables.")] = False,
) -> None:
    """Say how linear models are, how deep their interactions lie, what they make of words of contrast, and whether they
    are overfitted."""
    from espalier.library import diagnose as diagnosed
    from espalier.pictures.svg.diagnosis import svg_of_diagnosis

    check_writable("svg", svg)
    console = Console(stderr=True)
    columns = (TextColumn("explaining"), BarColumn(), MofNCompleteColumn(), TextColumn("texts"), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        found = diagnosed(
            samples if file is None else file,
            model,
            linear=linear,
            training=train,
            most_texts=texts,
            words=word,
            scale=cast("Scale", scale),
            seed=seed,
            advance=lambda done, total: bar.update(task, completed=done, total=total),
        )
    for each in found.left_out[:3]:
        typer.echo(f"note: left out on {each.model}: {each.reason}", err=True)
    if len(found.left_out) > 3:
        typer.echo(f"note: {len(found.left_out) - 3} more were left out", err=True)
    if svg is not None:
        picture = svg_of_diagnosis(found.models, found.linear, found.texts, found.scale)
        svg.write_text(picture, encoding="utf-8")
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    tables = (_linearity(found), _depths(found), *(_contrast(each) for each in found.models), _overfitting(found))
    for table in tables:
        if table is not None:
            Console().print(table)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for index, name in enumerate(columns):
        table.add_column(name, justify="right" if index else "left", no_wrap=index == 0)
    return table


def _linearity(found: "Diagnosis") -> Table | None:
    if found.linear is None:
        return None
    table = _table(f"Correlation with {found.linear} (mean over texts)", "model", "words", "phrases", "n")
    for each in found.models:
        if each.linearity is not None:
            words, phrases = each.linearity.words, each.linearity.phrases
            table.add_row(each.model, _mean(words), _mean(phrases), str(words.n))
    return table


def _depths(found: "Diagnosis") -> Table:
    table = _table("Depth of the top nodes (a word is 1)", "model", "top", "depth", "by chance", "p", "n")
    for each in found.models:
        name = each.model
        for depth in each.depths:
            if depth.top in (1, 2, 5, 10) and depth.depth.mean is not None:
                chance = f"{depth.chance.mean:.2f}"
                table.add_row(name, str(depth.top), _mean(depth.depth), chance, f"{depth.p:.4f}", str(depth.depth.n))
                name = ""
        table.add_section()
    return table


def _contrast(found: "ModelDiagnosis") -> Table | None:
    """A table for each model. Beside the ratio to any node stands the one to other phrases."""
    words = [each for each in found.contrast.words if each.parent.count or each.alone.count]
    if not words:
        return None
    title = f"{found.model}: scores of words of contrast, through that of any node ({found.contrast.average.mean:.3f})"
    table = _table(title, "word", "alone", "parent", "of phrases", "n")
    for word in words:
        phrases = word.parent_among_phrases.ratio
        sentences = max(word.alone.sentences, word.parent.sentences)
        among = "–" if phrases is None else f"{phrases:.2f}"
        table.add_row(word.word, _ratio(word.alone), _ratio(word.parent), among, str(sentences))
    return table


def _overfitting(found: "Diagnosis") -> Table | None:
    if not found.training_texts:
        return None
    table = _table(
        f"Overfitting: variance of scores on {found.training_texts} training texts and {found.texts} others",
        *("model", "training", "others", "p", "loss", "accuracy"),
    )
    for each in found.models:
        if (test := each.overfitting) is not None:
            table.add_row(
                each.model,
                f"{test.train.variance.mean:.3g}",
                f"{test.test.variance.mean:.3g}",
                f"{test.p:.4f}",
                _both(test.train.loss, test.test.loss),
                _both(test.train.accuracy, test.test.accuracy),
            )
    return table


def _mean(found: "MeanInterval") -> str:
    return _written(found.mean, found.low, found.high)


def _ratio(found: "RatioInterval") -> str:
    return _written(found.ratio, found.low, found.high)


def _written(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if low is None or high is None else f"{value:.2f} [{low:.2f}, {high:.2f}]"


def _both(train: float | None, test: float | None) -> str:
    return "–" if train is None or test is None else f"{train:.3f} / {test:.3f}"
