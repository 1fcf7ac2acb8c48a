"""`espalier predict "text"`: what a model says."""

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from espalier.models.predict import Prediction

BAR_WIDTH = 40


def predict(
    text: Annotated[str, typer.Argument(help="The text to classify; - reads it from standard input.")],
    model: Annotated[
        str, typer.Option("--model", "-m", help="A model of the catalog (see `espalier models`).")
    ] = "sst2-minilm",
    pair: Annotated[str | None, typer.Option(help="The second text, for models of sentence pairs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of bars.")] = False,
) -> None:
    """Classify a text and show all classes."""
    from espalier.models.catalog import catalog
    from espalier.models.predict import predict as predict_text

    source = typer.get_text_stream("stdin").read() if text == "-" else text
    hosted = catalog().load(model)
    prediction = predict_text(hosted, source, pair)
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "model": model,
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
    table = Table(box=None, show_header=False, pad_edge=False)
    ranked = sorted(zip(prediction.classes, prediction.probabilities, strict=True), key=lambda pair: -pair[1])
    for rank, (name, probability) in enumerate(ranked):
        style = "bold" if rank == 0 else "dim"
        bar = "█" * round(probability * BAR_WIDTH)
        table.add_row(Text(name, style=style), Text(f"{probability:6.1%}", style=style), Text(bar, style="magenta"))
    return table
