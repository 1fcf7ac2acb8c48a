"""The game every method plays: which words are there, and what the model says then."""

from espalier.games.game import Game
from espalier.games.players import Player, PlayerKind, players
from espalier.games.pool import Pool
from espalier.games.references import ReferenceName
from espalier.games.scales import SCALES, Scale

__all__ = ["SCALES", "Game", "Player", "PlayerKind", "Pool", "ReferenceName", "Scale", "players"]
