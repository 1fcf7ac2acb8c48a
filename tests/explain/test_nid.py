"""Neural interaction detection on the synthetic functions of the MAHE paper (Table 2), and on weights made by hand."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from espalier.explain.mahe.nid import Interaction, detect, interaction_strengths, ranked
from espalier.explain.mahe.sample import local_sample
from espalier.explain.plan import FloatArray

FUNCTIONS: dict[str, tuple[Callable[[FloatArray], FloatArray], tuple[int, ...]]] = {
    "F1": (lambda x: 10 * x[:, 0] * x[:, 1] + x[:, 2:].sum(axis=1), (0, 1)),
    "F2": (lambda x: x[:, 0] * x[:, 1] + x[:, 2:].sum(axis=1), (0, 1)),
    "F3": (lambda x: np.exp(np.abs(x[:, 0] + x[:, 1])) + x[:, 2:].sum(axis=1), (0, 1)),
    "F4": (lambda x: 10 * x[:, 0] * x[:, 1] * x[:, 2] + x[:, 3:].sum(axis=1), (0, 1, 2)),
}
FEATURES = 10
SAMPLES = 1000


def without_linear_part(inputs: FloatArray, targets: FloatArray, weights: FloatArray) -> FloatArray:
    design = np.column_stack([np.ones(len(inputs)), inputs])
    roots = np.sqrt(weights)[:, None]
    coefficients = np.linalg.lstsq(design * roots, targets * roots[:, 0], rcond=None)[0]
    return targets - design @ coefficients


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_strongest_interaction_is_the_true_one_when_features_are_present_or_absent(name: str, seed: int) -> None:
    """R-precision 1: there is one true interaction, and it is ranked first. An absent feature is 0."""
    function, truth = FUNCTIONS[name]
    generator = np.random.default_rng([seed, len(name), int(name[1])])
    place = generator.uniform(-1, 1, FEATURES)
    sample = local_sample(FEATURES, SAMPLES, 1.0, seed)
    inputs = sample.coalitions.astype(np.float64)
    left = without_linear_part(inputs, function(inputs * place), sample.weights)
    assert detect(inputs, left, sample.weights, seed, largest=5)[0].players == truth


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_strongest_interaction_is_the_true_one_among_continuous_neighbours(name: str) -> None:
    """The paper's own vicinity: Gaussian around a random place, sigma 0.6."""
    function, truth = FUNCTIONS[name]
    generator = np.random.default_rng(int(name[1]))
    inputs = generator.uniform(-1, 1, FEATURES) + 0.6 * generator.standard_normal((SAMPLES, FEATURES))
    weights = np.ones(SAMPLES)
    left = without_linear_part(inputs, function(inputs), weights)
    assert detect(inputs, left, weights, seed=0, largest=5)[0].players == truth


def test_strengths_are_the_smallest_weight_of_each_prefix_times_the_units_influence() -> None:
    # One network, three inputs, two units; by hand: influences are |1|·|2| + |0|·|5| = 2 and |-3|·|2| + |1|·|5| = 11.
    first = np.array([[[3.0, 0.1], [-2.0, 0.5], [1.0, -0.4]]])
    second = np.array([[[1.0, 0.0], [-3.0, 1.0]]])
    out = np.array([[[2.0], [-5.0]]])
    strengths = interaction_strengths([first, second, out], largest=3)
    assert strengths == pytest.approx({(0, 1): 2 * 2, (1, 2): 0.4 * 11, (0, 1, 2): 1 * 2 + 0.1 * 11})


def test_strengths_stop_at_the_largest_size_asked_for() -> None:
    first = np.ones((1, 6, 4))
    assert max(map(len, interaction_strengths([first, np.ones((1, 4, 1))], largest=3))) == 3


def test_a_set_that_a_stronger_superset_contains_is_left_out() -> None:
    order = ranked({(0, 1): 1.0, (0, 1, 2): 2.0, (0, 2, 3): 3.0, (2, 3): 4.0, (4, 5): 0.0})
    assert order == (Interaction((2, 3), 4.0), Interaction((0, 2, 3), 3.0), Interaction((0, 1, 2), 2.0))


def test_the_same_seed_finds_the_same_strengths_and_leaves_other_random_numbers_alone() -> None:
    generator = np.random.default_rng(0)
    inputs = (generator.random((60, 4)) < 0.5).astype(np.float64)
    targets = inputs[:, 0] * inputs[:, 1]
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    first = detect(inputs, targets, np.ones(60), seed=1, largest=3)
    assert torch.equal(torch.rand(3), expected)
    assert detect(inputs, targets, np.ones(60), seed=1, largest=3) == first
    assert detect(inputs, targets, np.ones(60), seed=2, largest=3) != first


def test_detection_trains_where_gradients_are_switched_off() -> None:
    generator = np.random.default_rng(0)
    inputs = (generator.random((60, 4)) < 0.5).astype(np.float64)
    targets = inputs[:, 1] * inputs[:, 3]
    with torch.inference_mode():
        found = detect(inputs, targets, np.ones(60), seed=0, largest=3)
    assert found[0].players == (1, 3)
