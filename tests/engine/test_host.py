import threading
from concurrent.futures import CancelledError
from itertools import count

import numpy as np
import pytest

from espalier.engine.host import OVERFULL, ModelHost
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import TokenRow
from espalier.problems import BadModel

NUMBERS = count(1)


class Gate:
    """A model whose forward pass waits for permission, and remembers its batches."""

    name, family, classes, max_length, revision, mask_id = "gate", "bow", ("a", "b"), 512, "r", 0
    outcomes = Outcomes(classes)

    def __init__(self, opened: bool = True):
        self.gate = threading.Semaphore(10**6 if opened else 0)
        self.started = threading.Semaphore(0)
        self.batches: list[list[TokenRow]] = []

    def outputs(self, rows, outcomes=None):
        self.started.release()
        assert self.gate.acquire(timeout=20)
        self.batches.append(list(rows))
        return np.array([[len(row.ids), row.ids.sum()] for row in rows], dtype=float)


def rows_of(lengths):
    """No two ever alike, so that each needs the model."""
    return [TokenRow(np.full(length, next(NUMBERS)), np.arange(length), length) for length in lengths]


def test_outputs_come_back_in_the_order_asked():
    lengths = np.random.default_rng(0).integers(1, 60, 300)
    with ModelHost(Gate()) as host:
        outputs = host.evaluate(rows := rows_of(lengths))
    np.testing.assert_array_equal(outputs[:, 0], lengths)
    np.testing.assert_array_equal(outputs[:, 1], [row.ids.sum() for row in rows])


def test_batches_keep_the_token_budget_and_hold_rows_of_neighbouring_lengths():
    model = Gate()
    with ModelHost(model, batch_tokens=256) as host:
        host.evaluate(rows_of(np.random.default_rng(1).integers(1, 60, 500)))
    assert all(sum(len(row.ids) for row in batch) <= (1 + OVERFULL) * 256 for batch in model.batches)
    lengths = [len(row.ids) for batch in model.batches for row in batch]
    assert lengths == sorted(lengths, reverse=True)
    assert len(model.batches) <= 1.15 * sum(lengths) / 256


def test_no_small_batch_is_left_for_the_end():
    model = Gate()
    with ModelHost(model, batch_tokens=100) as host:
        for rows in (21, 10, 23):
            host.evaluate(rows_of([10] * rows))
    assert [len(batch) for batch in model.batches] == [10, 11, 10, 10, 10, 3]


def test_jobs_share_batches():
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=1000) as host:
        first = host.submit(rows_of([10]), "x")
        model.started.acquire()
        others = [host.submit(rows_of([10] * 5), f"client {k}") for k in range(6)]
        model.gate.release(10**6)
        for order in [first, *others]:
            order.future.result()
    assert [len(batch) for batch in model.batches] == [1, 30]


def test_a_short_job_is_not_stuck_behind_a_long_one():
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=100) as host:
        long = host.submit(rows_of([10] * 500), "long")
        model.started.acquire()
        short = host.submit(rows_of([10] * 20), "short")
        model.gate.release(4)
        short.future.result(timeout=10)
        assert long.done < 60
        model.gate.release(10**6)
        long.future.result(timeout=10)


def test_a_job_that_asks_again_at_once_does_not_wait_for_a_batch_of_others_at_each_step(monkeypatch):
    monkeypatch.setattr("espalier.engine.host.PATIENCE_SECONDS", 2)  # for a thread of a busy machine to ask again
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=100) as host:
        long = host.submit(rows_of([10] * 500), "long")
        model.started.acquire()
        step = host.submit(rows_of([1]), "steps")
        model.gate.release(10**6)
        for _ in range(4):
            step.future.result(timeout=10)
            step = host.submit(rows_of([1]), "steps")
        long.future.result(timeout=10)
    assert [len(batch[0].ids) for batch in model.batches[:7]] == [10, 1, 1, 1, 1, 1, 10]


