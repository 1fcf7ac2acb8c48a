"""What half precision may cost, in the numbers that are shown: values on a scale instead of a model's scores."""

from collections.abc import Sequence

from espalier.explain.explanation import RoundingRecord
from espalier.games.scales import Scale, value_error
from espalier.models.precision import Rounding


def on_scale(known: Rounding | None, scale: Scale, pieces: Sequence[Sequence[str]] | None) -> RoundingRecord | None:
    """`pieces` are the tokens of each word of a language model: their logarithms are added up, and so are the errors
    of these."""
    if known is None:
        return None
    tokens = max(map(len, pieces or ()), default=1)
    error, usual = (value_error(tokens * each, scale) for each in (known.error, known.usual))
    return RoundingRecord(precision=known.precision, error=error, usual=usual, rows=known.rows)
