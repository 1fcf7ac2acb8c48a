"""MAHE's claims (Tsang et al., 2019): interactions fit, are free of their context, and can be turned round."""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from benchmarks.verdicts.claims import MODELS, Claim, Side, Test
from benchmarks.verdicts.evidence import Evidence, Outcome
from benchmarks.verdicts.interactions import Edited
from espalier.lab.interactions.asking import Asking
from espalier.lab.interactions.context_free import ContextFree
from espalier.lab.interactions.editing import Recipe
from espalier.lab.matrix import Column
from espalier.statistics.documents import MeanInterval

PAIR = ("not", "good")
EDITED = ("not", "funny")
"""The settings of an edit were chosen on (not, good): what they are worth is seen on words that had no say in it."""

TEXT = "This is not a funny film."
"""What is edited: written for this, and in no corpus."""

PAIRS = 120
MOST = {"LSTM": 40, "CNN": 40, "BERT": 20}
"""Random pairs of words, and texts for each pair: pairs are the unit, since texts of one pair are alike."""

FEWEST_PAIRS = 60

DRAWS = {"LSTM": 2000, "CNN": 2000, "BERT": 1000}
TERM_DRAWS = 500
"""A term needs fewer draws than a search for interactions."""

RECIPES = {"LSTM": Recipe(), "CNN": Recipe(), "BERT": Recipe(strength=3.5, keep=300, steps=80)}
POINTS = 20
ALLOWED = 0.02
"""Accuracy that an edit may cost: the paper says 1.5 points on average."""

FUNCTIONS = "functions"
"""In the place of a model: F1 to F4."""

WORDS, ONE, LAST = "words-alone", "one-interaction", "last-level"
ERROR, SAME, TURNED, ACCURACY, PRECISION = "squared-error", "same-sign", "opposite-sign", "accuracy", "r-precision"
FOUND, AGAINST = "found", "against"
"""What was found, and what it is held against."""

TABLE_3: dict[str, dict[str, float]] = {"LSTM": {WORDS: 0.101, ONE: 0.056, LAST: 0.024}}
TABLE_8 = {"LSTM": 0.967}
"""(not, good), negative, in the paper's LSTM."""


def _fits(kind: str, says: str, first: str, second: str) -> Claim:
    published = TABLE_3.get(kind, {})
    sides = (Side(each, MODELS[kind], published.get(each)) for each in (first, second))
    return Claim("MAHE, Table 3", f"{says} ({kind})", ERROR, *sides, None, "lower")


def _found(
    paper: Literal["MAHE, Figure 3", "MAHE, section 5.3"],
    says: str,
    measure: str,
    model: str,
    test: Test,
    published: float | None = None,
) -> Claim:
    sides = Side(FOUND, model, published), Side(AGAINST, model, None)
    return Claim(paper, says, measure, *sides, None, "higher", test)


FIT_CLAIMS = (
    *(_fits(kind, "one interaction fits better than words alone", ONE, WORDS) for kind in MODELS),
    *(_fits(kind, "all levels fit better than one interaction", LAST, ONE) for kind in MODELS),
)
SIGN_CLAIMS = tuple(
    _found(
        "MAHE, section 5.3",
        f"(not, good) has one sign in more texts than random pairs of words have ({kind})",
        SAME,
        model,
        "own",
        TABLE_8.get(kind),
    )
    for kind, model in MODELS.items()
)
EDIT_CLAIMS = (
    *(
        _found(
            "MAHE, section 5.3",
            f"edited in one text, (not, funny) has the opposite sign in most others ({kind})",
            TURNED,
            model,
            "half",
        )
        for kind, model in MODELS.items()
    ),
    *(
        _found(
            "MAHE, section 5.3",
            f"such an edit costs less than 2 points of accuracy ({kind})",
            ACCURACY,
            model,
            "constant",
        )
        for kind, model in MODELS.items()
    ),
)
FUNCTION_CLAIMS = (
    _found(
        "MAHE, Figure 3",
        "the true interaction of F1 to F4 is ranked first more often than not",
        PRECISION,
        FUNCTIONS,
        "half",
    ),
)


def of_levels(model: str, errors: Sequence[tuple[float, float, float] | None]) -> Evidence:
    rows = np.array([(math.nan,) * 3 if each is None else each for each in errors], dtype=np.float64).reshape(-1, 3)
    columns = {(model, name): Column(0, 0, {ERROR: rows[:, at]}) for at, name in enumerate((WORDS, ONE, LAST))}
    none = sum(each is None for each in errors)
    return Evidence(columns, notes=[f"Table 3 ({model}): no interaction was found in {none} of {len(errors)} texts."])


def of_signs(model: str, found: ContextFree) -> Evidence:
    """Pairs of words are the unit: the rank among random ones, twice the smaller tail. From fewer than sixty of them
    nothing is decided."""
    shares = [share.share for _, share in found.random_pairs if share.share is not None]
    same, by_chance = found.same, found.random
    if same.share is None or same.low is None or same.high is None or by_chance.mean is None or found.rank is None:
        return Evidence()
    below = (1 + sum(each <= same.share for each in shares)) / (1 + len(shares))
    enough = len(shares) >= FEWEST_PAIRS
    ends = by_chance.mean if by_chance.low is None else by_chance.low, by_chance.high or by_chance.mean
    # Newcombe's: the ends of two intervals, squared and added.
    low = math.hypot(same.share - same.low, ends[1] - by_chance.mean)
    high = math.hypot(same.high - same.share, by_chance.mean - ends[0])
    mean = same.share - by_chance.mean
    difference = MeanInterval(mean=mean, low=mean - low, high=mean + high, n=len(shares))
    p = min(1.0, 2 * min(found.rank, below)) if enough else 1.0
    outcome = Outcome(same.share, by_chance.mean, difference, p, 2 / (1 + len(shares)))
    level = sum(each >= same.share for each in shares)
    few = "" if enough else f" Fewer than {FEWEST_PAIRS}: nothing is decided."
    note = (
        f"Signs ({model}): (not, good) has one sign in {same.count} of {same.of} texts; {level} of {len(shares)} "
        f"random pairs agree at least as often.{few}"
    )
    return Evidence(outcomes={(model, SAME): outcome}, notes=[note])


def of_edit(model: str, found: Edited) -> Evidence:
    if found.problem is not None:
        return Evidence(notes=[f"Edit ({model}): not made. {found.problem[0].upper()}{found.problem[1:]}."])
    turned, after, before = (np.array(each, dtype=np.float64) for each in (found.opposite, found.after, found.before))
    columns = {
        (model, FOUND): Column(0, 0, {TURNED: turned, ACCURACY: after}),
        (model, AGAINST): Column(0, 0, {TURNED: np.full(len(turned), 0.5), ACCURACY: before - ALLOWED}),
    }
    return Evidence(columns)


def of_functions(hits: Sequence[bool]) -> Evidence:
    found = np.array(hits, dtype=np.float64)
    columns = {
        (FUNCTIONS, FOUND): Column(0, 0, {PRECISION: found}),
        (FUNCTIONS, AGAINST): Column(0, 0, {PRECISION: np.full(len(found), 0.5)}),
    }
    return Evidence(columns)


def asking(kind: str, draws: int) -> Asking:
    return Asking(model=MODELS[kind], draws=draws)
