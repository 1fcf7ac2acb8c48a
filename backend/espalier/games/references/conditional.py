"""Absent words as a general masked language model fills them in: conditional expectation, observational values."""

from espalier.games.references.filled import Filled


class Conditional(Filled):
    name = "conditional"
    description = "Absent words are filled in by a masked language model, given the words present."
    in_short = "absent words filled in (conditional)"
    filler = "mlm-general"
