"""Error against time: Shapley values and interactions, this project and other libraries on the same games."""

from collections.abc import Callable

import numpy as np

from benchmarks import exact
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
from benchmarks.curves import LONG_RUNS, SEEDS, Curve, Point, by_turns, cost_to_reach, curve_of
from benchmarks.sections import Rows, Section, Target, count, percent, seconds, times
from benchmarks.sentences import ENUMERABLE, LONG, SHORT, SMALL_MODEL, of_length
from benchmarks.set_functions import Remembered, SetFunction

FASTER_WANTED = 3.0
LONG_BUDGETS = (500, 700, 1000, 2000)
LONG_BUDGETS_OF_OTHERS = (2000,)
LONG_SEEDS = 8
"""With 4, the errors of contestants were off by up to 13 % of themselves."""
TRUTH_BUDGET = 24_000
TRUTH_SEED = 777
"""The long run that stands for the truth where there are too many coalitions: no contestant draws with its seed."""


def shapley(bench: Bench) -> Section:
    """Shapley values: seconds on the transformer, evaluations on the longer game of the CNN."""
    tables, targets = [], []
    words = SHORT if bench.quick else ENUMERABLE
    table = bench.transformer_table(words)
    truth = exact.shapley_values(table)
    curves = {each: curve_of(bench, each, table, truth, of_length(words)[0]) for each in SHAPLEY}
    tables.append(_table(f"Transformer, {words} words", curves, OWN_SHAPLEY, "seconds", seconds))
    claim = "SHAP reaches an error in less time than the best of shap and shapiq"
    if bench.quick:
        targets.append(_target(f"{claim}, {words} words", curves, OWN_SHAPLEY))
    else:
        behind_host, as_used = [], []
        for number, text in enumerate(of_length(LONG), start=1):
            curves, uncertainty = _long(bench, text)
            title = f"Transformer, {LONG} words, sentence {number}: “{text[:32]}…”"
            title += f" (the truth itself is uncertain by {percent(uncertainty)})"
            tables.append(_table(title, curves, OWN_SHAPLEY, "seconds", seconds))
            best, ratio = _best(curves, OWN_SHAPLEY)
            behind_host.append(ratio)
            as_used.append(_faster(best, curves[OWN_SHAPLEY], best.plain_cost))
        claim += f", {LONG} words, {len(as_used)} sentences, geometric mean"
        targets.append(_mean_target(f"{claim}: as they are used", as_used))
        targets.append(_mean_target(f"{claim}: given this project's host as well", behind_host))
        table = bench.word_model_table(SMALL_MODEL)
        truth = exact.shapley_values(table)
        curves = {each: curve_of(bench, each, table, truth) for each in SHAPLEY}
        tables.append(_table(f"CNN, {SMALL_MODEL} words", curves, OWN_SHAPLEY, "", seconds))
        targets.append(
            _target(f"SHAP reaches an error with fewer evaluations, {SMALL_MODEL} words (CNN)", curves, OWN_SHAPLEY)
        )
    return Section(
        "Shapley values",
        "All get the same model behind this project's host, which batches, sorts and leaves absent words "
        f"out: what differs is what they ask for. For {LONG} words other libraries are also timed as they are used: "
        "whole sentences, absent words masked, in batches of the best size. Error: root mean square over the words, in "
        "percent of the root mean square of the exact values (from all 2^n coalitions); root mean square of "
        f"{SEEDS} seeds. Seconds: one whole run with that budget. `faster`: the library's time for this error, over "
        "the time this project's default takes to reach the same error (interpolated; at least its smallest budget). "
        f"{ENUMERABLE} words is what the transformer can enumerate in a minute. For {LONG} words the truth is one long "
        f"run of this project's estimator, which is right on average, with {TRUTH_BUDGET:,} other coalitions; "
        f"{LONG_SEEDS} seeds are taken, and the middle of {LONG_RUNS} times. For the {SMALL_MODEL} words all "
        "coalitions were run through the CNN, and evaluations are compared instead of seconds.",
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
            curves[each] = curve_of(bench, each, game, truth, None, budgets, LONG_SEEDS)
        curves = by_turns(bench, curves, text)
    return curves, float(np.sqrt(np.square(errors).sum() / np.square(truth).sum()))


def interactions(bench: Bench) -> Section:
    """The Shapley interaction index of all pairs."""
    words = SHORT if bench.quick else ENUMERABLE
    table = bench.transformer_table(words)
    truth = exact.interactions(table)
    curves = {each: curve_of(bench, each, table, truth, of_length(words)[0]) for each in INTERACTION}
    return Section(
        "Shapley interaction index",
        "As above, for all pairs of words. This project's `asiv` computes the directed graph, its standard errors and "
        "the Shapley values from the same evaluations.",
        [_table(f"Transformer, {words} words", curves, OWN_INTERACTION, "seconds", seconds)],
        [_target("Interactions reach an error in less time than shapiq", curves, OWN_INTERACTION)],
    )


def _faster(point: Point, own: Curve, cost: float | None = None) -> float | None:
    reached = cost_to_reach(own, point.error)
    return None if reached is None else (cost or point.cost) / reached


def _mean_target(claim: str, ratios: list[float | None]) -> Target:
    reached = [ratio for ratio in ratios if ratio is not None]
    mean = float(np.exp(np.mean(np.log(reached)))) if len(reached) == len(ratios) else 0.0
    each = ", ".join("–" if ratio is None else times(ratio) for ratio in ratios)
    return Target(claim, f"{FASTER_WANTED:.0f} ×", f"{times(mean)} ({each})", mean >= FASTER_WANTED)


def _table(
    title: str, curves: dict[Contestant, Curve], own: Contestant, unit: str, shown: Callable[[float], str]
) -> Rows:
    rows = []
    used = any(point.plain_cost is not None for curve in curves.values() for point in curve)
    for contestant, curve in curves.items():
        for point in curve:
            ratio = None if contestant is own else _faster(point, curves[own])
            cells = [contestant.name, count(point.evaluations), count(point.distinct), percent(point.error)]
            if unit:
                cells.append(shown(point.cost))
            cells.append("" if contestant is own else _shown_times(ratio))
            if used:
                used_ratio = _faster(point, curves[own], point.plain_cost)
                cells += ["", ""] if point.plain_cost is None else [shown(point.plain_cost), _shown_times(used_ratio)]
            rows.append(tuple(cells))
    heads = ["", "evaluations", "distinct", "error", *([unit] if unit else []), "faster"]
    return Rows(title, (*heads, *(["as used, s", "faster"] if used else [])), rows)


def _shown_times(ratio: float | None) -> str:
    return "–" if ratio is None else times(ratio)


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
