"""Error against time: Shapley values and interactions, this project and other libraries on the same games."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from benchmarks import clock, exact
from benchmarks.bench import Bench
from benchmarks.contestants import (
    BEST_SHAPLEY,
    INTERACTION,
    OWN_INTERACTION,
    OWN_SHAPLEY,
    SHAPLEY,
    Contestant,
    plan_result,
)
from benchmarks.sections import Rows, Section, Target, count, percent, seconds, times
from benchmarks.sentences import ENUMERABLE, LONG, SHORT, SMALL_MODEL, of_length
from benchmarks.set_functions import Remembered, SetFunction, Table
from espalier.explain.plan import FloatArray

FASTER_WANTED = 3.0
BUDGETS = (200, 500, 1200)
SEEDS = 6

LONG_BUDGETS = (500, 700, 1000, 2000)
LONG_BUDGETS_OF_OTHERS = (1000, 2000)
LONG_SEEDS = 12
"""With 4, the errors of all contestants were off by up to 15 % of themselves."""
LONG_RUNS = 5
"""Whole runs whose middle time counts."""
TRUTH_BUDGET = 24_000
TRUTH_SEED = 777
"""The long run that stands for the truth where there are too many coalitions: no contestant draws with its seed."""


@dataclass(frozen=True, slots=True)
class Point:
    """One budget of one contestant."""

    budget: int
    evaluations: int
    distinct: int
    error: float
    cost: float
    """Seconds, or evaluations where no time was taken."""


Curve = list[Point]


def shapley(bench: Bench) -> Section:
    """Shapley values: seconds on the transformer, evaluations on the longer game of the CNN."""
    tables, targets = [], []
    words = SHORT if bench.quick else ENUMERABLE
    table = bench.transformer_table(words)
    truth = exact.shapley_values(table)
    curves = {each: _curve(bench, each, table, truth, of_length(words)[0]) for each in SHAPLEY}
    tables.append(_table(f"Transformer, {words} words", curves, OWN_SHAPLEY, "seconds", seconds))
    claim = "SHAP reaches an error in less time than the best of shap and shapiq"
    if bench.quick:
        targets.append(_target(f"{claim}, {words} words", curves, OWN_SHAPLEY))
    else:
        ratios = []
        for number, text in enumerate(of_length(LONG), start=1):
            curves, uncertainty = _long(bench, text)
            title = f"Transformer, {LONG} words, sentence {number}: “{text[:32]}…”"
            title += f" (the truth itself is uncertain by {percent(uncertainty)})"
            tables.append(_table(title, curves, OWN_SHAPLEY, "seconds", seconds))
            ratios.append(_best(curves, OWN_SHAPLEY)[1])
        reached = [ratio for ratio in ratios if ratio is not None]
        mean = float(np.exp(np.mean(np.log(reached)))) if len(reached) == len(ratios) else 0.0
        targets.append(
            Target(
                f"{claim}, {LONG} words, {len(ratios)} sentences, geometric mean",
                f"{FASTER_WANTED:.0f} ×",
                f"{times(mean)} ({', '.join('–' if each is None else times(each) for each in ratios)})",
                mean >= FASTER_WANTED,
            )
        )
        table = bench.word_model_table(SMALL_MODEL)
        truth = exact.shapley_values(table)
        curves = {each: _curve(bench, each, table, truth) for each in SHAPLEY}
        tables.append(_table(f"CNN, {SMALL_MODEL} words", curves, OWN_SHAPLEY, "", seconds))
        targets.append(
            _target(f"SHAP reaches an error with fewer evaluations, {SMALL_MODEL} words (CNN)", curves, OWN_SHAPLEY)
        )
    return Section(
        "Shapley values",
        "All get the same model behind this project's host, which batches, sorts and leaves absent words "
        "out: what differs is what they ask for. Error: root mean square over the words, in percent of the root mean "
        f"square of the exact values (from all 2^n coalitions); root mean square of {SEEDS} seeds. Seconds: one whole "
        "run with that budget. `faster`: the library's time for this error, over the time this project's default takes "
        f"to reach the same error (interpolated; at least its smallest budget). {ENUMERABLE} words is what the "
        f"transformer can enumerate in a minute. For {LONG} words the truth is one long run of this project's "
        f"estimator, which is right on average, with {TRUTH_BUDGET:,} other coalitions; {LONG_SEEDS} seeds are "
        f"taken, and the middle of {LONG_RUNS} times. For the {SMALL_MODEL} words all coalitions were run through the "
        "CNN, and evaluations are compared instead of seconds.",
        tables,
        targets,
    )


def _long(bench: Bench, text: str) -> tuple[dict[Contestant, Curve], float]:
    """A sentence of the length at which times are compared, and the truth's own relative standard error."""
    with SetFunction(bench.transformer, text) as function:
        game = Remembered(function)
        long_run = plan_result(game, "shap", budget=TRUTH_BUDGET, seed=TRUTH_SEED)
        truth, errors = np.array(long_run.values), np.array(long_run.standard_errors)
        curves = {}
        for each in BEST_SHAPLEY:
            budgets = LONG_BUDGETS if each is OWN_SHAPLEY else LONG_BUDGETS_OF_OTHERS
            curves[each] = _curve(bench, each, game, truth, None, budgets, LONG_SEEDS)
        curves = _by_turns(bench, curves, text)
    return curves, float(np.sqrt(np.square(errors).sum() / np.square(truth).sum()))


