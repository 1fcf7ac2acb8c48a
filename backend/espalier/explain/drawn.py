"""How far the numbers of an explanation are uncertain because the reference draws: apart from the coalitions' share.

A reference that draws R texts for each coalition gives the mean over them. With other draws the game would be another
one, and so would its values. How much, the draws themselves tell: the method is run again on the game of all draws but
one, for each (a jackknife; with many draws, all but a group). A draw has the same numbers in all coalitions, so what
its coalitions share is kept together. Where a method is linear in the values (SHAP, LS-Tree, leave-one-out, ASIV) and
the scale is the probability this is exactly the standard error of the mean over draws; elsewhere it is first-order
right. An estimate that learns from its values what to expect of others keeps what it has learned (see `plan.Redraw`):
linear again, and hardly any work. A method that goes another way for other values (a split of HEDGE that falls
elsewhere) has none where it did.
"""

from collections.abc import Hashable, Mapping, Sequence
from math import sqrt

from espalier.explain.reading import PairScore, Reading, SpanScore

Errors = tuple[float | None, ...]


def draw_errors(reading: Reading, others: Sequence[Reading]) -> tuple[Errors, Errors]:
    """Of the spans and the pairs of a reading, from what the same method found without some draws."""
    spans = [{_place(span): span.score for span in other.spans} for other in others]
    pairs = [{_two(pair): pair.score for pair in other.pairs} for other in others]
    return (
        tuple(jackknife(spans, _place(span)) for span in reading.spans),
        tuple(jackknife(pairs, _two(pair)) for pair in reading.pairs),
    )


def with_errors(reading: Reading, spans: Errors, pairs: Errors) -> Reading:
    """The reading with them."""
    return reading.model_copy(
        update={
            "spans": tuple(
                span.model_copy(update={"draw_error": error}) for span, error in zip(reading.spans, spans, strict=True)
            ),
            "pairs": tuple(
                pair.model_copy(update={"draw_error": error}) for pair, error in zip(reading.pairs, pairs, strict=True)
            ),
        }
    )


def jackknife(found: Sequence[Mapping[Hashable, float]], place: Hashable) -> float | None:
    """The standard error of a number from what it is without each part; None where it is not there without some."""
    if not all(place in each for each in found):
        return None
    values, count = [each[place] for each in found], len(found)
    mean = sum(values) / count
    return sqrt((count - 1) / count * sum((value - mean) ** 2 for value in values))


def _place(span: SpanScore) -> Hashable:
    return span.start, span.end


def _two(pair: PairScore) -> Hashable:
    return pair.first, pair.second
