"""Coherence and paired tests, against counts made by hand."""

from math import comb

import pytest

from espalier.studies.statistics.coherence import coherence, comparisons
from espalier.studies.statistics.judgements import Judgement


def votes(judged, method: str, right: int, wrong: int, model: str = "lstm", first: int = 0) -> list[Judgement]:
    """One vote an item: `right` coherent ones, then `wrong` ones."""
    return [
        judged(sentence=first + k, method=method, model=model, answer="positive" if k < right else "negative")
        for k in range(right + wrong)
    ]


def test_n_a_is_not_coherent(judged) -> None:
    rows = [judged(sentence=1), judged(sentence=2, answer="n/a"), judged(sentence=3, answer="negative")]
    (found,) = coherence(rows, ["lstm"], ["hedge"], seed=0)
    assert (found.coherent.count, found.coherent.of, found.no_guess) == (1, 3, 1)


def test_margins_are_given_where_there_are_several(judged) -> None:
    rows = votes(judged, "hedge", 3, 1) + votes(judged, "lime", 2, 2) + votes(judged, "hedge", 1, 3, model="cnn")
    cells = {
        (each.model, each.method): each.coherent.count
        for each in coherence(rows, ["lstm", "cnn"], ["hedge", "lime"], 0)
    }
    assert cells[None, "hedge"] == 4
    assert cells["lstm", None] == 5
    assert cells["cnn", "lime"] == 0


def test_mcnemar_counts_the_items_on_which_two_methods_differ(judged) -> None:
    # Items 0-9: both coherent; 10-17 only hedge; 18-19 only lime.
    rows = []
    for item in range(20):
        rows.append(judged(sentence=item, method="hedge", answer="positive" if item < 18 else "negative"))
        rows.append(judged(sentence=item, method="lime", answer="positive" if item < 10 or item >= 18 else "n/a"))
    (found,) = comparisons(rows, ["lstm"], ["hedge", "lime"], seed=0)
    assert (found.only_first, found.only_second) == (8, 2)
    assert found.mcnemar == pytest.approx(2 * sum(comb(10, k) for k in range(3)) / 2**10)
    assert found.difference == pytest.approx(6 / 20)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.3 < found.high


def test_several_votes_on_an_item_are_one_pair(judged) -> None:
    rows = [judged(person=person, method="hedge") for person in range(9)]
    rows += [judged(person=person, method="lime", answer="negative") for person in range(9)]
    (found,) = comparisons(rows, ["lstm"], ["hedge", "lime"], seed=0)
    assert (found.items, found.only_first, found.only_second) == (1, 1, 0)
    assert found.mcnemar == 1


def test_holm_multiplies_the_smallest_p_by_the_number_of_comparisons(judged) -> None:
    rows = []
    for item in range(30):
        rows.append(judged(sentence=item, method="a"))
        rows.append(judged(sentence=item, method="b", answer="positive" if item < 10 else "negative"))
        rows.append(judged(sentence=item, method="c", answer="positive" if item < 26 else "negative"))
    tests = sorted(comparisons(rows, ["lstm"], ["a", "b", "c"], seed=0), key=lambda each: each.mcnemar)
    smallest, middle, largest = tests
    assert smallest.mcnemar_holm == pytest.approx(3 * smallest.mcnemar)
    assert middle.mcnemar_holm == pytest.approx(max(2 * middle.mcnemar, smallest.mcnemar_holm))
    assert largest.mcnemar_holm == pytest.approx(max(largest.mcnemar, middle.mcnemar_holm))


def test_methods_without_a_common_item_are_not_compared(judged) -> None:
    rows = votes(judged, "hedge", 2, 0) + votes(judged, "lime", 2, 0, first=10)
    (found,) = comparisons(rows, ["lstm"], ["hedge", "lime"], seed=0)
    assert found.items == 0
    assert found.mcnemar is None
