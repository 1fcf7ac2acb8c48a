"""Linear SHAP: the Shapley values of a bag of words, from its weights (Lundberg & Lee, 2017, Corollary 1)."""

from typing import Literal

from espalier.explain.additive_scores import AdditiveScores, ends, missing
from espalier.explain.plan import GameShape, Plan, inspect
from espalier.explain.registry import Method, Parameters, register


class LinearShapParameters(Parameters):
    """Linear SHAP has no settings."""


class LinearShapResult(AdditiveScores):
    """The weight of each word minus that of what stands in for it: its Shapley value, exactly."""

    method: Literal["linear-shap"] = "linear-shap"


def linear_shap(game: GameShape, parameters: LinearShapParameters) -> Plan[LinearShapResult]:
    """A word of a linear model adds the same to every coalition: its weight, minus the weight of its stand-in.

    That is nothing for words left out (pad, delete), the mask's weight, or the mean weight of the background's words.
    """
    weights = yield from inspect("weights")
    base, full = yield from ends(game)
    values = (weights.present - weights.absent)[:, game.target]
    return LinearShapResult(
        exact=True, values=tuple(values.tolist()), base=base, full=full, additivity_error=missing(values, base, full)
    )


register(
    Method(
        name="linear-shap",
        title="Linear SHAP",
        shows="What each word adds in a bag of words, whatever the others: its Shapley value, read off the weights",
        parameters=LinearShapParameters,
        result=LinearShapResult,
        plan=linear_shap,
        view="tokens",
        scale="logit",
        inspects=("weights",),
    )
)
