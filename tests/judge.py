"""Explanations of a small model that can be worked out by hand: words have weights, "not" turns what follows."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from espalier.explain.explanation import Explanation
from espalier.library import explain

WEIGHTS = {"lovely": 1.5, "good": 2.0, "dull": -1.0}
TEXT = "The music is lovely, but the film is not good."
TREE = "(S (S (NP The music) (VP is lovely)) , but (S (NP the film) (VP is (ADJP not good))) .)"

Explain = Callable[..., Explanation[Any]]


def score(text: str) -> float:
    total, sign = 0.0, 1
    for word in text.lower().replace(",", " ").replace(".", " ").split():
        if word == "not":
            sign = -1
        total += sign * WEIGHTS.get(word, 0.0)
    return total


def judge(texts: list[str]) -> np.ndarray:
    positive = 1 / (1 + np.exp(-np.array([score(text) for text in texts])))
    return np.stack([1 - positive, positive], axis=1)


def add_up(texts: list[str]) -> np.ndarray:
    """Without "not": on the log-odds scale every word adds its weight, whatever the others."""
    totals = np.array([sum(WEIGHTS.get(word, 0.0) for word in text.lower().split()) for text in texts])
    return np.stack([1 / (1 + np.exp(totals)), 1 / (1 + np.exp(-totals))], axis=1)


def doubtful(ladder: Explanation[Any]) -> Explanation[Any]:
    """The same ladder as if its third cut had been made before all others were scored in full."""
    result = ladder.result
    unsure = result.levels[3].step.model_copy(update={"certainty": 0.931, "standard_error": 0.01})
    levels = [*result.levels[:3], result.levels[3].model_copy(update={"step": unsure}), *result.levels[4:]]
    changed = result.model_copy(update={"levels": levels, "exact": False, "form": "economical"})
    return ladder.model_copy(update={"result": changed})


@pytest.fixture(scope="session")
def judged() -> Explain:
    """Explain what the judge says, each thing once."""
    made: dict[str, Explanation[Any]] = {}

    def make(method: str, text: str = TEXT, **options: Any) -> Explanation[Any]:
        if method == "ls-tree" and text == TEXT:
            options.setdefault("tree", TREE)
        options.setdefault("target", "positive")
        key = repr((method, text, options))
        if key not in made:
            made[key] = explain(text, judge, method, classes=["negative", "positive"], **options)
        return made[key]

    return make


@pytest.fixture(scope="session")
def added_up() -> Explain:
    """Explain a model without interactions."""

    def make(method: str, text: str = "the lovely film is dull", **options: Any) -> Explanation[Any]:
        options.setdefault("scale", "log_odds")
        return explain(text, add_up, method, classes=["negative", "positive"], target="positive", **options)

    return make


@pytest.fixture(scope="session")
def verdicts() -> Callable[[list[str]], np.ndarray]:
    """What the judge says of texts."""
    return judge
