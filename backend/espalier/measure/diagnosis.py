"""One text on one model, diagnosed: the unit in which models are diagnosed over a dataset."""

from espalier.diagnostics.adversatives import WORDS
from espalier.diagnostics.rows import Spread, TextRow
from espalier.fields import Name
from espalier.measure.interactions import LevelErrors
from espalier.measure.request import Record, Unit
from espalier.scale import Scale


class Term(Record):
    """Words that are asked what they do together, and their places in the text."""

    words: tuple[str, ...]
    places: tuple[int, ...]


class FoundTerm(Term):
    """What they do: see `interactions.LocalTerm`."""

    contribution: float
    standard_error: float
    sign: int
    clear: bool


class DiagnoseRequest(Record):
    """Everything that decides the row of one text on one model.

    `ls_tree`: LS-Tree's scores on `scale`; `linear` is a bag of words to compare with. `spread`: how far they lie
    apart, and how well `label` is predicted, where there is one. `fit`: the errors of MAHE's levels; `terms`: given
    words. These two share a local sample of at least `draws`, which the seed decides.
    """

    text: str
    model: Name
    ls_tree: bool = True
    linear: Name | None = None
    scale: Scale = "log_probability"
    contrast: tuple[str, ...] = WORDS
    spread: bool = False
    label: str | None = None
    fit: bool = False
    terms: tuple[Term, ...] = ()
    draws: int = 1000
    seed: int = 0


class Diagnosed(Record):
    """What one text says of the model; or the problem, where it says nothing. `unfitted` says why there is no local
    fit where one was asked for, such as of a text that is too short. The target is the predicted class."""

    target: str = ""
    probability: float = 0.0
    ls_tree: TextRow | None = None
    spread: Spread | None = None
    fit: LevelErrors | None = None
    terms: tuple[FoundTerm, ...] = ()
    unfitted: str | None = None
    problem: str | None = None


class DiagnosedUnit(Unit):
    rows: tuple[Diagnosed, ...]
