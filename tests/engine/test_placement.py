"""Which worker of a cluster does a job, and which workers there should be."""

import asyncio
from collections import Counter
from io import BytesIO

import pytest

from espalier.engine.crews.ray import outbox
from espalier.engine.crews.ray.errands import Errands
from espalier.engine.crews.ray.outbox import LINGER_SECONDS, Heard, Outbox
from espalier.engine.crews.ray.placement import BATCH, NEAR, choose, workers_of
from espalier.engine.crews.ray.post import Post
from espalier.engine.crews.ray.reconciling import Load, devices, plan
from espalier.engine.messages import ORDERS, Ask, Check, Measure, Parse, Predict, Question, Run
from espalier.explain.request import ExplanationRequest
from espalier.measure.request import MeasureRequest

WORKERS = [f"worker{number}" for number in range(4)]
IDLE = dict.fromkeys(WORKERS, 0)


def test_games_are_spread_evenly() -> None:
    counts = Counter(choose("m", f"game {number}", IDLE) for number in range(4_000))
    assert set(counts) == set(WORKERS)
    # Four standard deviations of a fair draw.
    assert max(abs(count - 1_000) for count in counts.values()) < 4 * (4_000 * 0.25 * 0.75) ** 0.5


def test_when_a_worker_goes_only_its_own_games_move() -> None:
    left = dict.fromkeys(WORKERS[1:], 0)
    for number in range(200):
        before = choose("m", f"game {number}", IDLE)
        if before != WORKERS[0]:
            assert choose("m", f"game {number}", left) == before


def test_a_game_stays_where_it_is_until_that_worker_is_more_than_a_batch_behind() -> None:
    had = WORKERS[2]
    assert choose("m", "game", IDLE | {had: BATCH}, had=had) == had
    assert choose("m", "game", IDLE | {had: BATCH + 1}, had=had) != had
    assert choose("m", "game", dict.fromkeys(WORKERS[:2], 0), had=had) in WORKERS[:2]


def test_a_new_game_goes_to_a_worker_that_has_little_to_do() -> None:
    first = choose("m", "game", IDLE)
    assert choose("m", "game", IDLE | {first: NEAR}) == first
    assert choose("m", "game", IDLE | {first: NEAR + 1}) != first


def test_loads_of_new_games_never_drift_apart() -> None:
    loads = dict(IDLE)
    for number in range(400):
        loads[choose("m", f"game {number}", loads)] += 1
    assert max(loads.values()) - min(loads.values()) <= NEAR + 1


def test_a_model_has_as_many_workers_as_are_wanted_for_it() -> None:
    chosen = {choose("m", f"game {number}", IDLE, {"m": 2}) for number in range(200)}
    assert len(chosen) == 2
    assert len({choose("other", f"game {number}", IDLE, {"m": 2}) for number in range(200)}) == 4


def node(identity: str, *, alive: bool = True, **resources: float) -> dict[str, object]:
    return {"NodeID": identity, "Alive": alive, "Resources": resources, "NodeManagerHostname": "host"}


def test_there_is_a_device_for_each_gpu_or_the_processor_of_a_living_machine() -> None:
    found = devices(
        [node("a" * 40, CPU=8, GPU=2), node("b" * 40, CPU=4), node("c" * 40), node("d", alive=False, CPU=1)]
    )
    assert [(each.kind, each.index, each.cores) for each in found] == [("cuda", 0, 8), ("cuda", 1, 8), ("cpu", 0, 4)]
    assert len({each.name for each in found}) == 3


def test_every_device_has_a_worker_and_those_of_machines_that_have_gone_are_given_back() -> None:
    possible = devices([node("a" * 40, CPU=1), node("b" * 40, CPU=1)])
    make, give_back = plan(possible, {possible[0].name: Load(0, 1e6), "old": Load(0, 0)}, 0, 600)
    assert (make, give_back) == ([possible[1]], ["old"])


def test_beyond_what_is_always_wanted_workers_come_with_work_and_go_when_idle() -> None:
    possible = devices([node(letter * 40, CPU=1) for letter in "abc"])
    one, two, three = (each.name for each in possible)
    assert plan(possible, {}, 1, 600) == ([possible[0]], [])
    assert plan(possible, {one: Load(BATCH, 0)}, 1, 600) == ([], [])
    assert plan(possible, {one: Load(BATCH + 1, 0)}, 1, 600) == ([possible[1]], [])
    assert plan(possible, {one: Load(0, 10), two: Load(0, 601), three: Load(1, 700)}, 1, 600) == ([], [two])
    assert plan(possible, {one: Load(0, 601), two: Load(0, 601)}, 1, 600) == ([], [one])


