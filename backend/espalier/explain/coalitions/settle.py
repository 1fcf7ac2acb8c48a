"""Asking for a draw of coalitions in growing stages, so that the picture settles while the model is still at work."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

from espalier.explain.coalitions.draw import Draw, check_budget, draw, minimum_budget
from espalier.explain.plan import BoolArray, FloatArray, GameShape, Later, Plan, ask

Result = TypeVar("Result")

EXACT_PLAYERS = 12
"""Up to here all coalitions are evaluated when no budget is given."""

USUAL_BUDGET = 2000
"""Coalitions evaluated beyond that when no budget is given."""

WORTH_WAITING = 512
"""Fewer coalitions than this come at once: nobody sees a stage of a split second."""

FIRST_STAGE = 128
STAGE_GROWTH = 2.5
"""The first partial result rests on some hundred coalitions, each further one on two and a half times as many: early
enough to help, few enough to cost little."""


def stages(whole: int, first: int = FIRST_STAGE) -> list[int]:
    """How much to have done at each partial result, and at the end: `whole`. The last stage is never a small one."""
    found = []
    reached = float(first)
    while reached * (1 + STAGE_GROWTH) / 2 <= whole:
        found.append(round(reached))
        reached *= STAGE_GROWTH
    return [*found, whole]


def spend(size: int, budget: int | None) -> int:
    """How many coalitions to evaluate: all of them where that is affordable. A budget too small is refused."""
    everything = 1 << size
    if budget is None:
        return everything if size <= EXACT_PLAYERS else max(USUAL_BUDGET, minimum_budget(size))
    check_budget(size, budget)
    return min(budget, everything)


def settle(
    game: GameShape,
    size: int,
    budget: int,
    seed: int,
    summarise: Callable[[Draw, FloatArray], Result],
    spread_out: Callable[[BoolArray], BoolArray] = lambda coalitions: coalitions,
) -> Plan[Result]:
    """Evaluate the draw of a budget stage by stage; summarise what is known after each.

    `summarise` gets the part of the draw that is known and its values of the explained class, float[side, pair].
    `spread_out` turns coalitions of the draw's players into coalitions of the game's, where these differ.
    """
    whole = draw(size, budget, seed)
    values = np.zeros((2, len(whole.strata)))
    known = np.zeros(len(whole.strata), dtype=bool)
    for stage in _stages(size, budget):
        part, reached = whole.within(stage)
        new = reached & ~known
        coalitions = np.concatenate([whole.members[new], ~whole.members[new]])
        answers = yield from ask(spread_out(coalitions), 2 * len(known))
        values[:, new] = answers[:, game.target].reshape(2, -1)
        known = reached
        if stage < budget:
            yield Later(partial(summarise, part, values[:, known]))
    return summarise(whole, values)


def _stages(size: int, budget: int) -> list[int]:
    return [budget] if budget < WORTH_WAITING else stages(budget, max(FIRST_STAGE, minimum_budget(size)))
