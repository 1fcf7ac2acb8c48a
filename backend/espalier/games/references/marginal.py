"""Absent words become the words at the same place in other sentences, averaged: interventional SHAP, ASIV's ME."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from espalier import samples
from espalier.games.references.reference import (
    BoolArray,
    IntArray,
    Reference,
    Rows,
    Setting,
    Wish,
    everywhere,
    in_its_place,
    without_asking,
)
from espalier.models.protocol import Encoding
from espalier.problems import BadParameter
from espalier.text import read

DRAWS = 8


class Marginal(Reference):
    name = "marginal"
    description = "Absent words become the words at the same place in other sentences, averaged."
    in_short = "absent words from other sentences (marginal)"

    def __init__(self, encoding: Encoding, others: Sequence[IntArray]) -> None:
        super().__init__(encoding)
        self._others = others
        self.draws = len(others)

    @classmethod
    def identity(cls, wish: Wish) -> tuple[str, int, tuple[str, ...]]:
        return cls.name, wish.seed, _background(wish)

    @classmethod
    def of(cls, setting: Setting, wish: Wish) -> Self:
        encoding, background = setting.encoding, _background(wish)
        if not background:
            raise BadParameter("reference = marginal needs background sentences: got none")
        chosen = np.random.default_rng(wish.seed).permutation(len(background))[:DRAWS]
        others = [in_its_place(encoding, setting.model.encode(read(background[index]))) for index in chosen]
        return cls(encoding, others)

    def rows(self, present: BoolArray) -> Rows:
        return without_asking(everywhere(self._others, present, self.ids, self.encoding.read_at))

    def stand_ins(self) -> IntArray | None:
        return np.stack(self._others)


def _background(wish: Wish) -> tuple[str, ...]:
    return tuple(sample.text for sample in samples.load()) if wish.background is None else wish.background
