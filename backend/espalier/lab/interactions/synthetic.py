"""Is the right interaction found first? The paper's functions of ten inputs, of which one group interacts (Table 2).

Around a point, inputs are drawn from a Gaussian that is cut off at one standard deviation; what a linear fit leaves
over goes to the detector that MAHE uses on texts. R-precision is the share of points where the interaction ranked first
is the true one (Figure 3b).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from pydantic import BaseModel, Field

from espalier.explain.local_fit import least_squares
from espalier.explain.mahe.nid import detect
from espalier.explain.plan import FloatArray
from espalier.statistics.documents import Share
from espalier.statistics.shares import share

INPUTS = 10
SPREAD = 0.6
"""The paper's standard deviation, with its vicinity ending there."""

LARGEST = 5


@dataclass(frozen=True, slots=True)
class Function:
    """A function of float[m, 10] and the inputs that interact in it."""

    name: str
    formula: str
    value: Callable[[FloatArray], FloatArray]
    interacting: tuple[int, ...]


FUNCTIONS = (
    Function("F1", "10 x1 x2 + x3 + … + x10", lambda x: 10 * x[:, 0] * x[:, 1] + x[:, 2:].sum(axis=1), (0, 1)),
    Function("F2", "x1 x2 + x3 + … + x10", lambda x: x[:, 0] * x[:, 1] + x[:, 2:].sum(axis=1), (0, 1)),
    Function(
        "F3", "exp|x1 + x2| + x3 + … + x10", lambda x: np.exp(np.abs(x[:, 0] + x[:, 1])) + x[:, 2:].sum(axis=1), (0, 1)
    ),
    Function(
        "F4",
        "10 x1 x2 x3 + x4 + … + x10",
        lambda x: 10 * x[:, 0] * x[:, 1] * x[:, 2] + x[:, 3:].sum(axis=1),
        (0, 1, 2),
    ),
)


class Detected(BaseModel):
    """One function: how often its interaction was ranked first."""

    name: str
    formula: str
    precision: Share = Field(description="Points whose first interaction is the true one (R-precision).")
    inside: Share = Field(description="Points whose first interaction is the true one or a part of it.")
    hits: list[bool]


def synthetic(
    points: int = 20,
    samples: int = 1000,
    seed: int = 0,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> list[Detected]:
    """All four functions at random points of [-1, 1]^10."""
    found: list[Detected] = []
    done = 0
    for number, function in enumerate(FUNCTIONS):
        generator = np.random.default_rng([seed, number])
        firsts: list[tuple[int, ...]] = []
        for centre in generator.uniform(-1, 1, (points, INPUTS)):
            firsts.append(first_interaction(function, centre, samples, generator))
            advance(done := done + 1, points * len(FUNCTIONS))
        hits = [each == function.interacting for each in firsts]
        inside = sum(bool(each) and set(each) <= set(function.interacting) for each in firsts)
        found.append(
            Detected(
                name=function.name,
                formula=function.formula,
                precision=share(sum(hits), points),
                inside=share(inside, points),
                hits=hits,
            )
        )
    return found


def first_interaction(
    function: Function, centre: FloatArray, samples: int, generator: np.random.Generator
) -> tuple[int, ...]:
    """The inputs that are ranked first around a point; none where nothing is left over."""
    inputs = centre + vicinity(samples, generator)
    values = function.value(inputs)
    even = np.ones(samples)
    design = np.column_stack([even, inputs])
    leftover = values - design @ least_squares(design, values, even)
    ranking = detect((inputs - centre) / SPREAD, leftover, even, int(generator.integers(2**32)), LARGEST, 1)
    return ranking[0].players if ranking else ()


def vicinity(samples: int, generator: np.random.Generator) -> FloatArray:
    """Draws around 0 of a Gaussian that ends at one standard deviation: a direction, and a length by its distribution.
    (To draw from the whole Gaussian and throw away would keep one in six thousand.)"""
    from scipy.stats import chi2  # which no server needs when it starts

    directions = generator.normal(size=(samples, INPUTS))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    lengths = np.sqrt(chi2.ppf(generator.uniform(size=samples) * chi2.cdf(1, INPUTS), INPUTS))
    found: FloatArray = SPREAD * directions * lengths[:, None]
    return found