def test_nobody_waits_for_a_question_after_the_last_one(monkeypatch):
    monkeypatch.setattr("espalier.engine.host.PATIENCE_SECONDS", 600)
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=100) as host:
        long = host.submit(rows_of([10] * 500), "long")
        model.started.acquire()
        host.submit(rows_of([1]), "last", returns=False)
        model.gate.release(10**6)
        long.future.result(timeout=20)


def test_who_asks_and_waits_does_not_ask_again(monkeypatch):
    with ModelHost(Gate()) as host:
        orders, submit = [], host.submit
        monkeypatch.setattr(host, "submit", lambda *given, **named: orders.append(submit(*given, **named)) or orders[0])
        host.evaluate(rows_of([1]))
    assert not orders[0].returns


def test_cancellation_takes_effect_within_one_batch():
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=100) as host:
        order = host.submit(rows_of([10] * 500))
        model.started.acquire()
        order.cancel()
        model.gate.release(10**6)
        with pytest.raises(CancelledError):
            order.future.result(timeout=10)
    assert len(model.batches) == 1


def test_a_model_that_fails_fails_its_jobs_and_not_the_host():
    class Failing(Gate):
        def outputs(self, rows, outcomes=None):
            if len(rows[0].ids) == 7:
                raise ValueError("seven")
            return super().outputs(rows, outcomes)

    with ModelHost(Failing()) as host:
        with pytest.raises(ValueError, match="seven"):
            host.evaluate(rows_of([7]))
        assert host.evaluate(rows_of([3]))[0, 0] == 3


def test_progress_is_reported_after_each_batch():
    seen: list[int] = []
    with ModelHost(Gate(), batch_tokens=100) as host:
        host.submit(rows_of([10] * 35), on_progress=seen.append).future.result()
    assert seen == [10, 20, 30, 35]


def test_no_rows_are_answered_at_once():
    with ModelHost(Gate()) as host:
        assert host.evaluate([]).shape == (0, 2)


def test_a_model_that_says_how_wide_its_rows_are_has_its_budget_counted_so():
    class Wide(Gate):
        def width(self, row):
            return 20

    model = Wide()
    with ModelHost(model, batch_tokens=100) as host:
        host.evaluate(rows_of([1, 2, 3, 4] * 3))
    assert [len(batch) for batch in model.batches] == [5, 5, 2]


def test_a_batch_is_filled_with_rows_of_other_jobs_whatever_their_lengths():
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=100) as host:
        first = host.submit(rows_of([10]), "x")
        model.started.acquire()
        others = [host.submit(rows_of([40, 9, 8]), "y"), host.submit(rows_of([7]), "z")]
        model.gate.release(10**6)
        for order in [first, *others]:
            order.future.result(timeout=10)
    assert [len(batch) for batch in model.batches] == [1, 4]


def test_a_short_order_does_not_wait_for_rows_of_a_long_one_in_its_own_batch():
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=100) as host:
        long = host.submit(rows_of([10] * 200), "long")
        model.started.acquire()
        short = [host.submit(rows_of([3, 4]), name) for name in ("short", "shorter")]
        model.gate.release(10**6)
        for order in [long, *short]:
            order.future.result(timeout=10)
    assert [len(row.ids) for row in model.batches[1]] == [4, 3, 4, 3]


def test_many_short_orders_of_a_client_do_not_keep_its_long_one_out(monkeypatch):
    monkeypatch.setattr("espalier.engine.host.PATIENCE_SECONDS", 2)
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=10_000) as host:
        first = host.submit(rows_of([1]), "me")
        model.started.acquire()
        long = host.submit(rows_of([10] * 100), "me")
        step = host.submit(rows_of([2]), "me")
        model.gate.release(10**6)
        first.future.result(timeout=10)
        for _ in range(20):
            step.future.result(timeout=10)
            step = host.submit(rows_of([2]), "me")
        long.future.result(timeout=10)
        step.future.result(timeout=10)
    sizes = [len(batch) for batch in model.batches]
    assert 100 in sizes or 101 in sizes
    assert next(place for place, size in enumerate(sizes) if size >= 100) <= 8


