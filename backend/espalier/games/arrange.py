"""A text in which one word stands in another's place: the published ASIV code's "without j"."""

import numpy as np
from numpy.typing import NDArray

from espalier.games.game import Game
from espalier.games.references import Rows
from espalier.models.protocol import TokenRow

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]


def arranged(game: Game, coalitions: BoolArray, words: IntArray, places: IntArray) -> Rows:
    """Rows of each coalition with one word more, written at the place of another player.

    A word of more tokens than the place has positions puts the rest at the last of them.
    """
    game.reference.need(lambda each: each.keeps_places and each.hides, "a word moves only where places are kept")
    rows = yield from game.fill(coalitions)
    return [
        _with_word_at(game, row, int(word), int(place)) for row, word, place in zip(rows, words, places, strict=True)
    ]


def _with_word_at(game: Game, row: TokenRow, word: int, place: int) -> TokenRow:
    tokens, spots = game.players[word].tokens, game.players[place].tokens
    if not tokens or not spots:
        return row
    added = np.asarray([game.encoding.ids[token] for token in tokens], dtype=np.int64)
    positions = np.asarray([spots[min(step, len(spots) - 1)] for step in range(len(tokens))], dtype=np.int64)
    at = np.concatenate([row.positions, positions])
    in_order = np.argsort(at, kind="stable")
    return TokenRow(np.concatenate([row.ids, added])[in_order], at[in_order], row.length, row.read_at)
