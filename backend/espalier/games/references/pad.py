"""Absent words cannot be seen: attention 0, or the pad vector in their place."""

from typing import Self

import numpy as np

from espalier.games.references.reference import (
    Asking,
    BoolArray,
    IntArray,
    Reference,
    Rows,
    Setting,
    Shown,
    Wish,
    pieces,
    shown_as,
    without_asking,
)
from espalier.models.protocol import Encoding, TokenRow
from espalier.problems import NotSupported


class Pad(Reference):
    name = "pad"
    description = "Absent words cannot be seen; the others keep their positions."
    in_short = "absent words hidden (pad)"
    takes = frozenset()
    hides = True
    leaves_text = False
    is_one_token = True

    def __init__(self, encoding: Encoding, model: str, pad_id: int | None) -> None:
        super().__init__(encoding)
        self._model = model
        self._pad_id = pad_id

    @classmethod
    def of(cls, setting: Setting, wish: Wish) -> Self:
        return cls(setting.encoding, setting.model.name, setting.model.pad_id)

    def rows(self, present: BoolArray) -> Rows:
        return without_asking(
            [TokenRow(kept, places, len(self.ids), self.encoding.read_at) for kept, places in pieces(self.ids, present)]
        )

    def shown(self, present: BoolArray) -> Asking[list[Shown]]:
        return without_asking(shown_as(self.encoding, present, [[""] * len(self.ids)]))

    def stand_ins(self) -> IntArray | None:
        if self._pad_id is None:
            raise NotSupported(f"{self._model} has no pad token: got reference = pad, possible is mask")
        return np.full((1, len(self.ids)), self._pad_id)
