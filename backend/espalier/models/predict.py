"""What a model says of a whole text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from espalier.models.protocol import HostedModel, TokenRow
from espalier.problems import BadModel
from espalier.text import Passage, read


@dataclass(frozen=True, slots=True)
class Prediction:
    """Probabilities of all classes, in the model's order."""

    passage: Passage
    classes: tuple[str, ...]
    probabilities: tuple[float, ...]
    tokens: int

    @property
    def label(self) -> str:
        return self.classes[int(np.argmax(self.probabilities))]


def predict(
    model: HostedModel, text: str, pair: str | None = None, outputs: Callable[[list[TokenRow]], Any] | None = None
) -> Prediction:
    """`outputs` runs the model where it may not be called directly: on its host's thread."""
    passage = read(text)
    encoding = model.encode(passage, read(pair) if pair is not None else None)
    logits = np.asarray((outputs or model.outputs)([encoding.row()])[0], dtype=np.float64)
    if not np.isfinite(logits).all():
        raise BadModel(f"{model.name} gave numbers that are not finite: got {logits.tolist()}")
    exponents = np.exp(logits - logits.max())
    probabilities = exponents / exponents.sum()
    return Prediction(passage, model.classes, tuple(map(float, probabilities)), len(encoding.ids))
