"""Absent words are cut out and the text closes up, as in LS-Tree's code and in AOPC."""

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
from espalier.models.protocol import TokenRow


class Delete(Reference):
    name = "delete"
    description = "Absent words are cut out and the text closes up."
    in_short = "absent words cut out (delete)"
    takes = frozenset()
    keeps_places = False
    hides = True

    @classmethod
    def of(cls, setting: Setting, wish: Wish) -> Self:
        return cls(setting.encoding)

    def rows(self, present: BoolArray) -> Rows:
        return without_asking(
            [
                TokenRow(kept, np.arange(len(kept)), len(kept), self._read_at(places))
                for kept, places in pieces(self.ids, present)
            ]
        )

    def _read_at(self, places: IntArray) -> int | None:
        """Where a row is read once the text has closed up."""
        read_at = self.encoding.read_at
        return None if read_at is None else int(np.searchsorted(places, read_at))

    def shown(self, present: BoolArray) -> Asking[list[Shown]]:
        return without_asking(shown_as(self.encoding, present, [[""] * len(self.ids)]))

    def stand_ins(self) -> IntArray | None:
        return None
