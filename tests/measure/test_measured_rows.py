"""Rows as a run has them, against plain loops: other operators, a transformer, HEDGE's ranking, a second seed."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import kendalltau
from tests.measure.test_measures import driven, probability, text_without

import espalier
from espalier.engine.host import ModelHost
from espalier.engine.measuring import Measuring
from espalier.games.game import make_game
from espalier.library import shared_explainer
from espalier.measure.chance import generator
from espalier.measure.curves import PERCENTS
from espalier.measure.phrases import OTHERS, phrase_deletion
from espalier.measure.request import Condition, Measured, MeasureRequest
from espalier.models.catalog import catalog
from espalier.models.protocol import HostedModel, TokenRow
from espalier.text import read

SHORT = "It is not good , but fun ."
LONG = (
    "A film that nobody asked for , made by people who did not care , with a cast that seems to be asleep , and yet it "
    "has one scene near its end for which I would watch it again ."
)


def row_of(model: str, text: str, method: str, *measures: str, **parameters: int) -> Measured:
    """Of one method, without baselines' search."""
    request = MeasureRequest(
        text=text,
        model=model,
        conditions=(Condition(method=method, parameters=parameters),),
        measures=measures,
        best_order=False,
    )
    return Measuring(shared_explainer(), request).run().rows[0]


def masked(model: HostedModel, text: str, removed: Sequence[int]) -> TokenRow:
    encoding = model.encode(read(text))
    tokens = zip(encoding.ids, encoding.owners, strict=True)
    ids = [model.mask_id if owner in removed else token for token, owner in tokens]
    return TokenRow(np.array(ids, dtype=np.int64), np.arange(len(ids)), len(ids))


def left(model: HostedModel, text: str, removed: Sequence[int], operator: str, target: int) -> float:
    if operator == "mask":
        return probability(model, masked(model, text, removed), target)
    return probability(model, text_without(model, text, removed, operator), target)


@pytest.mark.parametrize("model", ["sst2-cnn", "sst2-minilm"])
def test_a_row_is_that_of_plain_loops_under_every_operator_of_one_text(model: str) -> None:
    hosted = shared_explainer().host(model).model
    operators = ("delete", "pad", "mask")
    names = [f"{kind}-{operator}" for operator in operators for kind in ("aopc", "log-odds", "sufficiency")]
    row = row_of(model, SHORT, "leave-one-out", *names)
    target, size = hosted.classes.index(row.target), len(row.ranking)
    full = probability(hosted, text_without(hosted, SHORT, [], "pad"), target)
    assert row.probability == pytest.approx(full, abs=1e-6)
    for operator in operators:
        for index, percent in enumerate(PERCENTS):
            top = max(1, math.floor(percent * size / 100 + 0.5))
            without = left(hosted, SHORT, row.ranking[:top], operator, target)
            alone = left(hosted, SHORT, row.ranking[top:], operator, target)
            assert row.curves[f"aopc-{operator}"][index] == pytest.approx(full - without, abs=1e-5)
            assert row.curves[f"log-odds-{operator}"][index] == pytest.approx(math.log(without / full), abs=1e-4)
            assert row.curves[f"sufficiency-{operator}"][index] == pytest.approx(full - alone, abs=1e-5)


def test_words_that_are_filled_in_are_measured_by_the_texts_that_they_make() -> None:
    """The texts as the page shows them, each read by the model anew; of several draws the mean probability counts."""
    model = "sst2-cnn"
    hosted = shared_explainer().host(model).model
    row = row_of(model, SHORT, "leave-one-out", "aopc-conditional", "log-odds-conditional")
    target, size = hosted.classes.index(row.target), len(row.ranking)
    top = sorted(row.ranking[: max(1, math.floor(0.2 * size + 0.5))])
    texts = [each["text"] for each in espalier.stand_ins(SHORT, top, model, reference="conditional", seed=0)["texts"]]
    assert len(texts) > 1
    without = np.mean([probability(hosted, hosted.encode(read(text)).row(), target) for text in texts])
    assert row.values["log-odds-conditional"] == pytest.approx(math.log(without / row.probability), abs=1e-4)
    assert row.values["aopc-conditional"] == pytest.approx(row.probability - without, abs=1e-5)


@pytest.mark.parametrize("model", ["sst2-cnn", "sst2-minilm"])
def test_hedge_ranks_words_by_what_each_says_alone(model: str) -> None:
    """Eq. 5 for the single words of the bottom level: what the class has before the other one, all else padded."""
    hosted = shared_explainer().host(model).model
    row = row_of(model, SHORT, "hedge", "aopc-delete")
    target, size = hosted.classes.index(row.target), len(row.ranking)
    scores = []
    for word in range(size):
        others = [each for each in range(size) if each != word]
        scores.append(2 * left(hosted, SHORT, others, "pad", target) - 1)
    ranked = [scores[word] for word in row.ranking]
    # What scores the same but for rounding may stand in any order.
    assert all(first >= second - 1e-6 for first, second in pairwise(ranked))
    full = probability(hosted, text_without(hosted, SHORT, [], "delete"), target)
    top = max(1, math.floor(0.2 * size + 0.5))
    expected = full - left(hosted, SHORT, row.ranking[:top], "delete", target)
    assert row.values["aopc-delete"] == pytest.approx(expected, abs=1e-5)


def test_stability_is_the_agreement_with_a_second_seed() -> None:
    row = row_of("sst2-cnn", LONG, "sampled-shapley", "stability", orders=2)
    ranks = []
    for seed in (0, 1):
        found = espalier.explain(LONG, "sst2-cnn", "sampled-shapley", seed=seed, parameters={"orders": 2})
        order = found.result.reading().ranking
        ranks.append([order.index(word) for word in range(len(order))])
    assert row.values["stability"] == pytest.approx(kendalltau(*ranks).statistic, abs=1e-6)
    assert row.values["stability"] is not None
    assert row.values["stability"] < 1
    assert row_of("sst2-cnn", SHORT, "leave-one-out", "stability").values["stability"] == 1


def test_of_more_than_twenty_phrases_twenty_are_drawn() -> None:
    with ModelHost(catalog().load("sst2-cnn")) as host:
        game = make_game(host.model, [read(LONG)], reference="delete")
        size = len(game.players)
        found = driven(phrase_deletion(game.shape(0), (3, 4, 5), generator(0, LONG, "phrases")), game, host)
        starts = [start for start in range(size - 2) if start != 3]
        assert len(starts) > OTHERS
        full = probability(host.model, text_without(host.model, LONG, [], "delete"), 0)
        drops = {
            start: full - probability(host.model, text_without(host.model, LONG, range(start, start + 3), "delete"), 0)
            for start in starts
        }
    drawn = [starts[index] for index in generator(0, LONG, "phrases").permutation(len(starts))[:OTHERS]]
    assert len(set(drawn)) == OTHERS
    assert found.others == pytest.approx(np.mean([drops[start] for start in drawn]), abs=1e-6)
    own = full - probability(host.model, text_without(host.model, LONG, [3, 4, 5], "delete"), 0)
    assert found.drop == pytest.approx(own, abs=1e-6)
    assert found.others != pytest.approx(np.mean(list(drops.values())), abs=1e-6)
