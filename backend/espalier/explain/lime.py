"""LIME: a weighted linear fit around the text (Ribeiro, Singh & Guestrin, 2016).

The `lime` package's text explainer calls the model itself, one fixed sample at a time, and has its own idea of an
absent word; a plan only asks for values of coalitions. So the sample, the kernel and the ridge of that package are
kept (number of absent words uniform, exponential kernel of width 25 on 100 times the cosine distance, ridge of 1 by
default), and scikit-learn does the fit, as it does there. All words stay in the fit: the package's default picks ten.
Given the same sample, coefficients, intercept and R² are those of lime 0.2.0.1 to the last digits.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from espalier.explain.local_fit import r_squared, sampling_covariance
from espalier.explain.mahe.sample import distinct_rows, random_absences
from espalier.explain.plan import BoolArray, FloatArray, GameShape, Plan, ask
from espalier.explain.registry import BUYS_PRECISION, Method, Parameters, register
from espalier.explain.word_scores import WordScores
from espalier.problems import BadParameter


class LimeParameters(Parameters):
    """Settings of LIME."""

    samples: Annotated[
        int,
        Field(
            ge=10,
            le=100_000,
            description="Texts with absent words to draw; repeated ones cost nothing.",
            json_schema_extra=BUYS_PRECISION,
        ),
    ] = 1000
    kernel_width: Annotated[
        float,
        Field(gt=0, le=1000, description="How far from the text a sample still counts, on 100 x cosine distance."),
    ] = 25.0
    ridge: Annotated[float, Field(ge=0, le=1000, description="Penalty on the squared coefficients.")] = 1.0
    seed: Annotated[int, Field(ge=0, description="Fixes the sample.")] = 0


class LimeResult(WordScores):
    """Coefficients of the linear fit; `r2` says how much of the neighbourhood a linear fit explains."""

    method: Literal["lime"] = "lime"
    intercept: float
    r2: float
    samples: int
    distinct: int


def lime(game: GameShape, parameters: LimeParameters) -> Plan[LimeResult]:
    """Weighted ridge regression of the model's values on the presence of each word."""
    fewest = 2 * (game.size + 1)
    if parameters.samples < fewest:
        raise BadParameter(
            f"too few samples for {game.size} players: got {parameters.samples}, possible are {fewest} or more"
        )
    return _plan(game, parameters)


def _plan(game: GameShape, parameters: LimeParameters) -> Plan[LimeResult]:
    drawn = random_absences(1, game.size, parameters.samples, game.size, parameters.seed)
    coalitions, counts = distinct_rows(drawn)
    kernel = nearness(coalitions, parameters.kernel_width)
    nobody = np.zeros((1, game.size), dtype=bool)
    asked = np.concatenate([nobody, coalitions])
    values = (yield from ask(asked, expected=len(np.unique(asked, axis=0))))[:, game.target]
    base, targets = values[0], values[1:]
    design = coalitions.astype(np.float64)
    from sklearn.linear_model import Ridge  # seconds to import: the catalog lists methods without them

    fit = Ridge(alpha=parameters.ridge, solver="svd").fit(design, targets, sample_weight=counts * kernel)
    residuals = targets - fit.predict(design)
    covariance = sampling_covariance(
        np.column_stack([np.ones(len(design)), design]),
        residuals,
        counts,
        kernel,
        penalty=np.append(0.0, np.full(game.size, parameters.ridge)),
    )
    return LimeResult(
        exact=False,
        values=tuple(fit.coef_.tolist()),
        standard_errors=tuple(np.sqrt(np.diag(covariance)[1:]).tolist()),
        base=float(base),
        full=float(targets[0]),
        intercept=float(fit.intercept_),
        r2=r_squared(targets, residuals, counts * kernel),
        samples=parameters.samples,
        distinct=len(coalitions),
    )


def nearness(coalitions: BoolArray, width: float) -> FloatArray:
    """The package's kernel: sqrt(exp(-d²/width²)), d = 100 times the cosine distance to the full text."""
    distances = 100 * (1 - np.sqrt(coalitions.mean(axis=1)))
    return np.asarray(np.exp(-((distances / width) ** 2) / 2), dtype=np.float64)


register(
    Method(
        name="lime",
        title="LIME",
        shows="How much each word speaks for the class in the linear model that fits best around the text",
        parameters=LimeParameters,
        result=LimeResult,
        plan=lime,
        view="tokens",
    )
)
