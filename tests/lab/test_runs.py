"""Runs: begun, stopped by anything, gone on with, and what is in their rows."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.lab.conftest import Here, contents, design, finished, stopped_again_and_again, until_finished

from espalier.engine import patience
from espalier.engine.admission import Busy
from espalier.engine.crews.protocol import WorkerLost
from espalier.engine.measuring import Measuring
from espalier.engine.messages import Trouble
from espalier.lab.design import check, plan
from espalier.lab.runner import RunLimits, Runner, UnknownEvaluation
from espalier.library import shared_explainer
from espalier.measure.request import Condition, MeasureRequest
from espalier.measure.units import FoundUnit, UnitRequest
from espalier.models.describe import Shelf
from espalier.problems import BadParameter, NoMemory, NotSupported, TooLong, UnknownName
from espalier.store import Store
from espalier.store.evaluations import Evaluations


def run(work: Any) -> Any:
    return asyncio.run(work)


def test_a_run_stopped_again_and_again_ends_with_the_bytes_of_one_that_was_not(
    store: Store, shelf: Shelf, engine: Here
) -> None:
    evaluations = Evaluations(store)

    first = run(finished(Runner(engine, evaluations, shelf), design()))  # type: ignore[arg-type]
    second, stops = run(stopped_again_and_again(engine, evaluations, shelf, design()))
    assert stops >= 2
    assert contents(evaluations, first) == contents(evaluations, second)
    one, other = evaluations.get(first), evaluations.get(second)
    assert one is not None
    assert other is not None
    assert (one.done, one.wanted, one.evaluated) == (other.done, other.wanted, other.evaluated) != (0, 0, 0)
    assert one.done == one.total == 8


def test_rows_are_those_of_the_same_text_measured_alone(store: Store, shelf: Shelf, engine: Here) -> None:
    async def all_of_it() -> str:
        runner = Runner(engine, Evaluations(store), shelf)  # type: ignore[arg-type]
        made = await runner.add(design(), "")
        await until_finished(runner, made.id)
        return made.id

    identity = run(all_of_it())
    chosen = design()
    text = chosen.texts()[2].text
    alone = Measuring(shared_explainer(), chosen.unit(text, "sst2-cnn", [0, 1])).run()
    rows = [row for row in Evaluations(store).rows(identity) if (row.text, row.model) == (2, 1)]
    assert [json.loads(row.content) for row in rows] == [
        json.loads(row.model_dump_json(exclude_defaults=True)) for row in alone.rows
    ]
    assert [json.loads(row.content)["method"] for row in rows] == ["leave-one-out", "lime", "random-order"]


def test_methods_and_measures_share_evaluations() -> None:
    request = MeasureRequest(
        text="A film that is not good but fun .",
        model="sst2-bow",
        conditions=(Condition(method="leave-one-out"), Condition(method="shap"), Condition(method="hedge")),
        measures=("aopc-pad", "normalised-aopc-pad", "sufficiency-pad"),
    )
    unit = Measuring(shared_explainer(), request).run()
    # The exact bounds ask for every one, and nothing needs any other.
    assert unit.evaluated == 2 ** len(unit.rows[0].ranking)
    assert unit.wanted > 2 * unit.evaluated
    best, random = unit.rows[-1], unit.rows[-2]
    assert (random.method, best.method) == ("random-order", "best-order")
    assert best.values["normalised-aopc-pad"] == pytest.approx(1, abs=1e-6)
    for row in unit.rows[:-1]:
        value = row.values["normalised-aopc-pad"]
        assert value is not None
        assert -1e-6 <= value <= 1 + 1e-6
    for row in unit.rows[:-2]:
        assert (row.values["normalised-aopc-pad"] or 0) > (random.values["normalised-aopc-pad"] or 0)


def test_what_is_wrong_with_one_text_is_said_in_its_rows(store: Store, shelf: Shelf, engine: Here) -> None:
    rows = [{"text": "A fine film."}, {"text": "word " * 3000}, {"text": "Dull."}]

    async def all_of_it() -> str:
        runner = Runner(engine, Evaluations(store), shelf)  # type: ignore[arg-type]
        chosen = design(dataset={"kind": "rows", "rows": rows}, models=["sst2-cnn"], most_texts=None)
        made = await runner.add(chosen, "")
        found = await until_finished(runner, made.id)
        assert (found.status, found.done, found.failed) == ("finished", 3, 1)
        return made.id

    found = list(Evaluations(store).rows(run(all_of_it())))
    problems = {row.text for row in found if "problem" in json.loads(row.content)}
    assert problems == {1}
    assert "too long" in json.loads(next(row.content for row in found if row.text == 1))["problem"]


def test_a_text_that_ends_worker_after_worker_is_given_up(
    store: Store, shelf: Shelf, engine: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.fail = WorkerLost("the worker stopped")
    monkeypatch.setattr(WorkerLost, "retry_after", 0)

    async def all_of_it() -> None:
        runner = Runner(engine, Evaluations(store), shelf)  # type: ignore[arg-type]
        made = await runner.add(design(models=["sst2-bow"], most_texts=1), "")
        found = await until_finished(runner, made.id)
        assert (found.done, found.failed) == (1, 1)
        assert engine.asked == 5

    run(all_of_it())


class Crowded(Here):
    """No memory is left for the first questions, because of somebody else's."""

    async def measure(self, request: UnitRequest, client: str = "") -> FoundUnit:
        if self.asked < 3:
            self.asked += 1
            raise Trouble.of(NoMemory("no memory is left")).problem()
        return await super().measure(request, client)


