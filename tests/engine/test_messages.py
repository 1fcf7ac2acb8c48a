"""What travels between the service and a worker, however long, and what is no message at all."""

import asyncio
import io

import pytest
from tests.engine.scripted import make, until

from espalier.engine.crews.protocol import WorkerLost
from espalier.engine.messages import (
    LONGEST_LINE,
    ORDERS,
    SAYINGS,
    About,
    Ask,
    BrokenMessage,
    Check,
    Checked,
    Failed,
    Load,
    Parse,
    Predict,
    PredictAll,
    Pulse,
    Question,
    Ready,
    Refusal,
    Run,
    Said,
    Succeeded,
    Trouble,
    read_answer,
    write_answer,
)
from espalier.explain.request import ExplanationRequest
from espalier.problems import LONGEST_MESSAGE, Problem, UnknownName, quoted

LONG = "é" * 400_000


async def received(data: bytes) -> Said | None:
    stream = asyncio.StreamReader(limit=LONGEST_LINE)
    stream.feed_data(data)
    stream.feed_eof()
    return await SAYINGS.receive(stream)


@pytest.mark.parametrize(
    "said",
    [
        Ready(),
        Pulse(1.5),
        Succeeded("j", 3, 0.25, f'{{"text":"{LONG}"}}'),
        Failed("j", Trouble("unknown-name", 404, LONG)),
        Refusal(7, Trouble("bad-tree", 422, f"a line\nand {LONG}")),
    ],
)
async def test_what_a_worker_says_arrives_however_long_it_is(said: Said) -> None:
    assert await received(SAYINGS.pack(said)) == said


@pytest.mark.parametrize(
    "order",
    [
        Run("j", ExplanationRequest(text=LONG, tree="(S x)"), "me"),
        Ask(1, Check(ExplanationRequest(text="A film.", parameters={"window": 3}))),
        Ask(2, Parse("model")),
        Ask(3, Predict("m", "text", None)),
    ],
)
def test_what_a_worker_is_told_arrives(order: Run | Ask) -> None:
    assert ORDERS.read(io.BytesIO(ORDERS.pack(order))) == order


@pytest.mark.parametrize(
    "data",
    [
        b"x" * 10_000,
        b'{"is":"ready"}\n',
        b"Ready 1\n",
        b"Ready -1 0\n",
        b"Succeeded 99999999999 0\n",
        b"Nobody 2 0\n{}",
        b"Failed 2 0\n{}",
        b"Ready 2 3\n{}abc",
        b"Succeeded 45 1\n" + b'{"job":"j","evaluated":1,"model_seconds":0.1}' + b"\xff",
    ],
)
async def test_what_is_no_message_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(BrokenMessage):
        await received(data)


@pytest.mark.parametrize("data", [b"", b"Rea", b"Ready 2 0\n{", b"Succeeded 45 100\n{}"])
async def test_a_process_that_ends_while_it_speaks_has_said_nothing(data: bytes) -> None:
    assert await received(data) is None


async def test_a_long_refusal_is_shortened_and_the_worker_lives_on(tmp_path) -> None:  # type: ignore[no-untyped-def]
    engine = make(f"sqlite:///{tmp_path}/engine.sqlite")
    await engine.start()
    await until(lambda: engine.workers[0].state == "ready")
    with pytest.raises(Problem) as refused:
        await engine.parse("refuse at length")
    assert len(refused.value.message) < LONGEST_MESSAGE + 10
    assert await engine.parse("film")
    assert engine.workers[0].restarts == 0
    await engine.stop(0)


async def test_an_answer_to_something_else_is_none_and_whoever_asked_hears_it(tmp_path) -> None:  # type: ignore[no-untyped-def]
    engine = make(f"sqlite:///{tmp_path}/engine.sqlite")
    await engine.start()
    await until(lambda: engine.workers[0].state == "ready")
    with pytest.raises(WorkerLost):
        await engine.parse("answer something else")
    await until(lambda: engine.workers[0].restarts == 1 and engine.workers[0].state == "ready")
    assert await engine.parse("film") == {"words": [], "nodes": []}
    await engine.stop(0)


ANSWERS = [
    (Check(ExplanationRequest(text="A film.")), Checked(About("r1", ("a", "b"), 9), 12)),
    (Load("m"), About("r1", ("a", "b"), 9)),
    (PredictAll("m", (("A film.", None),)), [{"a": 0.25, "b": 0.75}]),
    (Parse("A film."), {"words": [{"text": "A", "start": 0, "end": 1}], "nodes": []}),
]


@pytest.mark.parametrize(("question", "answer"), ANSWERS, ids=lambda each: type(each).__name__)
def test_an_answer_arrives_in_its_own_type(question: Question, answer: object) -> None:
    found = read_answer(question, write_answer(question, answer))
    assert found == answer
    assert type(found) is type(answer)


@pytest.mark.parametrize(("question", "_"), ANSWERS, ids=lambda each: type(each).__name__)
def test_what_answers_nothing_is_said_to(question: Question, _: object) -> None:
    with pytest.raises(BrokenMessage, match=f"no answer to {type(question).__name__}: "):
        read_answer(question, '{"anything": "else"}')


def test_a_problem_quotes_no_more_than_can_be_read_and_still_says_what_is_possible() -> None:
    said = UnknownName("class of m", LONG, ("negative", "positive")).message
    assert len(said) < 300
    assert "400,000 characters" in said
    assert said.endswith("possible are negative, positive")
    assert quoted("short") == "'short'"
    assert len(Problem(f"got {LONG}, possible is less").message) < LONGEST_MESSAGE + 10
    assert Problem(f"got {LONG}, possible is less").message.endswith("possible is less")
