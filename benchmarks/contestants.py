"""Everybody who estimates the same numbers: this project, `shap`, `shapiq` and `captum`, behind one signature.

A contestant gets a set function, a budget of evaluations and a seed, and returns Shapley values float[n] or
interactions float[n, n]. Libraries get their batched form where they have one, and paired sampling where they offer it.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Protocol

import numpy as np
import shap
import shapiq
import torch
from captum.attr import KernelShap, ShapleyValueSampling

from espalier.explain.plan import BoolArray, FloatArray, GameShape
from espalier.explain.registry import method
from espalier.explain.toy import Toy
from espalier.trees.tree import SpanTree

CAPTUM_BATCH = 64
SHAP_BATCH = 64


class Asked(Protocol):
    """A set function of so many players."""

    size: int

    def __call__(self, coalitions: BoolArray) -> FloatArray: ...


Estimator = Callable[[Asked, int, int], FloatArray]


@dataclass(frozen=True, slots=True)
class Contestant:
    """`method` and `settings` say how this project's own are run as jobs; other libraries have none."""

    name: str
    estimate: Estimator
    method: str | None = None
    settings: tuple[tuple[str, Any], ...] = ()


# This project -------------------------------------------------------------------------------------------------------


def plan_result(function: Asked, name: str, **settings: Any) -> Any:
    """A method of this project on a set function."""
    chosen = method(name)
    shape = GameShape(tuple(f"word {place}" for place in range(function.size)), ("class",), 0)
    return Toy(function).run(chosen.start(shape, chosen.parameters(**settings)))


def _own_shap(algorithm: str) -> Contestant:
    def estimate(function: Asked, budget: int, seed: int) -> FloatArray:
        return np.array(plan_result(function, "shap", algorithm=algorithm, budget=budget, seed=seed).values)

    return Contestant(f"espalier, {algorithm}", estimate, "shap", (("algorithm", algorithm),))


def _own_interactions(function: Asked, budget: int, seed: int) -> FloatArray:
    return np.array(plan_result(function, "asiv", budget=budget, seed=seed).interaction)


# shap ---------------------------------------------------------------------------------------------------------------


def _shap_permutation(function: Asked, budget: int, seed: int) -> FloatArray:
    masker = shap.maskers.Independent(np.zeros((1, function.size)))
    explainer = shap.explainers.Permutation(lambda rows: function(rows > 0.5), masker, seed=seed)
    return explainer(np.ones((1, function.size)), max_evals=budget, silent=True).values[0]


def shap_partition(function: Asked, tree: SpanTree) -> FloatArray:
    """Owen values on a binary tree, all of them: the budget is as large as it takes."""
    masker = shap.maskers.Partition(np.zeros((1, function.size)), clustering=_linkage(tree))
    explainer = shap.explainers.Partition(lambda rows: function(rows > 0.5), masker)
    every = 2**function.size
    return explainer(np.ones((1, function.size)), max_evals=every, batch_size=SHAP_BATCH, silent=True).values[0]


def _linkage(tree: SpanTree) -> FloatArray:
    """A binary tree in SciPy's form: (left, right, distance, size) for each inner node, children before parents."""
    numbers = {leaf: word for word, leaf in enumerate(tree.leaves)}
    rows: list[tuple[float, ...]] = []
    for position in tree.bottom_up():
        node = tree.nodes[position]
        if node.children:
            left, right = (numbers[child] for child in node.children)
            rows.append((left, right, float(tree.depths[position]), node.end - node.start))
            numbers[position] = tree.size + len(rows) - 1
    return np.array(rows)


# shapiq -------------------------------------------------------------------------------------------------------------


def _shapiq(kind: type, order: int, **settings: Any) -> Estimator:
    def estimate(function: Asked, budget: int, seed: int) -> FloatArray:
        approximator = kind(n=function.size, random_state=seed, **settings)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # small budgets are the point of a curve
            found = approximator.approximate(budget=budget, game=function)
        return first_order(found, function.size) if order == 1 else pairs(found, function.size)

    return estimate


def first_order(found: Any, size: int) -> FloatArray:
    return np.array([found[(player,)] for player in range(size)])


def pairs(found: Any, size: int) -> FloatArray:
    matrix = np.zeros((size, size))
    for i, j in combinations(range(size), 2):
        matrix[i, j] = matrix[j, i] = found[(i, j)]
    return matrix


# captum -------------------------------------------------------------------------------------------------------------


def _captum_sampling(function: Asked, budget: int, seed: int) -> FloatArray:
    torch.manual_seed(seed)
    orders = max(1, (budget - 1) // function.size)
    found = ShapleyValueSampling(_tensors(function)).attribute(
        torch.ones(1, function.size),
        baselines=torch.zeros(1, function.size),
        n_samples=orders,
        perturbations_per_eval=CAPTUM_BATCH,
    )
    return found[0].double().numpy()


def _captum_kernel(function: Asked, budget: int, seed: int) -> FloatArray:
    torch.manual_seed(seed)
    found = KernelShap(_tensors(function)).attribute(
        torch.ones(1, function.size),
        baselines=torch.zeros(1, function.size),
        n_samples=budget,
        perturbations_per_eval=CAPTUM_BATCH,
    )
    return found[0].double().numpy()


def _tensors(function: Asked) -> Callable[[torch.Tensor], torch.Tensor]:
    return lambda rows: torch.as_tensor(function(rows.numpy() > 0.5))


# Who takes part -----------------------------------------------------------------------------------------------------

OWN_SHAPLEY = _own_shap("surrogate")

SHAPLEY = (
    OWN_SHAPLEY,
    _own_shap("kernel"),
    _own_shap("permutation"),
    Contestant("shap, Permutation", _shap_permutation),
    Contestant("shapiq, KernelSHAP", _shapiq(shapiq.KernelSHAP, 1, pairing_trick=True)),
    Contestant("shapiq, KernelSHAPIQ", _shapiq(shapiq.KernelSHAPIQ, 1, max_order=2, index="SII", pairing_trick=True)),
    Contestant("shapiq, kADDSHAP", _shapiq(shapiq.approximator.kADDSHAP, 1, max_order=3, pairing_trick=True)),
    Contestant("shapiq, PermutationSamplingSII", _shapiq(shapiq.PermutationSamplingSII, 1, max_order=2, index="SII")),
    Contestant("captum, ShapleyValueSampling", _captum_sampling),
    Contestant("captum, KernelShap", _captum_kernel),
)

BEST_SHAPLEY = tuple(
    each
    for each in SHAPLEY
    if each.name in (OWN_SHAPLEY.name, "shap, Permutation", "shapiq, KernelSHAP", "shapiq, kADDSHAP")
)
"""The best of each library on shorter sentences: on long ones every evaluation is one of the model."""

OWN_INTERACTION = Contestant("espalier, asiv", _own_interactions, "asiv")

INTERACTION = (
    OWN_INTERACTION,
    Contestant("shapiq, KernelSHAPIQ", _shapiq(shapiq.KernelSHAPIQ, 2, max_order=2, index="SII", pairing_trick=True)),
    Contestant(
        "shapiq, PermutationSamplingSII",
        _shapiq(shapiq.PermutationSamplingSII, 2, max_order=2, index="SII", top_order=True),
    ),
)
