"""A text with its words in another order: what HEDGE's cohesion asks for."""

import numpy as np
from numpy.typing import NDArray

from espalier.games.game import Game
from espalier.games.references import Rows
from espalier.models.protocol import TokenRow
from espalier.problems import NotSupported

IntArray = NDArray[np.int64]


def reordered(game: Game, orders: IntArray) -> Rows:
    """Rows of the whole text, its players in the order given: special tokens keep their places, nothing is absent.

    As many rows as the reference has draws, since that many are averaged; they are evaluated once.
    """
    if game.encoding.read_at is not None:
        raise NotSupported(f"{game.model.name} reads one place of the text: got words in another order")
    yield from ()
    ids = np.asarray(game.encoding.ids, dtype=np.int64)
    places = np.sort(np.concatenate([np.asarray(player.tokens, dtype=np.int64) for player in game.players]))
    rows: list[TokenRow] = []
    for order in orders:
        moved = ids.copy()
        moved[places] = np.concatenate([ids[list(game.players[player].tokens)] for player in order])
        rows.extend([TokenRow(moved, np.arange(len(ids)), len(ids))] * game.reference.draws)
    return rows
