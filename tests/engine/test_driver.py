import threading

import numpy as np
import pytest

from espalier.engine.driver import Cancelled, Drive, Silence
from espalier.engine.host import ModelHost
from espalier.explain.graph.published import PublishedParameters, published
from espalier.explain.plan import Partial, arrange, ask, inspect
from espalier.games.game import make_game
from espalier.games.pool import Pool
from espalier.models.callable import CallableModel
from espalier.problems import BadModel
from espalier.text import read

WORDS = 6
TEXT = "one two three four five six"


def probabilities(texts):
    share = np.array([0.1 + 0.1 * len(text.split()) for text in texts])
    return np.stack([share, 1 - share], axis=1)


@pytest.fixture
def place():
    model = CallableModel(probabilities, ["many", "few"])
    with ModelHost(model, batch_tokens=12) as host:
        yield make_game(model, [read(TEXT)]), Pool(), host


def everything():
    """A plan that asks for all coalitions twice, in two steps, and is never satisfied with fewer."""
    coalitions = np.array(list(np.ndindex((2,) * WORDS)), dtype=bool)
    first = yield from ask(coalitions[:40], 64)
    yield Partial("forty")
    second = yield from ask(coalitions, 64)
    np.testing.assert_array_equal(first, second[:40])
    return second


def test_values_arrive_in_the_order_asked(place):
    outcome = Drive(everything(), *place, "probability").run()
    coalitions = np.array(list(np.ndindex((2,) * WORDS)))
    np.testing.assert_allclose(outcome.result[:, 0], 0.1 + 0.1 * coalitions.sum(axis=1))


def test_each_coalition_is_evaluated_once_and_counted(place):
    outcome = Drive(everything(), *place, "probability").run()
    assert (outcome.counts.asked, outcome.counts.distinct, outcome.counts.reused) == (104, 64, 0)
    assert place[2].evaluated == 64
    again = Drive(everything(), *place, "log_odds").run()
    assert (again.counts.asked, again.counts.distinct, again.counts.reused) == (104, 64, 64)
    assert place[2].evaluated == 64


def test_progress_counts_to_the_expected_number_and_partials_are_passed_on(place):
    seen, partials = [], []

    class Notes(Silence):
        def progress(self, evaluated, expected):
            seen.append((evaluated, expected))

        def partial(self, make):
            partials.append(make())

    Drive(everything(), *place, "probability", Notes()).run()
    assert seen[0] == (0, 64)
    assert seen[-1] == (64, 64)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert partials == ["forty"]


def test_the_host_is_told_which_question_is_the_last(place, monkeypatch):
    game, pool, host = place
    orders, submit = [], host.submit
    monkeypatch.setattr(host, "submit", lambda *given: orders.append(submit(*given)) or orders[-1])
    Drive(everything(), game, pool, host, "probability").run()
    assert [order.returns for order in orders] == [True, False]


def test_a_cancelled_run_stops_within_one_batch(place):
    game, pool, host = place

    class Impatient(Silence):
        drive: Drive

        def progress(self, evaluated, expected):
            if evaluated >= 10:
                self.drive.cancel()

    listener = Impatient()
    listener.drive = Drive(everything(), game, pool, host, "probability", listener)
    with pytest.raises(Cancelled):
        listener.drive.run()
    assert host.evaluated < 25


def test_nan_from_a_model_is_a_clear_error(place):
    game, _, host = place
    host.model._function = lambda texts: np.full((len(texts), 2), np.nan)
    with pytest.raises(BadModel, match="not finite"):
        Drive(everything(), game, Pool(), host, "probability").run()


def test_a_pool_too_small_for_a_run_does_not_break_it(place):
    game, _, host = place
    outcome = Drive(everything(), game, Pool(maximum_bytes=1000), host, "probability").run()
    assert len(outcome.result) == 64


class Looked(CallableModel):
    """A callable that can be asked who asks."""

    def inspect(self, question, **arguments):
        return question, threading.get_ident(), sorted(arguments)


def test_a_question_about_the_inside_is_answered_on_the_hosts_thread():
    def plan():
        answer = yield from inspect("who", detail=1)
        return answer

    model = Looked(probabilities, ["many", "few"])
    game = make_game(model, [read(TEXT)])
    with ModelHost(model) as host:
        found = Drive(plan(), game, Pool(), host, "margin").run().result
    assert found[0] == "who"
    assert found[1] != threading.get_ident()
    assert found[2] == ["detail", "game", "scale"]


def moved_plan():
    nobody = np.zeros((4, WORDS), dtype=bool)
    first = yield from arrange(nobody, np.array([0, 1, 0, 0]), np.array([1, 0, 1, 2]))
    second = yield from ask(nobody[:1])
    return first, second


def test_texts_with_a_moved_word_are_counted_and_pooled_as_rows_of_their_own(place):
    outcome = Drive(moved_plan(), *place, "probability").run()
    np.testing.assert_allclose(outcome.result[0][:, 0], 0.2)
    np.testing.assert_allclose(outcome.result[1][:, 0], 0.1)
    assert (outcome.counts.asked, outcome.counts.distinct, outcome.counts.reused) == (5, 4, 0)
    assert place[2].evaluated == 4
    assert Drive(moved_plan(), *place, "probability").run().counts.reused == 4


def test_the_published_arrows_stop_within_one_batch_of_a_cancellation(place):
    game, pool, host = place

    class Impatient(Silence):
        drive: Drive

        def progress(self, evaluated, expected):
            if evaluated >= 80:  # beyond all coalitions of six words: among the moved ones
                self.drive.cancel()

    listener = Impatient()
    plan = published(game.shape(0), PublishedParameters(orders=40))
    listener.drive = Drive(plan, game, pool, host, "probability", listener)
    with pytest.raises(Cancelled):
        listener.drive.run()
    assert 80 <= host.evaluated < 110


def test_a_large_ask_is_taken_in_pieces_and_answered_as_a_whole(place, monkeypatch):
    whole = Drive(everything(), place[0], Pool(), place[2], "probability").run()
    monkeypatch.setattr("espalier.engine.run.PIECE_ROWS", 16)
    sent, seen = [], []
    submit = ModelHost.submit

    def counted(host, rows, *given, **named):
        sent.append(len(rows))
        return submit(host, rows, *given, **named)

    class Notes(Silence):
        def progress(self, evaluated, expected):
            seen.append(evaluated)

    monkeypatch.setattr(ModelHost, "submit", counted)
    pieces = Drive(everything(), place[0], Pool(), place[2], "probability", Notes()).run()
    np.testing.assert_array_equal(pieces.result, whole.result)
    assert pieces.counts == whole.counts
    assert (max(sent), sum(sent)) == (16, 64)
    assert seen == sorted(seen)
    assert seen[-1] == 64
