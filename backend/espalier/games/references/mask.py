"""Absent words become the mask token, which is seen: the convention of SHAP for texts."""

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
    everywhere,
    shown_as,
    without_asking,
)
from espalier.models.protocol import Encoding
from espalier.problems import NotSupported

MASK = "[MASK]"
"""As it is shown; a model may write it in another way."""


class Mask(Reference):
    name = "mask"
    description = "Absent words become the model's mask token, which is seen."
    in_short = "absent words masked (mask)"
    takes = frozenset()
    is_one_token = True

    def __init__(self, encoding: Encoding, mask_id: int) -> None:
        super().__init__(encoding)
        self._masks = np.full((1, len(self.ids)), mask_id)

    @classmethod
    def of(cls, setting: Setting, wish: Wish) -> Self:
        model = setting.model
        if model.mask_id is None:
            raise NotSupported(f"{model.name} has no mask token: possible references are pad, delete, marginal")
        return cls(setting.encoding, model.mask_id)

    def rows(self, present: BoolArray) -> Rows:
        return without_asking(everywhere(list(self._masks), present, self.ids, self.encoding.read_at))

    def shown(self, present: BoolArray) -> Asking[list[Shown]]:
        # However many tokens a word has, it is one to the reader.
        words = shown_as(self.encoding, present, [[""] * len(self.ids)])
        return without_asking([tuple(None if each is None else MASK for each in own) for own in words])

    def stand_ins(self) -> IntArray | None:
        return self._masks
