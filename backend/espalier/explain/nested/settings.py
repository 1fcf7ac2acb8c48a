"""How much work a level of a long text is worth when nobody says: seconds on two cores, whatever its length."""

from typing import Any

from espalier.explain.registry import Method, Parameters

WORDS_TO_READ = 40_000
"""What SHAP and the graph may read of a text at a level, in words: half of them are there in an average coalition. At
the seven thousand tokens a second that the shipped transformer reads on two cores, some three seconds."""

LEAST, MOST = 100, 1024
"""Coalitions, however long or short the text is: ten for each of ten sentences at least, and no more than there are."""

SMALLEST_SAMPLE = 100
SAMPLES_FOR_EACH_PART = 10
WIDE = 8
"""Parts from which on a ladder looks at one neighbour on each side: two ask for three times as many coalitions."""


def usual_settings(method: Method, given: dict[str, Any], parts: int, words: int) -> dict[str, Any]:
    """What was asked for, with what was left open filled in for so many parts of a text of so many words."""
    known = method.parameters.model_fields
    usual: dict[str, Any] = {}
    if "budget" in known:
        usual["budget"] = min(MOST, max(LEAST, WORDS_TO_READ // words))
    if "samples" in known:
        usual["samples"] = max(SMALLEST_SAMPLE, SAMPLES_FOR_EACH_PART * (parts + 2), min(MOST, WORDS_TO_READ // words))
    if "window" in known and parts > WIDE:
        usual["window"] = 1
    return usual | given


def level_parameters(method: Method, given: dict[str, Any], seed: int, parts: int, words: int) -> Parameters:
    chosen = usual_settings(method, given, parts, words)
    if "seed" in method.parameters.model_fields:
        chosen.setdefault("seed", seed)
    return method.parameters(**chosen)