def test_a_text_for_which_there_was_no_memory_is_measured_when_there_is(
    store: Store, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "TRY_AGAIN_SECONDS", 0)

    async def all_of_it() -> None:
        runner = Runner(Crowded(), Evaluations(store), shelf)  # type: ignore[arg-type]
        made = await runner.add(design(models=["sst2-bow"], most_texts=1), "")
        found = await until_finished(runner, made.id)
        assert (found.done, found.failed) == (1, 0)

    run(all_of_it())


def test_a_text_for_which_there_is_never_any_memory_is_given_up(
    store: Store, shelf: Shelf, engine: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "TRY_AGAIN_SECONDS", 0)
    engine.fail = Trouble.of(NoMemory("no memory is left")).problem()

    async def all_of_it() -> None:
        runner = Runner(engine, Evaluations(store), shelf)  # type: ignore[arg-type]
        made = await runner.add(design(models=["sst2-bow"], most_texts=1), "")
        found = await until_finished(runner, made.id)
        assert (found.done, found.failed) == (1, 1)

    run(all_of_it())


def test_a_cancelled_run_stops_and_keeps_what_it_has(store: Store, shelf: Shelf, engine: Here) -> None:
    async def all_of_it() -> None:
        runner = Runner(engine, Evaluations(store), shelf)  # type: ignore[arg-type]
        engine.wait.clear()
        made = await runner.add(design(), "")
        cancelling = asyncio.create_task(runner.cancel(made.id))
        await asyncio.sleep(0)
        engine.wait.set()
        found = await cancelling
        assert found.status == "cancelled"
        await runner.start()
        assert (await runner.get(made.id)).done == found.done < found.total
        await runner.stop()

    run(all_of_it())


def test_a_deleted_run_leaves_nothing(store: Store, shelf: Shelf, engine: Here, tmp_path: Path) -> None:
    async def all_of_it() -> str:
        runner = Runner(engine, Evaluations(store), shelf)  # type: ignore[arg-type]
        made = await runner.add(design(), "")
        await until_finished(runner, made.id)
        await runner.delete(made.id)
        with pytest.raises(UnknownEvaluation):
            await runner.get(made.id)
        return made.id

    identity = run(all_of_it())
    assert list(Evaluations(store).rows(identity)) == []
    assert Evaluations(store).texts(identity) == []
    assert [path.name for path in tmp_path.iterdir() if identity.encode() in path.read_bytes()] == []