def test_a_row_that_several_jobs_wait_for_is_evaluated_once():
    model, rows = Gate(opened=False), rows_of([10, 9, 8, 7])
    with ModelHost(model) as host:
        first = host.submit(rows[:2], "x")
        model.started.acquire()
        others = [host.submit(rows[1:], "y"), host.submit(rows[::-1], "z"), host.submit([rows[0], rows[0]], "w")]
        model.gate.release(10**6)
        answers = [order.future.result(timeout=10)[:, 0].tolist() for order in [first, *others]]
    assert answers == [[10, 9], [9, 8, 7], [7, 8, 9, 10], [10, 10]]
    assert [sorted(len(row.ids) for row in batch) for batch in model.batches] == [[9, 10], [7, 8]]


def test_a_row_shared_with_a_cancelled_job_is_still_answered():
    model, rows = Gate(opened=False), rows_of([10, 9, 8])
    with ModelHost(model, batch_tokens=10) as host:
        busy = host.submit(rows[:1], "x")
        model.started.acquire()
        cancelled, other = host.submit(rows[1:], "y"), host.submit(rows[1:], "z")
        cancelled.cancel()
        model.gate.release(10**6)
        assert other.future.result(timeout=10)[:, 0].tolist() == [9, 8]
        busy.future.result(timeout=10)
        with pytest.raises(CancelledError):
            cancelled.future.result(timeout=10)
        assert not host._asked


def test_a_question_is_answered_on_the_hosts_thread():
    with ModelHost(Gate()) as host:
        assert host.consult(threading.get_ident).future.result(timeout=10) != threading.get_ident()


def test_a_question_waits_for_the_batch_under_way():
    model = Gate(opened=False)
    with ModelHost(model) as host:
        rows = host.submit(rows_of([10]), "x")
        model.started.acquire()
        question = host.consult(lambda: len(model.batches), "y")
        assert not question.future.done()
        model.gate.release()
        assert question.future.result(timeout=10) == 1
        rows.future.result(timeout=10)


def test_a_question_that_fails_fails_its_job_and_not_the_host():
    def fail():
        raise ValueError("no inside")

    with ModelHost(Gate()) as host:
        with pytest.raises(ValueError, match="no inside"):
            host.consult(fail).future.result(timeout=10)
        assert host.evaluate(rows_of([3]))[0, 0] == 3


def test_nobody_waits_for_the_answer_of_a_cancelled_question():
    asked, allowed = threading.Event(), threading.Event()

    def slow():
        asked.set()
        assert allowed.wait(20)

    with ModelHost(Gate()) as host:
        order = host.consult(slow)
        assert asked.wait(20)
        order.cancel()
        with pytest.raises(CancelledError):
            order.future.result(timeout=10)
        allowed.set()
        assert host.evaluate(rows_of([3]))[0, 0] == 3


class Reader(Gate):
    """Gives each row's number once for every outcome, times what the outcomes' `read` says."""

    def outputs(self, rows, outcomes=None):
        super().outputs(rows)
        self.read = [*getattr(self, "read", []), outcomes.read]
        return np.array([[row.ids[0] * outcomes.read] * len(outcomes) for row in rows], dtype=float)


def test_the_same_row_is_read_for_every_job_as_that_job_reads_it():
    model, rows = Reader(opened=False), rows_of([5, 5, 5])
    with ModelHost(model) as host:
        first = host.submit(rows_of([1]), outcomes=Outcomes(("a",), 1))
        model.started.acquire()
        two, three = Outcomes(("a", "b"), 2), Outcomes(("a", "b", "c"), 3)
        orders = [host.submit(rows, outcomes=outcomes) for outcomes in (two, three, two)]
        model.gate.release(10**6)
        first.future.result(timeout=10)
        found = [order.future.result(timeout=10) for order in orders]
    numbers = np.array([row.ids[0] for row in rows], dtype=float)[:, None]
    for outputs, outcomes in zip(found, (two, three, two), strict=True):
        np.testing.assert_array_equal(outputs, np.repeat(numbers * outcomes.read, len(outcomes), axis=1))
    assert sorted(model.read) == [1, 2, 3]


