"""The shipped classifiers on texts that they never saw, through the product's own code, from text to logits."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from espalier.models.device import default_device
from espalier.models.families import load_model
from espalier.models.protocol import Encoding, HostedModel
from espalier.models.sources import Source, source_of
from espalier.problems import TooLong
from espalier.text import Passage, read
from training import data

MODELS = Path(__file__).parents[1] / "models"

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class HeldOut:
    """What a model is measured on."""

    load: Callable[[], tuple[data.Labelled, data.Labelled]]
    """What it learned from, and what it did not."""
    task: str | None = None
    """Whose sample sentences suit it, too."""


SENTENCES = HeldOut(data.sst2, "sentiment")
REVIEWS = HeldOut(data.film_reviews)

SETS = {
    "sst2-minilm": SENTENCES,
    "sst2-smollm2": SENTENCES,
    "sst2-lstm": SENTENCES,
    "sst2-cnn": SENTENCES,
    "sst2-bow": SENTENCES,
    "imdb-minilm": REVIEWS,
    "imdb-lstm": REVIEWS,
    "imdb-cnn": REVIEWS,
    "imdb-bow": REVIEWS,
    "emotion-minilm": HeldOut(data.emotions, "emotion"),
    "topic-minilm": HeldOut(data.topics, "topic"),
}


@dataclass(frozen=True, eq=False)
class Answers:
    """Logits of texts, float[texts, classes], and their right classes, int[texts]."""

    logits: FloatArray
    labels: IntArray
    cut: int = 0
    """Of how many texts only the beginning was read, since the model takes no more."""

    @property
    def right(self) -> int:
        return int((self.logits.argmax(axis=1) == self.labels).sum())

    @property
    def accuracy(self) -> float:
        return self.right / len(self.labels)

    def __str__(self) -> str:
        return f"{len(self.labels)} texts" + (f", {self.cut} of them cut" if self.cut else "")


def shipped() -> list[str]:
    """The classifiers that are there, in the order of the table."""
    return [name for name in SETS if (MODELS / name / "espalier.json").is_file()]


def source(name: str) -> Source:
    return source_of(str(MODELS / name), {})


def load(name: str) -> HostedModel:
    return load_model(source(name), default_device())


def answers(model: HostedModel, rows: data.Labelled, batch_size: int = 64) -> Answers:
    """What a model says of labelled texts, in their order; those of one length go through it together."""
    encodings = [_encoded(model, read(text)) for text, _ in rows]
    order = sorted(range(len(rows)), key=lambda index: len(encodings[index][0].ids))
    logits = np.empty((len(rows), len(model.classes)))
    for start in range(0, len(order), batch_size):
        chosen = order[start : start + batch_size]
        logits[chosen] = model.outputs([encodings[index][0].row() for index in chosen])
    return Answers(logits, np.asarray([label for _, label in rows]), sum(cut for _, cut in encodings))


def _encoded(model: HostedModel, passage: Passage) -> tuple[Encoding, bool]:
    """A text's tokens, or those of its beginning, as many words as the model takes: nobody else is told of a part what
    was asked of the whole, but a figure over reviews would otherwise be one over short reviews."""
    try:
        return model.encode(passage), False
    except TooLong:
        fitting = bisect_right(range(len(passage.words)), 0, key=lambda words: _is_too_long(model, passage, words))
        return model.encode(_beginning(passage, fitting - 1)), True


def _is_too_long(model: HostedModel, passage: Passage, words: int) -> bool:
    try:
        model.encode(_beginning(passage, words))
    except TooLong:
        return True
    return False


def _beginning(passage: Passage, words: int) -> Passage:
    return read(passage.source[: passage.words[words - 1].end] if words else "")
