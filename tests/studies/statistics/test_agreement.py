"""Agreement, against the formulas written out."""

from collections import Counter
from itertools import permutations

import pytest

from espalier.studies.statistics.agreement import agreement


def krippendorff_by_hand(units: list[list[str]]) -> float:
    """1 - observed / expected disagreement, from the coincidences of all ordered pairs within a unit."""
    pairs: Counter[tuple[str, str]] = Counter()
    for ratings in units:
        for one, two in permutations(ratings, 2):
            pairs[one, two] += 1 / (len(ratings) - 1)
    totals: Counter[str] = Counter()
    for (one, _), weight in pairs.items():
        totals[one] += weight
    n = sum(totals.values())
    observed = sum(weight for (one, two), weight in pairs.items() if one != two) / n
    expected = sum(totals[a] * totals[b] for a in totals for b in totals if a != b) / (n * (n - 1))
    return 1 - observed / expected


UNITS = [["positive", "positive", "n/a"], ["negative", "negative"], ["positive", "negative", "negative", "negative"]]


def rows(judged, units: list[list[str]]):
    return [
        judged(sentence=unit, person=person, answer=answer)
        for unit, answers in enumerate(units)
        for person, answer in enumerate(answers)
    ]


def test_alpha_is_krippendorff_s_on_a_sparse_matrix(judged) -> None:
    assert agreement(rows(judged, UNITS)).alpha == pytest.approx(krippendorff_by_hand(UNITS))


def test_perfect_agreement_is_one(judged) -> None:
    found = agreement(rows(judged, [["positive"] * 3, ["negative"] * 3]))
    assert found.alpha == pytest.approx(1)
    assert found.fleiss == pytest.approx(1)


def test_fleiss_needs_equally_many_ratings_everywhere(judged) -> None:
    assert agreement(rows(judged, UNITS)).fleiss is None


def test_fleiss_kappa_is_the_formula_s(judged) -> None:
    units = [["positive", "positive", "negative"], ["negative"] * 3, ["positive", "n/a", "negative"]]
    by_unit = [Counter(unit) for unit in units]
    observed = sum(sum(c * (c - 1) for c in unit.values()) / 6 for unit in by_unit) / 3
    shares = Counter(answer for unit in units for answer in unit)
    chance = sum((count / 9) ** 2 for count in shares.values())
    assert agreement(rows(judged, units)).fleiss == pytest.approx((observed - chance) / (1 - chance))


def test_agreement_on_preferences_is_about_methods_not_letters(judged) -> None:
    """Everybody prefers the same method, though it stood first for one and second for the other."""
    found = agreement(
        [
            judged(sentence=item, person=person, answer="AB"[person], method=chosen, other="x", position=person + 1)
            for item, chosen in enumerate(["mahe", "lime"])
            for person in (0, 1)
        ]
    )
    assert found.alpha == pytest.approx(1)


def test_one_rating_a_unit_says_nothing_about_agreement(judged) -> None:
    assert agreement(rows(judged, [["positive"], ["negative"]])).alpha is None
    assert agreement([]).alpha is None
