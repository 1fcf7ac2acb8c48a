"""What a method sees of a game."""

from dataclasses import dataclass

from espalier.trees.tree import SpanTree


@dataclass(frozen=True, slots=True)
class GameShape:
    """What a method may know of the game: who plays, which class is explained, and the tree over the players.

    `target` is the explained class; values come for all classes, in the scale the user chose, so that a method never
    has to know what a probability is.
    """

    players: tuple[str, ...]
    classes: tuple[str, ...]
    target: int
    tree: SpanTree | None = None
    fills_in: bool = False
    """Whether absent words are filled in by a language model, given the present ones."""

    @property
    def size(self) -> int:
        return len(self.players)
