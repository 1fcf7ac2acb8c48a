"""How far the methods are from plain transformers on the shipped one, and how much of that is rounding."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import torch

from benchmarks.truth.compared import METHODS, TOLERANCE, Question, expected, explain, explainer_of, largest, numbers
from benchmarks.truth.shipped import precisely, shipped, truth_of


@dataclass(frozen=True, slots=True)
class Apart:
    """How far a method is from plain transformers in the model's own precision. Where that is too far: how far those
    are from themselves in double precision, and how far the method is from them in double precision."""

    own: float
    single: float | None = None
    double: float | None = None

    @property
    def settled(self) -> float:
        """What is left where rounding is taken out."""
        return self.own if self.double is None else self.double

    def __str__(self) -> str:
        return " / ".join(f"{each:.1e}" for each in (self.own, self.single, self.double) if each is not None)


def differences(question: Question) -> dict[str, Apart]:
    truth, explainer = truth_of(question), explainer_of(shipped())
    precise = cache(lambda: truth_of(question, torch.float64))
    apart: dict[str, Apart] = {}
    for name in METHODS:
        found = explain(explainer, question, name, truth.size)
        plainly = numbers(expected(found, question, truth))
        apart[name] = Apart(largest(numbers(found), plainly))
        if apart[name].own > TOLERANCE:
            own = _in_double(question, name, truth.size)
            precisely_so = numbers(expected(own, question, precise()))
            apart[name] = Apart(apart[name].own, largest(plainly, precisely_so), largest(numbers(own), precisely_so))
    explainer.close()
    return apart


def _in_double(question: Question, name: str, size: int) -> Any:
    explainer = explainer_of(precisely())
    try:
        return explain(explainer, question, name, size)
    finally:
        explainer.close()
