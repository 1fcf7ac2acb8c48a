"""The economical ladder: the exact one where it scores everything, else as sure as it says, and the same every time."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from espalier.explain.hedge import HedgeParameters, HedgeResult, divisions, hedge
from espalier.explain.neighbourhoods import Interactions, Neighbourhood
from espalier.explain.plan import Ask, BoolArray, FloatArray, GameShape
from espalier.explain.racing.forecast import Forecast
from espalier.explain.racing.prior import Prior
from espalier.explain.racing.race import APART, TOUCHING, at_stake
from espalier.explain.registry import method
from espalier.explain.toy import Toy
from espalier.problems import TooLong

Game = Callable[[BoolArray], FloatArray]


def sentence_game(seed: int, words: int) -> Game:
    """Words with effects of their own and with their neighbours', squashed: what a classifier makes of a sentence. One
    row after the other, so that a value's last digit does not depend on those it is computed with."""
    generator = np.random.default_rng(seed)
    alone = generator.standard_t(3, size=words)
    apart = np.abs(np.subtract.outer(np.arange(words), np.arange(words)))
    together = generator.standard_t(3, size=(words, words)) * np.exp(-apart / 1.5)
    return lambda rows: np.array([np.tanh(0.2 * (row @ alone + row @ together @ row)) for row in rows.astype(float)])


def shape(words: int) -> GameShape:
    return GameShape(tuple(f"w{i}" for i in range(words)), ("yes",), 0)


def ladder(game: Game, words: int, **settings: Any) -> tuple[HedgeResult, int]:
    """The result, and how many coalitions it took."""
    toy = Toy(game)
    return toy.run(hedge(shape(words), HedgeParameters(**settings))), toy.distinct


def steps(result: HedgeResult) -> list[tuple[int, int, int]]:
    return [(level.step.start, level.step.point, level.step.end) for level in result.levels if level.step is not None]


@pytest.mark.parametrize("settings", [{}, {"window": 0}, {"window": 1, "weights": "published-code"}])
def test_with_a_certainty_of_one_it_is_the_exact_ladder_to_the_last_digit(settings: dict[str, Any]) -> None:
    game = sentence_game(1, 14)
    exact, evaluations = ladder(game, 14, **settings)
    found, asked = ladder(game, 14, form="economical", certainty=1, **settings)
    assert found.levels == exact.levels
    assert found.exact
    assert found.certainty == 1
    assert asked == evaluations
    assert (exact.form, found.form) == ("exact", "economical")


def test_its_description_says_on_how_many_words_the_page_asks_for_it() -> None:
    """The interface knows no method by its name; on more words than that this form would be refused."""
    said = HedgeParameters.model_json_schema()["properties"]["form"]["long_sentences"]
    assert (said["value"], said["more_than"]) == ("economical", 40)
    chosen = HedgeParameters(form=said["value"])
    method("hedge").check_size(said["up_to"], chosen)
    with pytest.raises(TooLong):
        method("hedge").check_size(said["up_to"] + 1, chosen)


def test_the_exact_form_is_the_usual_one_and_all_its_cuts_are_sure() -> None:
    result, _ = ladder(sentence_game(2, 12), 12)
    assert result.form == "exact"
    assert result.exact
    assert {level.step.certainty for level in result.levels if level.step is not None} == {1.0}


@pytest.mark.slow
def test_it_asks_for_less_than_half_and_says_that_it_is_not_exact() -> None:
    game = sentence_game(3, 30)
    exact, evaluations = ladder(game, 30)
    found, asked = ladder(game, 30, form="economical")
    assert asked < evaluations / 2
    assert not found.exact
    assert not found.reading().exact
    assert len(found.levels) == len(exact.levels)


def test_what_spans_say_alone_is_exact_in_either_form() -> None:
    game = sentence_game(4, 16)
    result, _ = ladder(game, 16, form="economical", certainty=0.5)
    for level in result.levels:
        for span in level.spans:
            alone = (np.arange(16) >= span.start) & (np.arange(16) < span.end)
            assert span.contribution == game(alone[None])[0]


@pytest.mark.slow
def test_it_finds_the_same_every_time() -> None:
    first, _ = ladder(sentence_game(5, 20), 20, form="economical")
    second, _ = ladder(sentence_game(5, 20), 20, form="economical")
    assert first.model_dump_json() == second.model_dump_json()


@pytest.mark.slow
def test_less_certainty_asks_for_less() -> None:
    game = sentence_game(6, 24)
    asked = [ladder(game, 24, form="economical", certainty=certainty)[1] for certainty in (0.3, 0.9, 0.999)]
    assert asked == sorted(asked)
    assert asked[0] < asked[-1]


@pytest.mark.slow
def test_the_cuts_are_as_sure_as_they_say_and_scores_as_far_off() -> None:
    """Over many games: of the cuts about as many are the weakest of their level as their certainties add up to."""
    stated, right, off = [], [], []
    for seed in range(10):
        game = sentence_game(seed, 16)
        result, _ = ladder(game, 16, form="economical", certainty=0.7)
        partition: tuple[int, ...] = (0, 16)
        for level in result.levels[1:]:
            assert level.step is not None
            candidates = divisions(partition, 2)
            scores = exact_scores(game, 16, candidates)
            made = [each.point for each in candidates].index(level.step.point)
            stated.append(level.step.certainty)
            right.append(scores[made] <= min(scores) + 1e-6)
            if level.step.standard_error:
                off.append((level.step.interaction - scores[made]) / level.step.standard_error)
            partition = tuple(sorted((*partition, level.step.point)))
    assert abs(np.mean(stated) - np.mean(right)) < 0.08
    assert np.mean(np.abs(off) < 2) > 0.88


