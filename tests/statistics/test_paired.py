"""Paired tests, against counts made by hand."""

from math import comb

import pytest

from espalier.statistics.paired import exact_mcnemar, holm, majority


def test_a_majority_is_what_most_votes_are_for() -> None:
    assert majority(["a", "b", "b"]) == "b"
    assert majority([True, False, False]) is False
    assert majority([True, False]) is None


def test_mcnemar_is_the_binomial_test_of_the_items_that_differ() -> None:
    assert exact_mcnemar(8, 2) == pytest.approx(2 * sum(comb(10, k) for k in range(3)) / 2**10)
    assert exact_mcnemar(0, 0) == 1


def test_holm_multiplies_by_how_many_tests_are_left() -> None:
    assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([]) == []
