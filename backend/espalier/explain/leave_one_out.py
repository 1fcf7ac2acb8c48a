"""Leave-one-out: what the text loses with each word (Li, Monroe & Jurafsky, 2016)."""

from typing import Literal

import numpy as np

from espalier.explain.plan import GameShape, Plan, ask
from espalier.explain.registry import Method, Parameters, register
from espalier.explain.word_scores import WordScores


class LeaveOneOutParameters(Parameters):
    """Leave-one-out has no settings."""


class LeaveOneOutResult(WordScores):
    """The value of the text minus its value without the word."""

    method: Literal["leave-one-out"] = "leave-one-out"


def leave_one_out(game: GameShape, parameters: LeaveOneOutParameters) -> Plan[LeaveOneOutResult]:
    """v(N) - v(N without i). The only context is the full text: two words that say the same both count as nothing."""
    nobody, everybody = np.zeros((1, game.size), dtype=bool), np.ones((1, game.size), dtype=bool)
    without_one = ~np.eye(game.size, dtype=bool)
    coalitions = np.concatenate([nobody, everybody, without_one])
    values = (yield from ask(coalitions, expected=len(np.unique(coalitions, axis=0))))[:, game.target]
    base, full, remaining = values[0], values[1], values[2:]
    return LeaveOneOutResult(exact=True, values=tuple((full - remaining).tolist()), base=float(base), full=float(full))


register(
    Method(
        name="leave-one-out",
        expects=lambda size, _: size + 2,
        title="Leave-one-out",
        shows="What the prediction loses when one word is taken out and all others stay",
        parameters=LeaveOneOutParameters,
        result=LeaveOneOutResult,
        plan=leave_one_out,
        view="tokens",
    )
)