def exact_scores(game: Game, words: int, candidates: list[Neighbourhood]) -> list[float]:
    """Of cuts, each scored in full."""
    interactions = Interactions(shape(words), "paper", [0])
    plan = interactions.scores(candidates, 0)
    reply: Any = None
    while True:
        try:
            asked = plan.send(reply)
        except StopIteration as finished:
            return list(finished.value)
        assert isinstance(asked, Ask)
        reply = game(asked.coalitions)[:, None]


@pytest.mark.parametrize("words", [1, 2, 3])
def test_short_texts_come_apart_too(words: int) -> None:
    game = sentence_game(7, words)
    assert steps(ladder(game, words, form="economical")[0]) == steps(ladder(game, words)[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        lambda rows: np.zeros(len(rows)),
        lambda rows: rows @ np.arange(24.0) / 7,
        lambda rows: rows.any(axis=1).astype(float),
    ],
    ids=["nothing", "sum", "any"],
)
def test_games_of_nothing_but_ties_end(game: Game) -> None:
    _, evaluations = ladder(game, 24)
    result, asked = ladder(game, 24, form="economical")
    assert asked < 1.5 * evaluations
    assert all(end == start + 1 for start, end in pairwise([span.start for span in result.levels[-1].spans]))


def test_the_expected_number_is_never_below_what_was_asked() -> None:
    game, asked, reply = sentence_game(8, 20), 0, None
    plan = hedge(shape(20), HedgeParameters(form="economical"))
    while True:
        try:
            step = plan.send(reply)
        except StopIteration:
            break
        reply = None
        if isinstance(step, Ask):
            asked += len(step.coalitions)
            assert step.expected is not None
            assert step.expected >= asked
            reply = game(step.coalitions)[:, None]


@pytest.mark.parametrize("bent", [False, True])
def test_a_forecast_is_that_of_a_gaussian_process_written_out(bent: bool) -> None:
    """Rows added in parts, before and after watching, against the textbook's formula."""
    generator = np.random.default_rng(9)
    players = 6
    numbers = generator.permutation(2**players)[:40].tolist()
    known, wanted, values = numbers[:24], numbers[24:], generator.uniform(-0.9, 0.9, size=24)
    forecast = Forecast(Prior(importance=generator.random(players), bent=bent))
    forecast.learn(known[:10], values[:10].tolist())
    forecast.watch(wanted[:8])
    forecast.learn(known[10:20], values[10:20].tolist())
    forecast.watch(wanted[4:])
    forecast.learn(known[20:], values[20:].tolist())

    def signs(coalitions: list[int]) -> FloatArray:
        return np.array([[1.0 if number >> player & 1 else -1.0 for player in range(players)] for number in coalitions])

    prior = forecast.prior.covariance
    inner = prior(signs(known), signs(known))
    across = prior(signs(list(forecast.places)), signs(known))
    assert list(forecast.places) == wanted[4:]
    means = across @ np.linalg.solve(inner, np.arctanh(values) if bent else values)
    np.testing.assert_allclose(forecast.means, means, atol=1e-5)
    np.testing.assert_allclose(forecast.forecasts, np.tanh(means) if bent else means, atol=1e-5)
    left = prior(signs(wanted[4:]), signs(wanted[4:])) - across @ np.linalg.solve(inner, across.T)
    places = np.arange(len(wanted[4:]))
    np.testing.assert_allclose(forecast.expected(places, places) - forecast.rows @ forecast.rows.T, left, atol=1e-5)


def test_values_that_are_squashed_are_forecast_on_a_scale_without_ends() -> None:
    """And nearer for it. Values that leave the ends are not bent, nor are sums."""
    players, known = 12, 160
    game, signs = sentence_game(10, players), all_signs(players)
    order = np.random.default_rng(11).permutation(len(signs))
    values = game(signs > 0)
    prior = Prior(importance=np.ones(players)).fitted(signs[order[:known]], values[order[:known]])
    assert prior.bent
    off = {}
    for bent in (False, True):
        forecast = Forecast(replace(prior, bent=bent))
        forecast.learn(order[:known].tolist(), values[order[:known]].tolist())
        forecast.watch(order[known : known + 500].tolist())
        off[bent] = np.std(forecast.forecasts - values[order[known : known + 500]])
    assert off[True] < 0.8 * off[False]
    assert not Prior(importance=np.ones(players)).fitted(signs[:known], 3 * values[:known]).bent
    assert not Prior(importance=np.ones(players)).fitted(signs[:known], signs[:known].mean(axis=1) / 2).bent


def all_signs(players: int) -> FloatArray:
    """+1 and -1, a row for each coalition, at the place of its number."""
    return np.where(np.arange(2**players)[:, None] >> np.arange(players) & 1, 1.0, -1.0)


@pytest.mark.slow
def test_a_value_beyond_the_ends_is_heeded() -> None:
    """All short texts say something between -1 and 1, and one pair of words in the middle says more."""

    def game(rows: BoolArray) -> FloatArray:
        return sentence_game(12, 16)(rows) + 3.0 * (rows[:, 7] & rows[:, 9] & ~rows[:, 8])

    exact, _ = ladder(game, 16)
    found, _ = ladder(game, 16, form="economical", certainty=0.999)
    assert len(set(steps(exact)) & set(steps(found))) >= 13


def test_a_rival_in_the_same_span_is_at_stake_in_full_and_one_far_away_least() -> None:
    cuts = {each.point: each for each in divisions((0, 4, 6, 8, 10, 12, 14, 18), 2)}
    assert at_stake(cuts[2], cuts[3]) == 1
    assert at_stake(cuts[2], cuts[7]) == TOUCHING
    assert at_stake(cuts[2], cuts[16]) == at_stake(cuts[16], cuts[2]) == APART
