"""How well known interactions are fitted (MAHE, Figure 3a)."""

from xml.etree import ElementTree

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.neural_network import MLPRegressor

from espalier.lab.interactions.base_models import learnt
from espalier.lab.interactions.figure import figure_3a
from espalier.lab.interactions.surfaces import surfaces
from espalier.lab.interactions.synthetic import FUNCTIONS, INPUTS, SPREAD, vicinity
from espalier.lab.interactions.synthetic_fit import (
    ball,
    errors_of,
    interaction_of,
    products,
    standardised_error,
    synthetic_fit,
    without_affine,
)

F1, F2, F3, F4 = FUNCTIONS


def test_the_truth_is_what_multiplies_around_the_point() -> None:
    """10 (a + u)(b + v) is 10 u v, and what is affine in u and v."""
    centre, places = np.linspace(-1, 1, INPUTS), ball(500, np.random.default_rng(0))
    by_hand = 10 * places[:, 0] * places[:, 1]
    by_hand = by_hand - LinearRegression().fit(places, by_hand).predict(places)
    assert interaction_of(F1, centre, places) == pytest.approx(by_hand, abs=1e-10)
    assert interaction_of(F2, centre, places) == pytest.approx(by_hand / 10, abs=1e-10)


def test_saying_nothing_has_an_error_of_one_and_the_truth_none() -> None:
    places = ball(500, np.random.default_rng(0))
    truth = interaction_of(F3, np.zeros(INPUTS), places)
    assert standardised_error(places, np.zeros(500), truth) == pytest.approx(1)
    assert standardised_error(places, truth + 3 + places @ np.arange(INPUTS), truth) == pytest.approx(0, abs=1e-12)


def test_places_lie_evenly_in_the_vicinity() -> None:
    found = np.linalg.norm(ball(20_000, np.random.default_rng(1)), axis=1)
    assert found.max() <= SPREAD
    # The share within a radius is its tenth power.
    for radius in (0.85, 0.95):
        assert (found < radius * SPREAD).mean() == pytest.approx(radius**INPUTS, abs=0.015)


@pytest.mark.parametrize("function", [F1, F2, F4], ids=lambda each: each.name)
def test_products_are_exact_where_the_interaction_is_one(function) -> None:
    generator = np.random.default_rng(2)
    centre, inputs, places = generator.uniform(-1, 1, INPUTS), vicinity(300, generator), ball(300, generator)
    own = list(function.interacting)
    said = products(inputs[:, own], places[:, own], inputs, function.value(centre + inputs))
    assert standardised_error(places, said, interaction_of(function, centre, places)) < 1e-12


def test_the_fitted_interaction_is_as_good_as_another_librarys_network() -> None:
    """The same sample, the same units, trained by scikit-learn one network at a time."""
    generator = np.random.default_rng(3)
    centre, inputs, places = generator.uniform(-1, 1, INPUTS), vicinity(1000, generator), ball(1000, generator)
    leftover = without_affine(inputs, F1.value(centre + inputs))
    truth = interaction_of(F1, centre, places)
    own = inputs[:, :2] / SPREAD
    other = MLPRegressor(hidden_layer_sizes=(30, 10), alpha=1e-5, learning_rate_init=5e-3, max_iter=400)
    other.set_params(random_state=0)
    other.fit(own[:800], leftover[:800] / leftover.std())
    expected = standardised_error(places, other.predict(places[:, :2] / SPREAD) * leftover.std(), truth)
    (found,) = surfaces(own[None], leftover[None], places[None, :, :2] / SPREAD, seed=0)
    error = standardised_error(places, found, truth)
    assert expected < 0.2
    assert error < max(2 * expected, 0.1)


def test_a_learnt_function_is_near_the_function_and_the_same_for_a_seed() -> None:
    inputs = np.random.default_rng(4).uniform(-1, 1, (500, INPUTS))
    first, again, other = (learnt("trees", F1, seed)(inputs) for seed in (0, 0, 1))
    assert (first == again).all()
    assert (first != other).any()
    assert np.corrcoef(first, F1.value(inputs))[0, 1] > 0.95


def test_the_function_knows_its_interaction() -> None:
    (found,) = errors_of(F4, F4.value, 1, 300, np.random.default_rng(5))
    assert found.known < 1e-12
    assert found.products < 1e-12
    assert found.mahe < 1


def test_the_figure_has_a_dot_for_every_mean() -> None:
    found = synthetic_fit(points=1, trials=1, draws=200, bases=("function",))
    assert [(each.function, each.base) for each in found.fitted] == [(each.name, "function") for each in FUNCTIONS]
    drawn = ElementTree.fromstring(figure_3a(found))
    dots = [each for each in drawn.iter() if each.get("class") == "point"]
    shown = sorted(float(each.get("data-value") or "nan") for each in dots if each.get("data-way") == "MAHE")
    assert len(dots) == 3 * len(FUNCTIONS)
    assert shown == pytest.approx(sorted(each.errors[0].mahe for each in found.fitted), rel=1e-3)
