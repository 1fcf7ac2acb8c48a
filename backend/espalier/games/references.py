"""What stands in for an absent word."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from espalier.models.protocol import Encoding, HostedModel, TokenRow
from espalier.problems import BadParameter, NotSupported, UnknownName
from espalier.text import read

ReferenceName = Literal["pad", "mask", "delete", "marginal"]

REFERENCES: dict[ReferenceName, str] = {
    "pad": "Absent words cannot be seen; the others keep their positions.",
    "mask": "Absent words become the model's mask token, which is seen.",
    "delete": "Absent words are cut out and the text closes up.",
    "marginal": "Absent words become the words at the same place in other sentences, averaged.",
}

MARGINAL_DRAWS = 8


@dataclass(frozen=True)
class Reference:
    """Turns present tokens into rows for the model. `draws` rows are made for each coalition and averaged."""

    name: ReferenceName
    encoding: Encoding
    mask_id: int = 0
    background: tuple[NDArray[np.int64], ...] = ()

    @property
    def draws(self) -> int:
        return max(1, len(self.background))

    @cached_property
    def _ids(self) -> NDArray[np.int64]:
        return np.asarray(self.encoding.ids, dtype=np.int64)

    def rows(self, present: NDArray[np.bool_]) -> list[TokenRow]:
        """`draws` rows for each coalition, bool[m, tokens]: the tokens that stay, special tokens among them."""
        length = len(self._ids)
        if self.name in ("pad", "delete"):
            owners, positions = np.nonzero(present)
            ids, edges = self._ids[positions], np.searchsorted(owners, np.arange(1, len(present)))
            pieces = zip(np.split(ids, edges), np.split(positions, edges), strict=True)
            if self.name == "pad":
                return [TokenRow(kept, places, length) for kept, places in pieces]
            return [TokenRow(kept, np.arange(len(kept)), len(kept)) for kept, _ in pieces]
        everywhere = np.arange(length)
        draws = self.background if self.name == "marginal" else (np.full(length, self.mask_id),)
        return [TokenRow(np.where(tokens, self._ids, draw), everywhere, length) for tokens in present for draw in draws]


def make_reference(
    name: str,
    model: HostedModel,
    encoding: Encoding,
    background: Sequence[str] = (),
    seed: int = 0,
    draws: int = MARGINAL_DRAWS,
) -> Reference:
    """A reference by name. The draws of a sampled one are fixed here, once for the game, so that the game stays a
    function of the coalition and results repeat."""
    if name == "pad":
        return Reference("pad", encoding)
    if name == "delete":
        return Reference("delete", encoding)
    if name == "mask":
        if model.mask_id is None:
            raise NotSupported(f"{model.name} has no mask token: possible references are pad, delete, marginal")
        return Reference("mask", encoding, mask_id=model.mask_id)
    if name == "marginal":
        return Reference("marginal", encoding, background=_draws(model, encoding, background, seed, draws))
    raise UnknownName("reference", name, REFERENCES)


def _draws(
    model: HostedModel, encoding: Encoding, background: Sequence[str], seed: int, draws: int
) -> tuple[NDArray[np.int64], ...]:
    if not background:
        raise BadParameter("reference = marginal needs background sentences: got none")
    order = np.random.default_rng(seed).permutation(len(background))[:draws]
    own = np.asarray(encoding.ids, dtype=np.int64)
    places = [token for token, owner in enumerate(encoding.owners) if owner is not None]
    found: list[NDArray[np.int64]] = []
    for index in order:
        other = model.encode(read(background[index]))
        words = [token for token, owner in zip(other.ids, other.owners, strict=True) if owner is not None]
        draw = own.copy()
        # A background sentence shorter than the text begins again: every place must be filled by some word.
        draw[places] = [words[place % len(words)] for place in range(len(places))]
        found.append(draw)
    return tuple(found)
