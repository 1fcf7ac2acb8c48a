"""Values that cannot leave -1 to 1, such as margins, are forecast on a scale without ends.

Near an end a model that is sure hardly moves, whatever word comes or goes; in the middle the same word moves it far. On
a scale that is drawn out towards its ends words count the same everywhere, and sums over words say more.
"""

import numpy as np

from espalier.explain.plan import FloatArray

END = 1 - 1e-6
"""What a model in single precision can tell from 1."""


def can_be_bent(values: FloatArray) -> bool:
    """Whether all of them lie between the ends."""
    return bool(np.all(np.abs(values) <= 1))


def bend(values: FloatArray) -> FloatArray:
    """To the scale without ends."""
    found: FloatArray = np.arctanh(np.clip(values, -END, END))
    return found


def straighten(bent: FloatArray) -> FloatArray:
    """Back from it."""
    found: FloatArray = np.tanh(bent)
    return found


def slopes(bent: FloatArray) -> FloatArray:
    """How far a value moves for what it moves on the scale without ends."""
    found: FloatArray = 1 - np.square(np.clip(np.tanh(bent), -END, END))
    return found
