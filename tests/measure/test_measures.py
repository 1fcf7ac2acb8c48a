"""Each measure against plain loops over the model, on real sentences, with texts made by hand."""

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from espalier import samples
from espalier.engine.driver import Drive
from espalier.engine.host import ModelHost
from espalier.engine.measuring import Measuring
from espalier.explain.plan import GameShape, Plan
from espalier.explain.toy import Toy
from espalier.games.game import Game, make_game
from espalier.games.pool import Pool
from espalier.library import shared_explainer
from espalier.measure.agreement import kendall, overlap
from espalier.measure.bounds import bounds, normalised
from espalier.measure.chance import generator, random_orders
from espalier.measure.curves import PERCENTS, count_of, removal, retention, whole_curve
from espalier.measure.phrases import OTHERS, SHUFFLES, cohesion, phrase_deletion
from espalier.measure.request import Condition, MeasureRequest
from espalier.models.catalog import catalog
from espalier.models.protocol import HostedModel, TokenRow
from espalier.text import read

MODELS = ("sst2-bow", "sst2-cnn")
TEXTS = [sample.text for sample in samples.for_task("sentiment")[:6]]


@pytest.fixture(scope="module", params=MODELS)
def host(request: pytest.FixtureRequest):  # type: ignore[no-untyped-def]
    with ModelHost(catalog().load(request.param)) as opened:
        yield opened


def driven(plan: Plan, game: Game, host: ModelHost):  # type: ignore[no-untyped-def, type-arg]
    return Drive(plan, game, Pool(), host, "log_probability").run().result


def probability(model: HostedModel, row: TokenRow, target: int) -> float:
    """One row, one softmax, nothing shared."""
    scores = np.asarray(model.outputs([row]), dtype=np.float64)[0]
    return float(np.exp(scores - scores.max())[target] / np.exp(scores - scores.max()).sum())


def text_without(model: HostedModel, text: str, removed: Sequence[int], operator: str) -> TokenRow:
    """The row of a text without some words, one token at a time."""
    encoding = model.encode(read(text))
    kept = [
        (token, place)
        for place, (token, owner) in enumerate(zip(encoding.ids, encoding.owners, strict=True))
        if owner is None or owner not in removed
    ]
    ids = np.array([token for token, _ in kept], dtype=np.int64)
    if operator == "delete":
        return TokenRow(ids, np.arange(len(ids)), len(ids))
    return TokenRow(ids, np.array([place for _, place in kept], dtype=np.int64), len(encoding.ids))


@pytest.mark.parametrize("operator", ["delete", "pad"])
def test_curves_are_those_of_plain_loops(host: ModelHost, operator: str) -> None:
    for text in TEXTS[:3]:
        game = make_game(host.model, [read(text)], reference=operator)
        size = len(game.players)
        orders = random_orders(1, text, size)[:3]
        removed = driven(removal(game.shape(1), orders), game, host)
        kept = driven(retention(game.shape(1), orders), game, host)
        whole = driven(whole_curve(game.shape(1), orders), game, host)
        full = probability(host.model, text_without(host.model, text, [], operator), 1)
        for index, percent in enumerate(PERCENTS):
            top = max(1, math.floor(percent * size / 100 + 0.5))
            assert count_of(percent, size) == top
            drops, ratios, clipped, alone = [], [], [], []
            for order in orders.tolist():
                left = probability(host.model, text_without(host.model, text, order[:top], operator), 1)
                drops.append(full - left)
                ratios.append(math.log(left / full))
                clipped.append(math.log(max(left, 1e-6) / max(full, 1e-6)))
                alone.append(full - probability(host.model, text_without(host.model, text, order[top:], operator), 1))
            assert removed.drop[index] == pytest.approx(np.mean(drops), abs=1e-6)
            assert removed.log_odds[index] == pytest.approx(np.mean(ratios), abs=1e-5)
            assert removed.log_odds_clipped[index] == pytest.approx(np.mean(clipped), abs=1e-5)
            assert kept[index] == pytest.approx(np.mean(alone), abs=1e-6)
        steps = [
            full - probability(host.model, text_without(host.model, text, order[:step], operator), 1)
            for order in orders.tolist()
            for step in range(1, size + 1)
        ]
        assert whole == pytest.approx(np.mean(steps), abs=1e-6)


