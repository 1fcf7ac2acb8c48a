"""Deep SHAP: DeepLIFT's contributions, averaged over the background (Lundberg & Lee, 2017, section 4.2)."""

from typing import Literal

from espalier.explain.additive_scores import AdditiveScores, ends, missing
from espalier.explain.plan import GameShape, Plan, inspect
from espalier.explain.registry import Method, Parameters, register


class DeepShapParameters(Parameters):
    """Deep SHAP has no settings: what it compares the text with is the game's reference."""


class DeepShapResult(AdditiveScores):
    """An approximation of Shapley values. It draws nothing at random, so it has no standard errors."""

    method: Literal["deep-shap"] = "deep-shap"


def deep_shap(game: GameShape, parameters: DeepShapParameters) -> Plan[DeepShapResult]:
    """Hand the difference between the text and its reference back through the layers, by the rescale rule.

    One baseline, the blank text (pad), is DeepLIFT (Shrikumar et al., 2017); with the marginal reference each of its
    draws is one.
    The contributions sum to full - base, but a word's is its Shapley value only where the layers are linear.
    """
    values = yield from inspect("rescale", target=game.target)
    base, full = yield from ends(game)
    return DeepShapResult(
        exact=False, values=tuple(values.tolist()), base=base, full=full, additivity_error=missing(values, base, full)
    )


register(
    Method(
        name="deep-shap",
        title="Deep SHAP (DeepLIFT)",
        shows="What each word adds to a convolutional network's score, handed back layer by layer in one pass",
        parameters=DeepShapParameters,
        result=DeepShapResult,
        plan=deep_shap,
        view="tokens",
        scale="logit",
        inspects=("rescale",),
    )
)
