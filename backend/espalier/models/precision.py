"""Half precision: what a model computes in, what that may be off by, and how it is told apart from single precision.

Single precision is what a model is asked in unless somebody wants it otherwise, on a GPU too: its numbers are those of
every other machine up to the last bits, and results are found again by them. Half precision is about twice as fast on
a GPU, takes half the memory, and is off by what `Rounding` says.
"""

from dataclasses import dataclass
from typing import Literal

from espalier.models.protocol import HostedModel
from espalier.models.revision import combine

Precision = Literal["float32", "bfloat16", "float16"]

Wanted = Literal["float32", "half", "bfloat16", "float16"]
"""`half` is the better of the two that a device can do; a processor, which gains nothing, stays with float32."""


@dataclass(frozen=True, slots=True)
class Rounding:
    """How far the scores of a model in half precision are from those in single precision."""

    precision: Precision
    error: float
    """The bound that is stated for every score: see `rounding`, which measures it."""
    usual: float
    """By how much the scores of a row are off in the middle of those that were tried."""
    rows: int
    """That were tried in both."""


def rounding_of(model: HostedModel) -> Rounding | None:
    """What is known of a model's precision; None in single precision, and of models that are somebody else's."""
    found: Rounding | None = getattr(model, "rounding", None)
    return found


def marked(revision: str, precision: Precision) -> str:
    """What identifies a model's numbers. Single precision has the revision of the model's files alone."""
    return revision if precision == "float32" else combine([revision, precision])


def known_mark(revision: str | None, wanted: Wanted) -> str | None:
    """The same before the model was loaded; None where only its device decides."""
    if revision is None or wanted == "half":
        return None
    return marked(revision, wanted)
