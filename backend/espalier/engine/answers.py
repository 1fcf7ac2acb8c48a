"""Small questions that a worker answers at once: what a model says of a text, and how a text is parsed."""

from typing import Any

from espalier.engine.host import ModelHost
from espalier.models.predict import predict
from espalier.problems import TooLong
from espalier.text import Passage, read
from espalier.trees.parser import Parser

LONGEST_TREE = 1_000
"""Words of a text that is parsed for its own sake: no model takes a longer one, and meanwhile the parser is busy."""


def prediction(host: ModelHost, name: str, text: str, pair: str | None) -> dict[str, Any]:
    """Probabilities of all classes, as the service writes them. The model runs on its host's thread, in its turn."""
    found = predict(host.model, text, pair, host.evaluate)
    classes = zip(found.classes, found.probabilities, strict=True)
    return {
        "model": name,
        "revision": host.model.revision,
        "label": found.label,
        "classes": [{"name": each, "probability": probability} for each, probability in classes],
        "words": words_of(found.passage),
        "tokens": found.tokens,
    }


def tree(parser: Parser, text: str) -> dict[str, Any]:
    """The parse tree, as the service writes it."""
    passage = read(text)
    if len(passage.words) > LONGEST_TREE:
        raise TooLong(
            f"text too long to parse: got {len(passage.words):,} words, possible are up to {LONGEST_TREE:,}; "
            "parse it in parts"
        )
    nodes = parser.parse(passage).nodes
    return {
        "words": words_of(passage),
        "nodes": [
            {"start": node.start, "end": node.end, "labels": list(node.labels), "children": list(node.children)}
            for node in nodes
        ],
    }


def words_of(passage: Passage) -> list[dict[str, Any]]:
    return [{"text": word.text, "start": word.start, "end": word.end} for word in passage.words]