def interactions(bench: Bench) -> Section:
    """The Shapley interaction index of all pairs."""
    words = SHORT if bench.quick else ENUMERABLE
    table = bench.transformer_table(words)
    truth = exact.interactions(table)
    curves = {each: _curve(bench, each, table, truth, of_length(words)[0]) for each in INTERACTION}
    return Section(
        "Shapley interaction index",
        "As above, for all pairs of words. This project's `asiv` computes the directed graph, its standard errors and "
        "the Shapley values from the same evaluations.",
        [_table(f"Transformer, {words} words", curves, OWN_INTERACTION, "seconds", seconds)],
        [_target("Interactions reach an error in less time than shapiq", curves, OWN_INTERACTION)],
    )


def _curve(
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


def _by_turns(bench: Bench, curves: dict[Contestant, Curve], text: str) -> dict[Contestant, Curve]:
    """The same curves with seconds. The machine's speed changes within minutes, so everybody has a turn in each round,
    and the middle time counts."""
    runs = [(contestant, point) for contestant, curve in curves.items() for point in curve]
    rounds = [[_seconds(bench, each, text, point.budget) for each, point in runs] for _ in range(LONG_RUNS)]
    found: dict[Contestant, Curve] = {contestant: [] for contestant in curves}
    for (contestant, point), taken in zip(runs, np.median(rounds, axis=0).tolist(), strict=True):
        found[contestant].append(replace(point, cost=taken))
    return found


def _seconds(bench: Bench, contestant: Contestant, text: str, budget: int) -> float:
    if contestant.method is not None:
        return bench.job(text, contestant.method, budget=budget, **dict(contestant.settings))[1].seconds
    with SetFunction(bench.transformer, text) as function:
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


def _faster(point: Point, own: Curve) -> float | None:
    reached = cost_to_reach(own, point.error)
    return None if reached is None else point.cost / reached


def _table(
    title: str, curves: dict[Contestant, Curve], own: Contestant, unit: str, shown: Callable[[float], str]
) -> Rows:
    rows = []
    for contestant, curve in curves.items():
        for point in curve:
            ratio = None if contestant is own else _faster(point, curves[own])
            cells = [contestant.name, count(point.evaluations), count(point.distinct), percent(point.error)]
            if unit:
                cells.append(shown(point.cost))
            rows.append((*cells, "" if contestant is own else "–" if ratio is None else times(ratio)))
    return Rows(title, ("", "evaluations", "distinct", "error", *([unit] if unit else []), "faster"), rows)


def _target(claim: str, curves: dict[Contestant, Curve], own: Contestant) -> Target:
    best, ratio = _best(curves, own)
    return Target(
        f"{claim} (error {percent(best.error)})",
        f"{FASTER_WANTED:.0f} ×",
        "not reached" if ratio is None else times(ratio),
        ratio is not None and ratio >= FASTER_WANTED,
    )


def _best(curves: dict[Contestant, Curve], own: Contestant) -> tuple[Point, float | None]:
    """The smallest error that any of the other libraries reaches with the largest budget, and how much faster this
    project is there."""
    others = [curve for each, curve in curves.items() if each.name.startswith(("shap,", "shapiq,"))]
    best = min((curve[-1] for curve in others), key=lambda point: point.error)
    return best, _faster(best, curves[own])
