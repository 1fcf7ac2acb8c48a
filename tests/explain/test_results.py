"""What every method gives back: told apart by its name, and the same after a journey as JSON."""

import json
from typing import get_args

import numpy as np
import pytest

from espalier.engine.explainer import Explainer
from espalier.explain.explanation import Explanation
from espalier.explain.plan import GameShape
from espalier.explain.registry import methods
from espalier.explain.request import ExplanationRequest
from espalier.explain.toy import Toy
from espalier.models.catalog import catalog
from espalier.trees.tree import from_spans

NAMES = sorted(methods())
MOVING_WORDS = {"asiv-published"}
"""A toy game has no places to move words to: these need a text."""
BY_OUTPUTS = [name for name in NAMES if not methods()[name].inspects and name not in MOVING_WORDS]
FAMILY = {"linear-shap": "sst2-bow", "deep-shap": "sst2-cnn", "contextual-decomposition": "sst2-lstm"}
NOT_BY_OUTPUTS = {name: FAMILY.get(name, "sst2-lstm") for name in NAMES if name not in BY_OUTPUTS}
TEXT = "The plot is not bad at all"

GAMES = {
    "constant": lambda rows: np.full(len(rows), 0.25),
    "linear": lambda rows: rows.sum(axis=1) / 10,
    "crooked": lambda rows: np.sin(7.0 * rows @ np.arange(1, rows.shape[1] + 1)),
}


@pytest.fixture(scope="module")
def explainer():
    made = Explainer(catalog().load, lambda passage: from_spans(len(passage.words), {(0, 3): ("A",), (3, 7): ("B",)}))
    yield made
    made.close()


def there_and_back(kind, result):
    # Strict JSON has no NaN and no infinity: both would be an error here.
    text = json.dumps(result.model_dump(mode="python"), allow_nan=False, default=str)
    assert "NaN" not in text
    assert kind.model_validate_json(result.model_dump_json()) == result


@pytest.mark.parametrize("name", NAMES)
def test_a_result_carries_the_name_of_its_method(name):
    kind = methods()[name].result
    assert get_args(kind.model_fields["method"].annotation) == (name,)
    assert kind.model_fields["method"].default == name


@pytest.mark.parametrize("players", [1, 2, 3, 7])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", BY_OUTPUTS)
def test_results_and_partials_survive_the_wire_even_of_games_where_nothing_varies(name, game, players):
    chosen = methods()[name]
    players = max(players, chosen.minimum_players)
    tree = from_spans(players, {(0, end): ("X",) for end in range(2, players + 1)})
    toy = Toy(GAMES[game])
    plan = chosen.start(GameShape(tuple("abcdefg"[:players]), ("class",), 0, tree), chosen.parameters())
    result = toy.run(plan)
    for each in [*toy.partials, result]:
        there_and_back(chosen.result, each)


@pytest.mark.parametrize("name", NOT_BY_OUTPUTS)
def test_results_of_methods_that_look_inside_or_move_words_survive_the_wire(name, explainer):
    seen = []

    class Notes:
        def progress(self, evaluated, expected): ...

        def partial(self, make):
            seen.append(make())

    request = ExplanationRequest(text=TEXT, model=NOT_BY_OUTPUTS[name], method=name)
    explanation = explainer.explain(request, Notes())
    kind = methods()[name].result
    for each in [*seen, explanation.result]:
        there_and_back(kind, each)
    assert Explanation[kind].model_validate_json(explanation.model_dump_json()) == explanation
