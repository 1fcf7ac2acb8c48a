"""Any function from texts to probabilities as a model: a notebook's own classifier, a remote service, a rule."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from espalier.models.outcomes import Outcomes
from espalier.models.protocol import Encoding, FloatArray, TokenRow, refuse
from espalier.models.revision import combine
from espalier.problems import BadModel
from espalier.text import Passage

TINY = 1e-12
"""A probability of exactly 0 has no logarithm; this is far below what any classifier means to say."""

TextsToProbabilities = Callable[[list[str]], Any]


class CallableModel:
    """Words are its tokens. An absent word is simply not in the text the function is given."""

    family = "callable"
    max_length = 10_000

    def __init__(
        self, function: TextsToProbabilities, classes: Sequence[str] | None = None, mask: str = "[MASK]"
    ) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self.revision = combine(["callable", self.name, str(id(function))])
        self.mask_id: int | None = 0
        self.pad_id: int | None = None
        self._function = function
        self._pieces = [f" {mask}"]
        self._ids: dict[str, int] = {}
        self._learning = threading.Lock()
        self.classes = tuple(classes) if classes else self._ask_for_classes()
        self.outcomes = Outcomes(self.classes)

    def encode(self, passage: Passage, pair: Passage | None = None) -> Encoding:
        if pair is not None:
            raise BadModel(f"{self.name} takes one text: got a pair, possible is a text alone")
        ids: list[int] = []
        for gap, word in zip(passage.gaps(), passage.words, strict=False):
            piece = gap + word.text
            with self._learning:  # several threads may explain with the same function
                if piece not in self._ids:
                    self._ids[piece] = len(self._pieces)
                    self._pieces.append(piece)
            ids.append(self._ids[piece])
        return Encoding(tuple(ids), tuple(range(len(ids))), tuple(word.text for word in passage.words))

    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        return np.log(np.maximum(self._probabilities([self._text(row) for row in rows], len(self.classes)), TINY))

    def inspect(self, question: str, **arguments: Any) -> Any:
        raise refuse(self, question, ())

    def _text(self, row: TokenRow) -> str:
        return "".join(self._pieces[index] for index in row.ids).strip()

    def _ask_for_classes(self) -> tuple[str, ...]:
        probabilities = self._probabilities(["A text."], None)
        return tuple(f"class {index}" for index in range(probabilities.shape[1]))

    def _probabilities(self, texts: list[str], classes: int | None) -> FloatArray:
        given = np.asarray(self._function(texts), dtype=np.float64)
        wanted = f"({len(texts)}, {classes or 'classes'})"
        if given.ndim != 2 or len(given) != len(texts) or (classes is not None and given.shape[1] != classes):
            raise BadModel(
                f"{self.name} returned the wrong shape: got {given.shape} for {len(texts)} texts, possible is {wanted}"
            )
        if given.shape[1] < 2:
            raise BadModel(
                f"{self.name} returned one number a text: got shape {given.shape}, possible are two classes or more"
            )
        if not np.isfinite(given).all():
            raise BadModel(f"{self.name} returned numbers that are not finite: got NaN or infinity")
        if (given < -1e-6).any() or (np.abs(given.sum(axis=1) - 1) > 1e-3).any():
            raise BadModel(f"{self.name} must return probabilities: got rows that are negative or do not sum to 1")
        return given