def test_nobody_has_more_runs_under_way_than_allowed(store: Store, shelf: Shelf, engine: Here) -> None:
    async def all_of_it() -> None:
        engine.wait.clear()
        runner = Runner(engine, Evaluations(store), shelf, RunLimits(unfinished=1))  # type: ignore[arg-type]
        made = await runner.add(design(), "somebody")
        with pytest.raises(Busy, match="too many runs: you have 1"):
            await runner.add(design(), "somebody")
        other = await runner.add(design(), "somebody else")
        engine.wait.set()
        for each in (made, other):
            await runner.cancel(each.id)

    run(all_of_it())


def test_what_cannot_be_done_is_refused_before_it_begins(shelf: Shelf) -> None:
    with pytest.raises(UnknownName, match="unknown measure: got 'aopc'"):
        plan(design(measures=["aopc"]), shelf)
    with pytest.raises(UnknownName, match="unknown method"):
        plan(design(methods=[{"method": "guessing"}]), shelf)
    with pytest.raises(BadParameter, match="bad parameter for lime"):
        plan(design(methods=[{"method": "lime", "parameters": {"samples": -1}}]), shelf)
    with pytest.raises(NotSupported, match="classifiers: got word-lstm-lm, possible are"):
        plan(design(models=["word-lstm-lm"]), shelf)
    many = [{"text": f"text {number}"} for number in range(20_000)]
    with pytest.raises(TooLong, match="too large a run"):
        plan(
            design(
                dataset={"kind": "rows", "rows": many},
                most_texts=None,
                references=["pad", "mask", "delete"],
                methods=[{"method": "lime", "parameters": {"samples": size}} for size in range(50, 58)],
            ),
            shelf,
        )


def test_a_method_that_a_model_cannot_be_asked_is_left_out_for_it(shelf: Shelf) -> None:
    chosen = design(models=["sst2-lstm", "sst2-cnn"], methods=[{"method": "leave-one-out"}, {"method": "acd"}])
    suited, left_out = check(chosen, shelf)
    assert suited == {"sst2-lstm": [0, 1], "sst2-cnn": [0]}
    assert [(each.model, each.method) for each in left_out] == [("sst2-cnn", "acd")]


def test_a_plan_says_no_less_than_what_is_done(shelf: Shelf, store: Store, engine: Here) -> None:
    chosen = design(best_order=True, measures=["aopc-delete", "normalised-aopc-pad", "cohesion"])
    said = plan(chosen, shelf)
    assert (said.texts, said.units) == (4, 8)
    assert said.rows == 4 * 2 * 4
    assert said.evaluations == said.by_methods + said.by_measures + said.by_best_order + said.by_gauge

    async def all_of_it() -> int:
        runner = Runner(engine, Evaluations(store), shelf)  # type: ignore[arg-type]
        made = await runner.add(chosen, "")
        return (await until_finished(runner, made.id)).evaluated

    done = run(all_of_it())
    assert done <= said.evaluations <= 6 * done


def test_drawn_texts_are_those_of_the_seed() -> None:
    assert design().texts() == design().texts()
    assert design(seed=4).texts() != design().texts()
    assert len(design().texts()) == 4
    assert set(design().texts()) <= set(design(most_texts=None).texts())


def test_a_run_that_is_begun_while_the_keeper_looks_goes_on(
    store: Store, shelf: Shelf, engine: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluations = Evaluations(store)
    look = evaluations.unfinished
    seen, begun = threading.Event(), threading.Event()

    def slow_look() -> list[str]:
        found = look()
        seen.set()
        assert begun.wait(60)
        return found

    async def all_of_it() -> bool:
        runner = Runner(engine, evaluations, shelf)  # type: ignore[arg-type]
        engine.wait.clear()
        monkeypatch.setattr(evaluations, "unfinished", slow_look)
        looking = asyncio.create_task(runner._keep_on())  # the keeper's turn, at the worst moment
        await asyncio.to_thread(seen.wait, 60)
        made = await runner.add(design(), "")
        begun.set()
        await looking
        task = runner._tasks[made.id]
        stopped = bool(task.cancelling()) or task.done()
        engine.wait.set()
        await until_finished(runner, made.id)
        await runner.stop()
        return stopped

    assert run(all_of_it()) is False
