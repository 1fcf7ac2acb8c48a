"""What a method finds through this project, against what it finds on a table made by plain transformers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.truth.brute_force import FloatArray, Truth
from espalier.engine.explainer import Explainer
from espalier.explain.mahe.levels import LocalData, Recipe, add_interactions, fit_linear
from espalier.explain.mahe.method import MaheParameters, MaheResult, described
from espalier.explain.mahe.nid import Interaction
from espalier.explain.mahe.sample import local_sample, split
from espalier.explain.plan import GameShape
from espalier.explain.registry import methods
from espalier.explain.request import ExplanationRequest
from espalier.explain.toy import Toy
from espalier.models.causal.model import CausalModel
from espalier.text import read
from espalier.trees.tree import SpanTree, from_spans

TOLERANCE = 1e-4
"""In log-odds, whatever the size of a number."""

METHODS = tuple(sorted(name for name, method in methods().items() if not method.inspects))

SMALL: Mapping[str, dict[str, Any]] = {
    "asiv-published": {"orders": 3},
    "lime": {"samples": 60},
    "sampled-shapley": {"orders": 8},
}
"""Settings that ask for less than a user would: what is asked for is answered all the same."""


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt and the next word to explain, alone or rather than another one."""

    text: str
    outcome: str
    against: str | None = None


def explainer_of(model: CausalModel) -> Explainer:
    return Explainer(lambda _: model, lambda passage: halves(len(passage.words)))


def explain(explainer: Explainer, question: Question, name: str, size: int) -> Any:
    """What a method finds, as a user gets it."""
    request = ExplanationRequest(
        text=question.text,
        model="own",
        method=name,
        outcome=question.outcome,
        against=question.against,
        parameters=settings_of(name, size),
    )
    return explainer.explain(request).result


def expected(found: Any, question: Question, truth: Truth) -> Any:
    """What it should have found, from the values of a brute force."""
    method = methods()[found.method]
    parameters: Any = method.parameters(**settings_of(method.name, truth.size))
    if isinstance(found, MaheResult):
        return mahe_levels(truth, parameters, found)
    words = tuple(word.text for word in read(question.text).words)
    shape = GameShape(words, (question.outcome,), 0, halves(truth.size))
    return Toy(truth, truth.moved).run(method.start(shape, parameters))


def settings_of(name: str, size: int) -> dict[str, Any]:
    return {"samples": max(100, 10 * (size + 2))} if name == "mahe" else SMALL.get(name, {})


def largest(one: FloatArray, other: FloatArray) -> float:
    return float(np.abs(one - other).max()) if one.shape == other.shape else float("inf")


def mahe_levels(truth: Truth, parameters: MaheParameters, found: MaheResult) -> MaheResult:
    """All that MAHE finds but the ranking of groups, which is taken over. For it small networks are trained on the
    values and it goes by what they have learned: groups that are nearly tied are ordered by the machine's rounding.
    Everything before it and after it follows from the values."""
    sample = local_sample(truth.size, parameters.samples, parameters.vicinity, parameters.seed)
    data = LocalData(sample, truth(sample.coalitions), split(sample, parameters.seed), parameters.seed)
    linear = fit_linear(data)
    ranking = tuple(Interaction(each.players, each.strength) for each in found.ranking)
    recipe = Recipe(parameters.levels, parameters.terms, parameters.correct_all_words)
    *_, levels = [(), *add_interactions(data, linear, [each.players for each in ranking], recipe)]
    return described(data, linear, levels, ranking, parameters)


def numbers(result: Any) -> FloatArray:
    """All numbers of a result, in their order. A strength is a square, so its root is what is in log-odds."""
    if hasattr(result, "model_dump"):
        result = result.model_dump(mode="json")
    if isinstance(result, dict):
        result = [np.sqrt(each) if name == "strength" else each for name, each in result.items()]
    if isinstance(result, list | tuple):
        return np.concatenate([numbers(each) for each in result] or [np.empty(0)])
    return np.array([float(result)] if isinstance(result, int | float) else [])


def halves(size: int) -> SpanTree:
    """A text parted in two, and its parts again, down to the words."""
    spans: dict[tuple[int, int], tuple[str, ...]] = {}
    waiting = [(0, size)]
    while waiting:
        start, end = waiting.pop()
        spans[start, end] = ("X",)
        if end - start > 1:
            middle = (start + end) // 2
            waiting += [(start, middle), (middle, end)]
    return from_spans(size, spans)
