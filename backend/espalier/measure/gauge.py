"""The gauge that stands beside every operator: how surprised a language model is by the texts that it makes.

What a model says of texts unlike any it was trained on is not worth much, and an operator that makes such texts gives
numbers that are not worth much either. The gauge says how unlike they are, in bits a word beyond those of the whole
text. It says something of operators, and nothing of methods: nobody is better by it.
"""

from collections.abc import Iterable

from espalier.games.references import reference
from espalier.measure.registry import Measure, measure

GAUGED_PERCENT = 20
"""Of the words are removed, as in the papers' tables."""

GAUGED_ORDERS = 5
"""Of the random orders: enough for a gauge."""

NO_TEXT = "leaves no text: absent words are hidden where they stand, and what only the model sees cannot be read"


def operators_of(measures: Iterable[Measure]) -> tuple[str, ...]:
    """Each once, in the order in which they are named first."""
    return tuple(dict.fromkeys(each.operator for each in measures if each.operator is not None))


def gauges_of(operators: Iterable[str]) -> tuple[Measure, ...]:
    """The gauge of each operator that leaves a text."""
    return tuple(measure(f"surprise-{operator}") for operator in operators if leaves_text(operator))


def leaves_text(operator: str) -> bool:
    return reference(operator).leaves_text


def texts_read(operators: Iterable[str], lines: int) -> int:
    """Texts that the language model reads at most for one text: the whole one, and of each operator those without the
    top words of `lines` rankings and of a few random orders, as often as the operator draws."""
    drawn = sum(reference(operator).usual_draws for operator in operators if leaves_text(operator))
    return 1 + (lines + GAUGED_ORDERS) * drawn if drawn else 0
