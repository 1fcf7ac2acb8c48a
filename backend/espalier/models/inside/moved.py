"""What a model says of a text in which one word stands in another's place: the published ASIV code's "without j"."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from espalier.models.protocol import HostedModel, TokenRow
from espalier.problems import NotSupported

if TYPE_CHECKING:
    from espalier.games.game import Game
    from espalier.games.scales import Scale


def moved(
    model: HostedModel,
    game: "Game",
    scale: "Scale",
    coalitions: NDArray[np.bool_],
    words: Iterable[int],
    places: Iterable[int],
) -> NDArray[np.float64]:
    """Values, float[m, classes], of each coalition with one word more, written at the place of another player.

    A run does not ask this but evaluates `moved_rows` itself, counted and in batches with everybody else's.
    """
    from espalier.games.scales import to_scale  # games import models, not the other way round

    logits = np.asarray(model.outputs(moved_rows(game, coalitions, words, places)), dtype=np.float64)
    return to_scale(game.summaries(logits), scale)


def moved_rows(
    game: "Game", coalitions: NDArray[np.bool_], words: Iterable[int], places: Iterable[int]
) -> list[TokenRow]:
    """The texts themselves. A word of more tokens than the place has positions puts the rest at the last of them."""
    if game.reference.name != "pad":
        raise NotSupported(
            f"a word moves only where places are kept: got reference = {game.reference.name}, possible is pad"
        )
    return [
        _with_word_at(game, row, int(word), int(place))
        for row, word, place in zip(game.rows(coalitions), words, places, strict=True)
    ]


def _with_word_at(game: "Game", row: TokenRow, word: int, place: int) -> TokenRow:
    tokens, spots = game.players[word].tokens, game.players[place].tokens
    if not tokens or not spots:
        return row
    added = np.asarray([game.encoding.ids[token] for token in tokens], dtype=np.int64)
    positions = np.asarray([spots[min(step, len(spots) - 1)] for step in range(len(tokens))], dtype=np.int64)
    at = np.concatenate([row.positions, positions])
    in_order = np.argsort(at, kind="stable")
    return TokenRow(np.concatenate([row.ids, added])[in_order], at[in_order], row.length)
