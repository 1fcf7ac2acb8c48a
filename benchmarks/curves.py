"""Error against cost: how an estimator's error falls with what it is given."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from benchmarks import clock, exact
from benchmarks.bench import Bench
from benchmarks.contestants import Asked, Contestant
from benchmarks.set_functions import PlainFunction, Remembered, SetFunction, Table
from espalier.explain.plan import FloatArray

BUDGETS = (200, 500, 1200)
SEEDS = 6

LONG_RUNS = 3
"""Whole runs whose middle time counts."""


@dataclass(frozen=True, slots=True)
class Point:
    """One budget of one contestant."""

    budget: int
    evaluations: int
    distinct: int
    error: float
    cost: float
    """Seconds, or evaluations where no time was taken."""
    plain_cost: float | None = None
    """Seconds with the network as it comes instead of this project's host: how the other libraries are used."""


Curve = list[Point]


def curve_of(
    bench: Bench,
    contestant: Contestant,
    table: Table | Remembered,
    truth: FloatArray,
    timed: str | None = None,
    budgets: tuple[int, ...] = BUDGETS,
    seeds: int = SEEDS,
) -> Curve:
    """Errors from the stored game over many seeds; time, where it is wanted, from one run with the model."""
    curve = []
    for budget in budgets[:2] if bench.quick else budgets:
        squares = []
        for seed in range(2 if bench.quick else seeds):
            table.forget()
            squares.append(exact.relative_error(contestant.estimate(table, budget, seed), truth) ** 2)
        # This project's pool evaluates a coalition once, however often it is asked for.
        evaluations = table.evaluations if contestant.method is None else table.distinct
        cost = float(evaluations)
        if timed is not None:
            cost = _seconds(bench, contestant, timed, budget)
        curve.append(Point(budget, evaluations, table.distinct, float(np.sqrt(np.mean(squares))), cost))
    return curve


def by_turns(bench: Bench, curves: dict[Contestant, Curve], text: str) -> dict[Contestant, Curve]:
    """The same curves with seconds. The machine's speed changes within minutes, so everybody has a turn in each round,
    and the middle time counts."""
    runs = [(contestant, point) for contestant, curve in curves.items() for point in curve]
    plain = PlainFunction(bench.transformer, text)
    behind_host, as_used = [], []
    for _ in range(LONG_RUNS):
        behind_host.append([_seconds(bench, each, text, point.budget) for each, point in runs])
        as_used.append([0.0 if each.method else _estimate_seconds(each, plain, point.budget) for each, point in runs])
    taken = np.median([behind_host, as_used], axis=1).T.tolist()
    found: dict[Contestant, Curve] = {contestant: [] for contestant in curves}
    for (contestant, point), (cost, plain_cost) in zip(runs, taken, strict=True):
        found[contestant].append(replace(point, cost=cost, plain_cost=plain_cost or None))
    return found


def _seconds(bench: Bench, contestant: Contestant, text: str, budget: int) -> float:
    if contestant.method is not None:
        return bench.job(text, contestant.method, budget=budget, **dict(contestant.settings))[1].seconds
    with SetFunction(bench.transformer, text) as function:
        return _estimate_seconds(contestant, function, budget)


def _estimate_seconds(contestant: Contestant, function: Asked, budget: int) -> float:
    started = clock.now()
    contestant.estimate(function, budget, 0)
    return clock.now() - started


def cost_to_reach(curve: Curve, error: float) -> float | None:
    """Interpolated between budgets on logarithmic scales; the first budget's cost where that is good enough already."""
    if curve[0].error <= error:
        return curve[0].cost
    for before, after in pairwise(curve):
        if after.error <= error:
            share = np.log(before.error / error) / np.log(before.error / after.error)
            return float(np.exp(np.log(before.cost) + share * np.log(after.cost / before.cost)))
    return None