def test_phrase_deletion_is_that_of_plain_loops(host: ModelHost) -> None:
    for text in TEXTS[:3]:
        game = make_game(host.model, [read(text)], reference="delete")
        size = len(game.players)
        phrase = (1, 2)
        found = driven(phrase_deletion(game.shape(0), phrase, generator(0, text, "phrases")), game, host)
        full = probability(host.model, text_without(host.model, text, [], "delete"), 0)
        drop = full - probability(host.model, text_without(host.model, text, phrase, "delete"), 0)
        others = [
            full - probability(host.model, text_without(host.model, text, [start, start + 1], "delete"), 0)
            for start in range(size - 1)
            if start != 1
        ]
        assert len(others) <= OTHERS, "the sentences here are so short that no phrase is drawn: all are asked for"
        assert found.drop == pytest.approx(drop, abs=1e-6)
        assert found.others == pytest.approx(np.mean(others), abs=1e-6)


def test_a_phrase_without_others_of_its_length_is_not_measured() -> None:
    game = GameShape(("all", "of", "it"), ("yes",), 0)
    toy = Toy(lambda coalitions: np.log(0.5 + 0.1 * coalitions.sum(axis=1)))
    assert toy.run(phrase_deletion(game, (0, 1, 2), generator(0, "", ""))) is None
    assert toy.run(cohesion(game, (0, 1, 2), generator(0, "", ""))) is None


def test_cohesion_is_that_of_texts_written_anew(host: ModelHost) -> None:
    """The order of words as written out: every word has the tokens here that it has in a text of its own."""
    text = "A lovely film with a dull end"
    words = text.split()
    game = make_game(host.model, [read(text)])
    phrase = (1, 2)
    found = driven(cohesion(game.shape(1), phrase, generator(0, text, "cohesion")), game, host)
    drawn, values = generator(0, text, "cohesion"), []
    for _ in range(SHUFFLES):
        rest = [word for index, word in enumerate(words) if index not in phrase]
        for index in phrase:
            rest.insert(int(drawn.integers(len(rest) + 1)), words[index])
        values.append(probability(host.model, host.model.encode(read(" ".join(rest))).row(), 1))
    full = probability(host.model, host.model.encode(read(text)).row(), 1)
    assert found == pytest.approx(full - np.mean(values), abs=1e-6)
    if host.model.name == "sst2-bow":
        assert found == pytest.approx(0, abs=1e-6), "a bag of words does not see order"
    else:
        assert abs(found) > 1e-6


def every_order(value: Callable[[frozenset[int]], float], size: int) -> list[tuple[float, tuple[int, ...]]]:
    full = value(frozenset(range(size)))
    return [
        (float(np.mean([full - value(frozenset(order[step:])) for step in range(1, size + 1)])), order)
        for order in itertools.permutations(range(size))
    ]


def test_bounds_are_those_of_every_order_of_eight_words(host: ModelHost) -> None:
    text = "It is not good but fun anyway"
    game = make_game(host.model, [read(f"{text} .")], reference="delete")
    assert len(game.players) == 8
    kept: dict[frozenset[int], float] = {}

    def value(present: frozenset[int]) -> float:
        if present not in kept:
            gone = [word for word in range(8) if word not in present]
            kept[present] = probability(host.model, text_without(host.model, f"{text} .", gone, "delete"), 1)
        return kept[present]

    orders = every_order(value, 8)
    found = driven(bounds(game.shape(1)), game, host)
    assert found.exact
    assert found.upper == pytest.approx(max(orders)[0], abs=1e-6)
    assert found.lower == pytest.approx(min(orders)[0], abs=1e-6)
    by_order = {order: mean for mean, order in orders}
    assert by_order[found.best] == pytest.approx(found.upper, abs=1e-6)
    assert by_order[found.worst] == pytest.approx(found.lower, abs=1e-6)
    best = driven(whole_curve(game.shape(1), np.array([found.best])), game, host)
    assert normalised(best, found) == pytest.approx(1, abs=1e-6)


