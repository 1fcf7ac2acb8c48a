"""`espalier predict "text"`: what a model says."""

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from espalier.commands.first_use import wait_until_ready
from espalier.problems import BadParameter

if TYPE_CHECKING:
    from espalier.models.predict import Prediction

BAR_WIDTH = 40


def predict(
    text: Annotated[str, typer.Argument(help="The text to classify or to go on with; - reads it from standard input.")],
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="A model of the catalog (`espalier models`; by default its first), a folder, or a hub id.",
        ),
    ] = None,
    pair: Annotated[str | None, typer.Option(help="The second text, for models of sentence pairs.")] = None,
    outcome: Annotated[
        list[str] | None,
        typer.Option(help='A next word to look at, for language models, such as " Paris"; repeatable.'),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of bars.")] = False,
) -> None:
    """Show how likely all classes are, or the next words."""
    from espalier.models.catalog import catalog
    from espalier.models.next_words import LanguageModel
    from espalier.models.predict import predict as predict_text

    source = typer.get_text_stream("stdin").read() if text == "-" else text
    name = catalog().choose(model)
    wait_until_ready(catalog().source(name))
    hosted = catalog().load(name)
    if outcome and not isinstance(hosted, LanguageModel):
        raise BadParameter(f"{name} chooses between classes: got --outcome, possible is a language model")
    choose = (lambda encoding: hosted.choose(encoding, outcome or ())) if isinstance(hosted, LanguageModel) else None
    prediction = predict_text(hosted, source, pair, choose=choose)
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "model": name,
                    "revision": hosted.revision,
                    "text": source,
                    "label": prediction.label,
                    "probabilities": dict(zip(prediction.classes, prediction.probabilities, strict=True)),
                    "words": len(prediction.passage.words),
                    "tokens": prediction.tokens,
                },
                indent=2,
                ensure_ascii=False,
            )
        )
    else:
        Console().print(bars(prediction))


def bars(prediction: "Prediction") -> Table:
    """One bar a class, the largest first."""
    from espalier.findings.wording import percent

    table = Table(box=None, show_header=False, pad_edge=False)
    ranked = sorted(zip(prediction.classes, prediction.probabilities, strict=True), key=lambda pair: -pair[1])
    for rank, (name, probability) in enumerate(ranked):
        style = "bold" if rank == 0 else "dim"
        share = f"{percent(probability):>6}"
        bar = "█" * round(probability * BAR_WIDTH)
        table.add_row(Text(name, style=style), Text(share, style=style), Text(bar, style="magenta"))
    return table
