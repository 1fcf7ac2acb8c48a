"""Integrated gradients: what moves the output on the way from a blank text to this one (Sundararajan et al., 2017)."""

from typing import Annotated, Literal

from pydantic import Field

from espalier.explain.additive_scores import AdditiveScores, missing
from espalier.explain.plan import GameShape, Plan, inspect
from espalier.explain.registry import BUYS_PRECISION, Method, Parameters, register


class IntegratedGradientsParameters(Parameters):
    steps: Annotated[
        int,
        Field(
            ge=2,
            le=1000,
            description="Points on the path. More of them bring the error down, and take longer in step.",
            json_schema_extra=BUYS_PRECISION,
        ),
    ] = 50


class IntegratedGradientsResult(AdditiveScores):
    """Values sum to full - base up to the additivity error, which more steps make smaller (completeness; Prop. 1)."""

    method: Literal["integrated-gradients"] = "integrated-gradients"
    base: float = Field(
        description="The model's value where the path begins: the vector of the pad (or mask) token in the place of "
        "every word. A transformer sees those tokens there, so this is not its value of a text with no words."
    )


def integrated_gradients(game: GameShape, parameters: IntegratedGradientsParameters) -> Plan[IntegratedGradientsResult]:
    """The gradient by each word's vector, integrated along the path and multiplied by the way it went (Eq. 1)."""
    path = yield from inspect("gradients", target=game.target, steps=parameters.steps)
    return IntegratedGradientsResult(
        exact=False,
        values=tuple(path.shares.tolist()),
        base=path.base,
        full=path.full,
        additivity_error=missing(path.shares, path.base, path.full),
    )


register(
    Method(
        name="integrated-gradients",
        title="Integrated gradients",
        shows="How much each word's vector moves the output, on the way from a blank text to this one",
        parameters=IntegratedGradientsParameters,
        result=IntegratedGradientsResult,
        plan=integrated_gradients,
        view="tokens",
        scale="log_odds",
        inspects=("gradients",),
    )
)
