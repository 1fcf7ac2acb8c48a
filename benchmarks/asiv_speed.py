"""All pairs of ASIV against independent permutations for every ordered pair."""

from itertools import islice

import numpy as np

from benchmarks import clock, exact
from benchmarks.bench import Bench
from benchmarks.contestants import plan_result
from benchmarks.published import ASIV_PERMUTATIONS, CALLS_OF_A_PERMUTATION, OneByOne, asiv_calls, asiv_from, asiv_pairs
from benchmarks.sections import Rows, Section, Target, count, percent, seconds, times
from benchmarks.sentences import ENUMERABLE, LONG, SHORT, SMALL_MODEL, of_length
from benchmarks.set_functions import SetFunction, Table
from espalier.explain.plan import FloatArray

FEWER_WANTED = 70.0
FASTER_WANTED = 100.0
BUDGETS = (500, 1000, 2000, 4000)
SEEDS = 2
TIMED_PERMUTATIONS = 150


def measure(bench: Bench) -> Section:
    """First the budget that gives the paper's accuracy, where the truth is known; then the time that budget takes."""
    accuracy, targets, budget = [], [], 0
    for name, table in _games(bench):
        rows, enough, fewer = _accuracy(table, bench.quick)
        accuracy.append(Rows(f"Accuracy: {name}", ("", "evaluations", "distinct", "error", "fewer"), rows))
        budget = max(budget, enough or BUDGETS[-1])
        targets.append(
            Target(
                f"ASIV reaches the accuracy of m = {ASIV_PERMUTATIONS} with fewer evaluations ({name})",
                f"{FEWER_WANTED:.0f} ×",
                times(fewer) if enough else f"not within {BUDGETS[-1]:,}",
                enough is not None and fewer >= FEWER_WANTED,
            )
        )
    speed, ratios = _speed(bench, budget)
    targets.append(
        Target(
            f"All pairs of ASIV are faster than call by call, at the same accuracy (budget {budget:,})",
            f"{FASTER_WANTED:.0f} ×",
            times(min(ratios)),
            min(ratios) >= FASTER_WANTED,
        )
    )
    timed = CALLS_OF_A_PERMUTATION * TIMED_PERMUTATIONS
    return Section(
        "ASIV",
        f"The published procedure draws m = {ASIV_PERMUTATIONS} permutations for every ordered pair and makes four "
        f"calls for each, in batches of one: {asiv_calls(LONG):,} calls for {LONG} words, which would take hours. Its "
        f"time is extrapolated from {timed} calls, all of which cost the same. Its error, and this project's, are "
        f"measured on games whose 2^n values were all computed first: {ENUMERABLE} words with the transformer, and "
        f"{SMALL_MODEL} words with the CNN, which the transformer could not enumerate in an hour. Error: root "
        "mean square over all ordered pairs, in percent of the root mean square of the exact values; mean of "
        f"{SEEDS} seeds.",
        [*accuracy, speed],
        targets,
    )


def _games(bench: Bench) -> list[tuple[str, Table]]:
    if bench.quick:
        return [(f"transformer, {SHORT} words", bench.transformer_table(SHORT))]
    return [
        (f"transformer, {ENUMERABLE} words", bench.transformer_table(ENUMERABLE)),
        (f"CNN, {SMALL_MODEL} words", bench.word_model_table(SMALL_MODEL)),
    ]


def _accuracy(table: Table, quick: bool) -> tuple[list[tuple[str, ...]], int | None, float]:
    truth = exact.synergies(table)

    def error(estimate: FloatArray) -> float:
        return exact.relative_error(estimate, truth)

    table.forget()
    theirs = error(asiv_from(table, np.random.default_rng(0)))
    calls = table.evaluations
    rows = [(f"paper, m = {ASIV_PERMUTATIONS}", count(calls), count(table.distinct), percent(theirs), "")]
    enough, fewer = None, 0.0
    for budget in BUDGETS[:2] if quick else BUDGETS:
        errors = []
        for seed in range(SEEDS):
            table.forget()
            errors.append(error(np.array(plan_result(table, "asiv", budget=budget, seed=seed).synergy)))
        ours, evaluations = float(np.mean(errors)), table.evaluations
        if enough is None and ours <= theirs:
            enough, fewer = budget, calls / evaluations
        rows.append(
            (
                f"espalier, budget {budget:,}",
                count(evaluations),
                count(table.distinct),
                percent(ours),
                times(calls / evaluations),
            )
        )
    return rows, enough, fewer


def _speed(bench: Bench, budget: int) -> tuple[Rows, list[float]]:
    rows, ratios = [], []
    for text in of_length(SHORT)[:1] if bench.quick else of_length(LONG)[:2]:
        with SetFunction(bench.transformer, text) as function:
            value = OneByOne(function.game)
            pairs = asiv_pairs(value, function.size, function.target, np.random.default_rng(0))
            list(islice(pairs, 5))
            value.calls = 0
            started = clock.now()
            list(islice(pairs, TIMED_PERMUTATIONS))
            each = (clock.now() - started) / value.calls
        calls = asiv_calls(function.size)
        rows.append((f"paper, “{text[:32]}…”", count(calls), "", f"{seconds(calls * each)} (extrapolated)", ""))
        settings = {"budget": budget} if budget < 2**function.size else {}
        _, cost = bench.job(text, "asiv", **settings)
        ratios.append(calls * each / cost.seconds)
        rows.append(
            (
                f"espalier, budget {budget:,}",
                count(cost.evaluations),
                count(cost.distinct),
                seconds(cost.seconds),
                times(ratios[-1]),
            )
        )
    return Rows("Time on the transformer", ("", "evaluations", "distinct", "seconds", "faster"), rows), ratios