def test_as_many_workers_are_kept_as_a_model_is_wanted_on() -> None:
    possible = devices([node(letter * 40, CPU=1) for letter in "abcd"])
    names = [each.name for each in possible]
    make, give_back = plan(possible, {names[0]: Load(0, 0)}, 1, 600, {"m": 2})
    assert (make, give_back) == ([possible[1]], [])
    idle = dict.fromkeys(names, Load(0, 601))
    _, given_back = plan(possible, idle, 1, 600, {"m": 2})
    assert sorted(given_back) == sorted(set(names) - set(workers_of("m", names, {"m": 2})))


class Seen(Post):
    """A worker that is there, of which only that is known which questions it was asked."""

    def __init__(self, name: str) -> None:
        super().__init__(name, None, "courier", lambda *_: None, lambda _: None, lambda: None)
        self._take(Heard("life", [], "ready", 0, 0, 0, None, 0.0))
        self.asked: list[str] = []

    async def ask(self, order: bytes, seconds: float | None) -> bytes:
        asked = ORDERS.read(BytesIO(order))
        assert isinstance(asked, Ask)
        self.asked.append(asked.question.kind)
        return b""


async def test_the_jobs_of_a_worker_that_has_gone_are_spread_over_the_others() -> None:
    """All at once: none of the others has said anything meanwhile."""
    errands = Errands(lambda _: None, {})
    errands.posts = {name: Seen(name) for name in WORKERS}
    for number in range(40):
        request = ExplanationRequest(text=f"film {number}", model="m", method="shap")
        errands.run(Run(f"job {number}", request, "me"))
    gone = errands.posts[WORKERS[0]]
    gone.is_here = False
    errands.lost(gone)
    loads = [errands.posts[name].load for name in WORKERS[1:]]
    assert sum(loads) == 40
    assert max(loads) - min(loads) <= NEAR + 1


async def asked_at(question: Question, wanted: dict[str, int]) -> str:
    """The worker that a question goes to."""
    errands = Errands(lambda _: None, wanted)
    errands.posts = {name: Seen(name) for name in WORKERS}
    await errands._ask(Ask(1, question))
    (name,) = (name for name, post in errands.posts.items() if post.asked)  # type: ignore[attr-defined]
    return name


async def test_a_measurement_goes_where_the_jobs_of_its_game_go() -> None:
    chosen = set()
    for number in range(20):
        text = f"film {number}"
        request = MeasureRequest(text=text, model="m", conditions=(), measures=())
        expected = choose("m", f"m\n{text}\nNone", IDLE, {"m": 2})
        assert await asked_at(Measure(request, "me"), {"m": 2}) == expected
        job = ExplanationRequest(text=text, model="m", method="shap")
        assert await asked_at(Check(job), {"m": 2}) == expected
        chosen.add(expected)
    assert len(chosen) == 2


async def test_a_question_goes_to_a_worker_that_has_its_model() -> None:
    for model in ("m", "n", "o"):
        possible = workers_of(model, WORKERS, {model: 1})
        assert await asked_at(Predict(model, "A film."), {model: 1}) == possible[0]
    assert await asked_at(Parse("A film."), {"m": 1}) in WORKERS


async def test_what_was_not_heard_is_said_again_and_an_attempt_is_begun_once() -> None:
    box = Outbox()
    assert box.begin("job", 1)
    assert not box.begin("job", 1)
    box.put("job", 1, b"first", is_end=False)
    box.put("job", 1, b"last", is_end=True)
    assert [each.frame for each in await box.after(0, 1)] == [b"first", b"last"]
    assert [each.frame for each in await box.after(0, 1)] == [b"first", b"last"]
    assert [each.frame for each in await box.after(1, 1)] == [b"last"]
    assert await box.after(2, 0.01) == []
    assert box.begin("job", 1), "its end was heard: nothing is kept of it"


async def test_what_a_job_says_on_its_way_travels_together_and_its_end_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    box = Outbox()
    box.put("job", 1, b"first", is_end=False)

    async def say_more() -> None:
        await asyncio.sleep(LINGER_SECONDS / 10)
        box.put("job", 1, b"second", is_end=False)

    more = asyncio.create_task(say_more())
    assert [each.frame for each in await box.after(0, 60)] == [b"first", b"second"]
    await more

    async def end() -> None:
        await asyncio.sleep(0)
        box.put("job", 1, b"end", is_end=True)

    monkeypatch.setattr(outbox, "LINGER_SECONDS", 3_600)
    ending = asyncio.create_task(end())
    async with asyncio.timeout(60):
        assert [each.frame for each in await box.after(2, 60)] == [b"end"]
    await ending
