"""`espalier parse "text"`: the constituency tree, drawn in the terminal."""

import json
from typing import Annotated

import typer
from rich.console import Console


def parse(
    text: Annotated[str, typer.Argument(help="The text to parse; - reads it from standard input.")],
    tree: Annotated[
        str | None, typer.Option(help="Draw your own bracketed tree over the text instead of parsing.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print words and nodes as JSON.")] = False,
    brackets: Annotated[bool, typer.Option("--brackets", help="Print the tree as one bracketed line.")] = False,
) -> None:
    """Parse a text into phrases."""
    from espalier.text import read
    from espalier.trees.bracketed import bracketed, read_bracketed
    from espalier.trees.parser import default_parser
    from espalier.trees.terminal import draw

    passage = read(typer.get_text_stream("stdin").read() if text == "-" else text)
    spans = default_parser().parse(passage) if tree is None else read_bracketed(tree, passage)
    if as_json:
        nodes = [
            {"start": node.start, "end": node.end, "labels": node.labels, "children": node.children}
            for node in spans.nodes
        ]
        words = [{"text": word.text, "start": word.start, "end": word.end} for word in passage.words]
        typer.echo(json.dumps({"text": passage.source, "words": words, "nodes": nodes}, indent=2, ensure_ascii=False))
    elif brackets:
        typer.echo(bracketed(spans, passage))
    else:
        Console().print(draw(spans, passage))
