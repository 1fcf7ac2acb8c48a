"""Absent words become the words at the same place in other sentences, averaged: interventional SHAP, ASIV's ME."""

from collections.abc import Sequence
from typing import Self

import numpy as np

from espalier import samples
from espalier.games.references.reference import (
    Asking,
    BoolArray,
    IntArray,
    Reference,
    Rows,
    Setting,
    Shown,
    Wish,
    everywhere,
    in_its_place,
    names_in_its_place,
    shown_as,
    without_asking,
)
from espalier.models.fillers import Filler
from espalier.models.protocol import Encoding
from espalier.problems import BadParameter
from espalier.text import read

DRAWS = 8


class Marginal(Reference):
    name = "marginal"
    description = "Absent words become the words at the same place in other sentences, averaged."
    in_short = "absent words from other sentences (marginal)"

    takes = frozenset({"draws"})
    usual_draws = DRAWS

    def __init__(self, encoding: Encoding, others: Sequence[IntArray], names: Sequence[Sequence[str]] = ()) -> None:
        super().__init__(encoding)
        self._others = others
        self._names = names
        self.draws = len(others)

    @classmethod
    def identity(cls, wish: Wish) -> tuple[str | int | tuple[str, ...], ...]:
        usual = cls.name, wish.seed, _background(wish)
        return usual if wish.draws is None else (*usual, wish.draws)

    @classmethod
    def of(cls, setting: Setting, wish: Wish) -> Self:
        encoding, background = setting.encoding, _background(wish)
        if not background:
            raise BadParameter("reference = marginal needs background sentences: got none")
        if wish.draws is not None and wish.draws > len(background):
            raise BadParameter(
                f"reference = marginal draws from its background: got draws = {wish.draws} of {len(background)} "
                f"sentence{'s' if len(background) > 1 else ''}, possible are up to {len(background)}"
            )
        chosen = np.random.default_rng(wish.seed).permutation(len(background))[: wish.draws or DRAWS]
        # Other sentences have no blank to be read at.
        encode = setting.model.read_words if isinstance(setting.model, Filler) else setting.model.encode
        texts = [encode(read(background[index])) for index in chosen]
        return cls(
            encoding,
            [in_its_place(encoding, other) for other in texts],
            [names_in_its_place(encoding, other) for other in texts],
        )

    def rows(self, present: BoolArray) -> Rows:
        return without_asking(everywhere(self._others, present, self.ids, self.encoding.read_at))

    def shown(self, present: BoolArray) -> Asking[list[Shown]]:
        return without_asking(shown_as(self.encoding, present, self._names))

    def stand_ins(self) -> IntArray | None:
        return np.stack(self._others)


def _background(wish: Wish) -> tuple[str, ...]:
    return tuple(sample.text for sample in samples.load()) if wish.background is None else wish.background
