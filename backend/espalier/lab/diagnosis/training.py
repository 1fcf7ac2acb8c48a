"""Texts that models were trained on: what the test of overfitting holds the others against."""

from collections.abc import Sequence

from espalier.datasets.forms import Row
from espalier.problems import BadParameter


def check_apart(texts: Sequence[Row], training: Sequence[Row]) -> None:
    """A text on both sides would make them alike, whatever the model knows."""
    same = {row.text for row in texts} & {row.text for row in training}
    if same:
        raise BadParameter(
            f"training texts must be others: got {len(same)} that are among the texts, too, such as "
            f"{min(same)[:80]!r}; possible are two files that share none"
        )
