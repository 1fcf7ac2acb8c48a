"""LS-Tree on one text, with a linear model's weights beside it: what diagnostics of models are computed from."""

from collections.abc import Callable, Sequence
from math import log
from typing import Any

from espalier.diagnostics.scored import ScoredText
from espalier.explain.explanation import Explanation
from espalier.explain.ls_tree import LSTreeResult
from espalier.explain.request import ExplanationRequest
from espalier.scale import Scale

Explain = Callable[[ExplanationRequest], Explanation[Any]]

LEAST = 1e-12
"""A probability that is less than this is this in a loss."""


def ls_tree_request(text: str, model: str, scale: Scale) -> ExplanationRequest:
    """As in the paper, sentences of one text do not interact."""
    return ExplanationRequest(text=text, model=model, method="ls-tree", scale=scale, parameters={"common_root": False})


def linear_request(text: str, linear: str, target: str | None = None) -> ExplanationRequest:
    """Of a linear model, the class's weight of a word is what linear SHAP says of it."""
    return ExplanationRequest(text=text, model=linear, method="linear-shap", target=target)


def scored(
    explain: Explain, text: str, model: str, linear: str | None, scale: Scale, label: str | None = None
) -> tuple[ScoredText, Explanation[LSTreeResult]]:
    """The text's scores, and the explanation that they are from."""
    found: Explanation[LSTreeResult] = explain(ls_tree_request(text, model, scale))
    weights: tuple[float, ...] | None = None
    if linear is not None:
        weights = tuple(explain(linear_request(text, linear, found.target_class)).result.values)
    known = _class_of(label, found.classes)
    return ScoredText(
        words=tuple(player.text for player in found.players),
        nodes=tuple(found.result.nodes),
        word_values=tuple(found.result.word_values),
        weights=weights,
        loss=None if known is None else -log(max(found.probabilities[known], LEAST)),
        right=None if known is None else found.probabilities[known] == max(found.probabilities),
    ), found


def _class_of(label: str | None, classes: Sequence[str]) -> int | None:
    """A label is a class's name, or its number as data sets have it."""
    if label in classes:
        return list(classes).index(label or "")
    return int(label) if label is not None and label.isdecimal() and int(label) < len(classes) else None
