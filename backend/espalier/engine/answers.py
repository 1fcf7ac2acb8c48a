"""Small questions that a worker answers at once: what a model says of a text, and how a text is parsed."""

from collections.abc import Callable, Sequence
from functools import partial

from espalier.engine.host import ModelHost
from espalier.engine.messages.answers import (
    Beginning,
    Chance,
    Prediction,
    Predictions,
    Rounded,
    Surprised,
    SurprisedWord,
    Tree,
    Word,
)
from espalier.engine.outcomes import next_words
from espalier.explain.rounded import on_scale
from espalier.models import outcomes
from espalier.models.next_words import COUNT, LanguageModel, Surprise
from espalier.models.precision import rounding_of
from espalier.models.predict import predict, predict_all
from espalier.problems import BadParameter, NotSupported
from espalier.text import Passage, read
from espalier.trees.tree import SpanTree

LONGEST_TREE = 1_000
"""Words of a text that is parsed for its own sake: no model takes a longer one, and meanwhile the parser is busy."""


def prediction(
    host: ModelHost, name: str, text: str, pair: str | None, words: Sequence[str] = (), count: int | None = None
) -> Prediction:
    """Probabilities of all classes, or of next words, as the service writes them. The model runs on its host's thread,
    in its turn."""
    says_words = isinstance(host.model, LanguageModel)
    if not says_words and (words or count is not None):
        raise BadParameter(
            f"{name} chooses between classes: got next words to look at, possible is a text without them"
        )
    wanted = (0 if words else COUNT) if count is None else count
    choose = (lambda encoding: next_words(host, encoding, words, wanted)) if says_words else None
    found = predict(host.model, text, pair, host.evaluate, choose)
    classes = zip(found.classes, found.probabilities, strict=True)
    beginning = found.outcomes.beginning
    pieces = host.model.pieces(found.outcomes) if isinstance(host.model, LanguageModel) else None
    rounding = on_scale(rounding_of(host.model), "probability", pieces)
    said: Prediction = {
        "model": name,
        "revision": host.model.revision,
        "label": found.label,
        "classes": [Chance(name=each, probability=probability) for each, probability in classes],
        "words": words_of(found.passage),
        "tokens": found.tokens,
        "pieces": None if pieces is None else list(map(list, pieces)),
        "beginning": None if beginning is None else _beginning(beginning),
    }
    if rounding is not None:
        said["rounding"] = Rounded(
            precision=rounding.precision, error=rounding.error, usual=rounding.usual, rows=rounding.rows
        )
    return said


def _beginning(found: outcomes.Beginning) -> Beginning:
    return {"text": found.text, "probability": found.probability, "word": found.word}


def predictions(host: ModelHost, instances: Sequence[tuple[str, str | None]]) -> Predictions:
    """Probabilities for many texts, without anything else that can be said of them."""
    if isinstance(host.model, LanguageModel):
        found = [predict(host.model, *one, host.evaluate, partial(next_words, host)) for one in instances]
    else:
        found = predict_all(host.model, instances, host.evaluate)
    return [dict(zip(each.classes, each.probabilities, strict=True)) for each in found]


def surprise(host: ModelHost, name: str, text: str, count: int) -> Surprised:
    """How surprising each word of a running text was, as the service writes it."""
    model = host.model
    if not isinstance(model, LanguageModel):
        raise NotSupported(f"{name} chooses between classes: got a running text, possible is a language model")
    passage = read(text)
    found: list[Surprise] = host.consult(lambda: model.surprise(passage, count)).future.result()
    return {
        "model": name,
        "revision": model.revision,
        "words": [
            SurprisedWord(
                **word,
                bits=each.bits,
                pieces=list(each.pieces),
                candidates=[Chance(name=text, probability=probability) for text, probability in each.candidates],
            )
            for word, each in zip(words_of(passage), found, strict=True)
        ],
        "bits": sum(each.bits for each in found),
    }


def tree(parse: Callable[[Passage], SpanTree], text: str) -> Tree:
    """The parse tree, as the service writes it."""
    passage = read(text, LONGEST_TREE)
    nodes = parse(passage).nodes
    return {
        "words": words_of(passage),
        "nodes": [
            {"start": node.start, "end": node.end, "labels": list(node.labels), "children": list(node.children)}
            for node in nodes
        ],
    }


def words_of(passage: Passage) -> list[Word]:
    return [{"text": word.text, "start": word.start, "end": word.end} for word in passage.words]