def test_the_same_tokens_read_elsewhere_are_another_row():
    model, row = Gate(), rows_of([4])[0]
    with ModelHost(model) as host:
        host.evaluate([row, row._replace(read_at=1), row._replace(read_at=2), row])
    assert [each.read_at for each in model.batches[0]] == [None, 2, 1]


def test_a_model_that_gives_another_number_of_outcomes_fails_its_jobs_and_not_the_host():
    with ModelHost(Gate()) as host:
        with pytest.raises(BadModel, match=r"got \(1, 2\), possible is \(1, 3\)"):
            host.evaluate(rows_of([7]), Outcomes(("a", "b", "c")))
        assert host.evaluate(rows_of([3]))[0, 0] == 3


def test_a_listener_that_fails_is_nobody_elses_failure():
    def fails(done):
        raise RuntimeError("a listener of one job")

    with ModelHost(Gate()) as host:
        order = host.submit(rows_of([3, 4]), on_progress=fails)
        assert order.future.result(timeout=20).shape == (2, 2)
        assert host.evaluate(rows_of([5])).shape == (1, 2)


def test_a_host_survives_whatever_happens_in_one_turn(monkeypatch):
    """It fails those who wait, says so, and answers the next."""
    failures = iter([RuntimeError("a fault of the host's own")])
    chosen = ModelHost._next

    def once(host):
        for failure in failures:
            raise failure
        return chosen(host)

    monkeypatch.setattr(ModelHost, "_next", once)
    with ModelHost(Gate()) as host:
        with pytest.raises(RuntimeError, match="of the host's own"):
            host.submit(rows_of([3])).future.result(timeout=20)
        assert host.evaluate(rows_of([5])).shape == (1, 2)


def test_a_host_says_how_long_its_batch_takes():
    model = Gate(opened=False)
    with ModelHost(model) as host:
        assert host.busy() == 0.0
        order = host.submit(rows_of([3]))
        assert model.started.acquire(timeout=20)
        assert host.busy() > 0.0
        model.gate.release()
        order.future.result(timeout=20)


def test_work_in_the_background_waits_for_everybody_but_not_for_ever(monkeypatch):
    monkeypatch.setattr("espalier.engine.host.MOST_WAITED", 6)
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=100) as host:
        first = host.submit(rows_of([10]), "x")
        model.started.acquire()
        behind = host.submit(background := rows_of([10] * 20), "lab", background=True)
        others = [host.submit(rows_of([10] * 10), "busy") for _ in range(12)]
        model.gate.release(10**6)
        for order in [first, behind, *others]:
            order.future.result()
    numbers = {int(row.ids[0]) for row in background}
    of_background = [any(int(row.ids[0]) in numbers for row in batch) for batch in model.batches]
    assert not any(of_background[:6])
    assert of_background.count(True) == 2
    assert of_background.index(True) < len(of_background) - 2, "it had a turn while others still waited"
    for batch in model.batches:
        assert len({int(row.ids[0]) in numbers for row in batch}) == 1 or len(batch) > 10


def test_batches_of_the_background_are_filled_with_whatever_it_has():
    """A short order of somebody who waits runs without company; here nobody does."""
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=1000) as host:
        first = host.submit(rows_of([10]), "x")
        model.started.acquire()
        few = host.submit(rows_of([10] * 5), "lab", background=True)
        many = host.submit(rows_of([10] * 200), "lab", background=True)
        model.gate.release(10**6)
        for order in (first, few, many):
            order.future.result()
    assert [len(batch) for batch in model.batches[:2]] == [1, 100]


def test_nobody_waits_for_work_in_the_background_to_ask_again(monkeypatch):
    monkeypatch.setattr("espalier.engine.host.PATIENCE_SECONDS", 600)
    model = Gate(opened=False)
    with ModelHost(model, batch_tokens=100) as host:
        first = host.submit(rows_of([10]), "x", returns=False)
        model.started.acquire()
        step = host.submit(rows_of([10]), "lab", background=True)
        long = host.submit(rows_of([10] * 100), "lab", background=True)
        model.gate.release(10**6)
        for order in (first, step, long):
            order.future.result(timeout=20)
