"""What a model says of a whole text."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from espalier.models.memory import enough_memory
from espalier.models.next_words import OTHER, LanguageModel
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import Encoding, HostedModel, TokenRow
from espalier.problems import BadModel, TooLong
from espalier.text import Passage, read

Outputs = Callable[[list[TokenRow], Outcomes], Any]


@dataclass(frozen=True, slots=True)
class Prediction:
    """Probabilities of all outcomes, in the model's order."""

    passage: Passage
    classes: tuple[str, ...]
    probabilities: tuple[float, ...]
    tokens: int
    outcomes: Outcomes

    @property
    def label(self) -> str:
        """The likeliest outcome that is one: "any other word" is none."""
        ranked = sorted(range(len(self.classes)), key=lambda index: -self.probabilities[index])
        return next(self.classes[index] for index in ranked if self.classes[index] != OTHER)


def predict(
    model: HostedModel,
    text: str,
    pair: str | None = None,
    outputs: Outputs | None = None,
    choose: Callable[[Encoding], Outcomes] | None = None,
) -> Prediction:
    """`outputs` runs the model where it may not be called directly: on its host's thread. `choose` says which outcomes
    are looked at, where they are not the model's own: a language model's next words."""
    if choose is None and isinstance(model, LanguageModel):
        choose = model.choose
    if choose is None:
        return predict_all(model, [(text, pair)], outputs)[0]
    passage = read_for(model, text)
    encoding = model.encode(passage, None if pair is None else read_for(model, pair))
    with _room_for(model):
        outcomes = choose(encoding)
        found = (outputs or model.outputs)([encoding.row()], outcomes)
    return Prediction(passage, outcomes.names, _probabilities(model, found)[0], len(encoding.ids), outcomes)


def predict_all(
    model: HostedModel, instances: Sequence[tuple[str, str | None]], outputs: Outputs | None = None
) -> list[Prediction]:
    """What a classifier says of many texts (or pairs), which go through it together."""
    passages = [(read_for(model, text), None if pair is None else read_for(model, pair)) for text, pair in instances]
    encodings = [model.encode(*each) for each in passages]
    with _room_for(model):
        found = (outputs or model.outputs)([each.row() for each in encodings], model.outcomes)
    return [
        Prediction(passage, model.outcomes.names, probabilities, len(encoding.ids), model.outcomes)
        for (passage, _), encoding, probabilities in zip(passages, encodings, _probabilities(model, found), strict=True)
    ]


def read_for(model: HostedModel, text: str) -> Passage:
    """A text as far as a model may be able to read it. Every word has a token of its own; who is only a little beyond
    the limit is told by the model itself how far."""
    most = 2 * model.max_length
    try:
        return read(text, most)
    except TooLong as problem:
        raise TooLong(
            f"text too long for {model.name}: got more than {most:,} words, possible are up to {model.max_length:,} "
            "tokens; shorten the text or explain it in parts"
        ) from problem


def _room_for(model: HostedModel) -> AbstractContextManager[None]:
    return enough_memory(model.name, getattr(model, "device", "cpu"))


def _probabilities(model: HostedModel, scores: Any) -> list[tuple[float, ...]]:
    found = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(found).all():
        worst = found[~np.isfinite(found).all(axis=1)][0]
        raise BadModel(f"{model.name} gave numbers that are not finite: got {worst.tolist()}")
    exponents = np.exp(found - found.max(axis=1, keepdims=True))
    return [tuple(map(float, row)) for row in exponents / exponents.sum(axis=1, keepdims=True)]
