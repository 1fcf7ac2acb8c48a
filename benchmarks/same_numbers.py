"""Owen values on a tree against shap's Partition explainer, and exact indices against shapiq's ExactComputer."""

import numpy as np
import shapiq

from benchmarks import clock, exact
from benchmarks.bench import Bench
from benchmarks.contestants import first_order, pairs, shap_partition
from benchmarks.counted import Cost
from benchmarks.sections import Rows, Section, Target, count, seconds, times
from benchmarks.sentences import LONG, SHORT, halved, of_length
from benchmarks.set_functions import SetFunction, Table

AGREEMENT = 1e-9
"""A row's outputs are the same bits in every batch: only sums in double precision are left to differ."""


def measure(bench: Bench) -> Section:
    """Two libraries, the same numbers: who needs how long, and do they agree."""
    owen, owen_apart = _owen(bench)
    enumerated, enumerated_apart = _enumerated(bench)
    apart = max(owen_apart, enumerated_apart)
    return Section(
        "The same exact numbers",
        "Owen values on a tree that halves every phrase, and Shapley values and interactions from all coalitions. "
        "`apart` is the largest difference between the two answers.",
        [owen, enumerated],
        [
            Target(
                "Exact answers agree with shap and shapiq",
                f"below {AGREEMENT:g}",
                f"{apart:.1e}",
                apart < AGREEMENT,
            )
        ],
    )


def _owen(bench: Bench) -> tuple[Rows, float]:
    text = of_length(SHORT if bench.quick else LONG)[0]
    shap_partition(Table(np.arange(16.0)), halved(4))  # the first call compiles
    with SetFunction(bench.transformer, text) as function:
        bench.transformer.forget()
        started = clock.now()
        theirs = shap_partition(function, halved(function.size))
        spent = clock.now() - started
        cost = Cost(bench.transformer.rows, len(bench.transformer.distinct_rows), spent)
    explanation, own = bench.job(text, "shap", algorithm="partition")
    apart = float(np.abs(np.array(explanation.result.values) - theirs).max())
    return _rows(f"Owen values, {function.size} words", "shap, Partition", cost, own, apart), apart


def _enumerated(bench: Bench) -> tuple[Rows, float]:
    text = of_length(SHORT)[0]
    with SetFunction(bench.transformer, text) as function:
        bench.transformer.forget()
        started = clock.now()
        computer = shapiq.ExactComputer(function, function.size)
        values = first_order(computer("SV", 1), function.size)
        interactions = pairs(computer("SII", 2), function.size)
        spent = clock.now() - started
        cost = Cost(bench.transformer.rows, len(bench.transformer.distinct_rows), spent)
    explanation, own = bench.job(text, "asiv")
    result = explanation.result
    table = bench.transformer_table(SHORT)
    apart = max(
        np.abs(np.array(result.values) - values).max(),
        np.abs(np.array(result.interaction) - interactions).max(),
        np.abs(np.array(result.synergy) - exact.synergies(table)).max(),
    )
    title = f"Shapley values and interaction index, {function.size} words"
    return _rows(title, "shapiq, ExactComputer", cost, own, float(apart)), float(apart)


def _rows(title: str, name: str, theirs: Cost, own: Cost, apart: float) -> Rows:
    return Rows(
        title,
        ("", "evaluations", "distinct", "seconds", "faster", "apart"),
        [
            (name, count(theirs.evaluations), count(theirs.distinct), seconds(theirs.seconds), "", ""),
            (
                "espalier",
                count(own.evaluations),
                count(own.distinct),
                seconds(own.seconds),
                times(theirs.seconds / own.seconds),
                f"{apart:.1e}",
            ),
        ],
    )
