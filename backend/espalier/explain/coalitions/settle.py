"""Asking for a draw of coalitions in growing stages, so that the picture settles while the model is still at work."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from espalier.explain.coalitions.design import design
from espalier.explain.coalitions.draw import Draw, check_budget, draw, minimum_budget
from espalier.explain.plan import BoolArray, FloatArray, GameShape, Later, Plan, Redraw, ask

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

STEP_GROWTH = 1.4
"""The same where any of them may be the last, since it is good enough."""


@dataclass(frozen=True, slots=True)
class Settled(Generic[Result]):
    """What a draw's values say. `again` finds the same from other values of that draw, float[side, pair]."""

    result: Result
    again: Callable[[FloatArray], Result]


def stages(whole: int, first: int = FIRST_STAGE, growth: float = STAGE_GROWTH) -> list[int]:
    """How much to have done at each partial result, and at the end: `whole`. The last stage is never a small one."""
    found = []
    reached = float(first)
    while reached * (1 + growth) / 2 <= whole:
        found.append(round(reached))
        reached *= growth
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
    summarise: Callable[[Draw, FloatArray, bool], Settled[Result]],
    spread_out: Callable[[BoolArray], BoolArray] = lambda coalitions: coalitions,
    at_random: bool = False,
    may_stop: bool = False,
) -> Plan[Result]:
    """Evaluate the draw of a budget stage by stage; summarise what is known after each.

    `summarise` gets the part of the draw that is known, its values of the explained class, float[side, pair], and
    whether a rough answer will do, since it is soon replaced; where somebody `may_stop` at any of them, it will not.
    `spread_out` turns coalitions of the draw's players into coalitions of the game's, where these differ. All are drawn
    `at_random` for a method that has no other model of what was not drawn.
    """
    everything = budget >= 1 << size and not may_stop
    chosen = None if at_random or everything else design(size, seed)
    whole = draw(size, budget, seed, chosen)
    values = np.zeros((2, whole.pairs))
    known = 0
    for stage in _stages(size, budget, may_stop):
        part = whole.within(stage)
        new = part.members[known:]
        answers = yield from ask(spread_out(np.concatenate([new, ~new])), 2 * whole.pairs)
        values[:, known : part.pairs] = answers[:, game.target].reshape(2, -1)
        known = part.pairs
        if stage < budget:
            yield Later(_making(summarise, part, values[:, :known].copy(), not may_stop))
    settled = summarise(whole, values, False)

    def find(values_of: Callable[[BoolArray], FloatArray]) -> Result:
        answers = values_of(spread_out(np.concatenate([whole.members, ~whole.members])))
        return settled.again(answers[:, game.target].reshape(2, -1))

    yield Redraw(find)
    return settled.result


def _making(
    summarise: Callable[[Draw, FloatArray, bool], Settled[Result]], part: Draw, values: FloatArray, roughly: bool
) -> Callable[[], Result]:
    return lambda: summarise(part, values, roughly).result


def _stages(size: int, budget: int, may_stop: bool) -> list[int]:
    first = max(FIRST_STAGE, minimum_budget(size))
    if may_stop:
        return stages(budget, first, STEP_GROWTH)
    return [budget] if budget < WORTH_WAITING else stages(budget, first)