def toy_game(seed: int, size: int) -> Toy:
    """Any values between 0 and 1, one for each set of words."""
    table = np.random.default_rng(seed).uniform(0.05, 0.95, 2**size)
    return Toy(lambda coalitions: np.log(table[coalitions @ (1 << np.arange(size))]))


def test_a_beam_stays_within_the_exact_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = GameShape(tuple("abcdefg"), ("yes",), 0)
    for seed in range(5):
        exact = toy_game(seed, 7).run(bounds(shape))
        with monkeypatch.context() as patch:
            patch.setattr("espalier.measure.bounds.EXACT_WORDS", 0)
            toy = toy_game(seed, 7)
            found = toy.run(bounds(shape))
        assert not found.exact
        assert exact.lower - 1e-9 <= found.lower < found.upper <= exact.upper + 1e-9
        for order, mean in ((found.best, found.upper), (found.worst, found.lower)):
            assert toy_game(seed, 7).run(whole_curve(shape, np.array([order]))) == pytest.approx(mean)
        assert toy.distinct < 2**7


def test_a_wide_beam_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = GameShape(tuple("abcdef"), ("yes",), 0)
    exact = toy_game(1, 6).run(bounds(shape))
    monkeypatch.setattr("espalier.measure.bounds.EXACT_WORDS", 0)
    monkeypatch.setattr("espalier.measure.bounds.BEAM", 100)
    found = toy_game(1, 6).run(bounds(shape))
    assert (found.lower, found.upper) == pytest.approx((exact.lower, exact.upper))


def test_where_all_orders_are_equal_nothing_is_normalised() -> None:
    shape = GameShape(("only",), ("yes",), 0)
    assert normalised(0.3, toy_game(0, 1).run(bounds(shape))) is None


def test_surprise_is_that_of_the_written_text() -> None:
    text = "A lovely film with a dull end ."
    request = MeasureRequest(
        text=text,
        model="sst2-bow",
        conditions=(Condition(method="leave-one-out"),),
        measures=("surprise-delete", "aopc-delete"),
        best_order=False,
    )
    row, random = Measuring(shared_explainer(), request).run().rows
    words = text.split()
    top = set(row.ranking[: count_of(20, len(words))])
    left = " ".join(word for index, word in enumerate(words) if index not in top)
    language_model = catalog().load("word-lstm-lm")
    said = [sum(word.bits for word in language_model.surprise(read(each), 1)) for each in (left, text)]
    expected = said[0] / len(left.split()) - said[1] / len(words)
    assert row.values["surprise-delete"] == pytest.approx(expected, abs=1e-4)
    assert random.values["surprise-delete"] is not None


def test_rankings_agree_as_counted_by_hand() -> None:
    assert kendall([0, 1, 2, 3], [0, 1, 2, 3]) == pytest.approx(1)
    assert kendall([0, 1, 2, 3], [3, 2, 1, 0]) == pytest.approx(-1)
    # Of the six pairs, one is the other way round: (5 - 1) / 6.
    assert kendall([0, 1, 2, 3], [1, 0, 2, 3]) == pytest.approx(4 / 6)
    assert kendall([0], [0]) is None
    # A fifth of ten words is two.
    assert overlap([4, 5, *range(4), *range(6, 10)], [5, 9, 4, 0, 1, 2, 3, 6, 7, 8]) == 0.5


def test_what_is_drawn_depends_on_text_and_seed_alone() -> None:
    first, again = random_orders(0, "a b c", 8), random_orders(0, "a b c", 8)
    assert first.shape == (20, 8)
    assert (first == again).all()
    assert (first != random_orders(1, "a b c", 8)).any()
    assert (first != random_orders(0, "a b d", 8)).any()
    assert all(sorted(order) == list(range(8)) for order in first.tolist())
