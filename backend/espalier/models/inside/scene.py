"""What a question about the inside may know of the game that asks it. Games know models, not the other way round."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from espalier.models.protocol import Encoding, IntArray


class PlayerTokens(Protocol):
    """A player, as far as its tokens go."""

    @property
    def tokens(self) -> tuple[int, ...]: ...


class StandIn(Protocol):
    """What stands in for an absent word, as far as a fixed token does."""

    def stand_ins(self) -> IntArray | None:
        """Token ids, int[draws, tokens]; None where nothing stands in the place of an absent word."""

    def need(self, holds: Callable[[Any], bool], why: str) -> None:
        """Refuse a reference of another kind: `why` says what is needed."""


class Scene(Protocol):
    """A text with its players and its reference."""

    @property
    def encoding(self) -> Encoding: ...
    @property
    def players(self) -> Sequence[PlayerTokens]: ...
    @property
    def reference(self) -> StandIn: ...


def owned(scene: Scene) -> list[int]:
    """The tokens that belong to some player: those that can be absent."""
    return [token for player in scene.players for token in player.tokens]
