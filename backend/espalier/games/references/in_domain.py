"""Absent words as a masked language model of the classifier's own domain fills them in: in-domain expectation."""

from espalier.games.references.filled import Filled


class InDomain(Filled):
    name = "in-domain"
    description = "Absent words are filled in by a masked language model of film reviews, given the words present."
    in_short = "absent words filled in (in-domain)"
    filler = "mlm-movies"
