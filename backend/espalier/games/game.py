"""One game, many questions: a text, its players, a model and a reference."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import GameShape
from espalier.games.players import Player, PlayerKind, players
from espalier.games.projection import project
from espalier.games.references import Reference, make_reference
from espalier.games.scales import summarise
from espalier.models.protocol import Encoding, HostedModel, TokenRow
from espalier.problems import BadModel, BadParameter
from espalier.text import Passage
from espalier.trees.tree import SpanTree

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Game:
    """Turns coalitions of players into rows for the model, and the model's logits into one summary a coalition."""

    model: HostedModel
    passages: tuple[Passage, ...]
    encoding: Encoding
    players: tuple[Player, ...]
    reference: Reference
    tree: SpanTree | None = None
    key: tuple[object, ...] = field(default=(), compare=False)

    def shape(self, target: int) -> GameShape:
        """What methods see of this game when they explain one class."""
        if not 0 <= target < len(self.model.classes):
            raise BadParameter(f"unknown class: got {target}, possible are 0 to {len(self.model.classes) - 1}")
        return GameShape(tuple(player.text for player in self.players), self.model.classes, target, self.tree)

    @cached_property
    def _tokens_of_players(self) -> BoolArray:
        owned = np.zeros((len(self.players), len(self.encoding.ids)), dtype=bool)
        for row, player in zip(owned, self.players, strict=True):
            row[list(player.tokens)] = True
        return owned

    @cached_property
    def _always_present(self) -> BoolArray:
        return np.asarray(self._tokens_of_players.sum(axis=0) == 0)

    def rows(self, coalitions: BoolArray) -> list[TokenRow]:
        """`draws` rows for each coalition, one coalition after the other."""
        present = (coalitions.astype(np.float32) @ self._tokens_of_players.astype(np.float32)) > 0
        present |= self._always_present
        return self.reference.rows(present)

    def summaries(self, logits: FloatArray) -> FloatArray:
        """float[m * draws, classes] to float[m, 3, classes]. A model that gives anything but numbers is refused."""
        classes = len(self.model.classes)
        if logits.ndim != 2 or logits.shape[1] != classes:
            raise BadModel(
                f"{self.model.name} gave outputs of the wrong shape: got {logits.shape}, possible is (rows, {classes})"
            )
        if not np.isfinite(logits).all():
            raise BadModel(
                f"{self.model.name} gave numbers that are not finite: got NaN or infinity for some words present"
            )
        return summarise(logits.reshape(-1, self.reference.draws, classes))


def make_game(
    model: HostedModel,
    passages: Sequence[Passage],
    *,
    kind: PlayerKind = "words",
    reference: str = "pad",
    tree: SpanTree | None = None,
    spans: Sequence[tuple[int, int]] = (),
    background: Sequence[str] = (),
    seed: int = 0,
) -> Game:
    """The game of a text (or a pair of texts) on a model. `tree` is over words; the game's own is over its players."""
    encoding = model.encode(*passages)
    members = players(kind, passages, encoding, tree, spans)
    stand_in = make_reference(reference, model, encoding, background, seed)
    key = (
        model.revision,
        tuple(passage.source for passage in passages),
        tuple((player.start, player.end, player.tokens) for player in members),
        reference,
        (seed, tuple(background)) if stand_in.background else None,
    )
    projected = project(tree, members) if tree is not None else None
    return Game(model, tuple(passages), encoding, members, stand_in, projected, key)
