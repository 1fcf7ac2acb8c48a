"""Many texts at once: in order, in full batches, and no problem is anybody else's."""

import asyncio
import threading
from contextlib import aclosing

import pytest

from espalier.engine.many import each_awaited, each_of
from espalier.library import explain, explain_all
from espalier.text import Passage, read
from espalier.trees.desk import ParseDesk
from espalier.trees.tree import SpanTree, from_spans

TEXTS = ["The film is good.", "It is not very good.", "The music is bad, but the leads are charming.", "Fine."] * 4


def test_answers_come_in_order_though_several_are_under_way():
    together = threading.Barrier(4, timeout=30)

    def answer(number: int) -> int:
        together.wait()  # passed only if four are there at the same time
        return number * number

    assert list(each_of(range(8), answer, at_once=4)) == [number * number for number in range(8)]


def test_a_problem_is_raised_in_its_turn():
    def answer(number: int) -> int:
        return 6 // number

    found = each_of([3, 2, 0, 1], answer, at_once=2)
    assert [next(found), next(found)] == [2, 3]
    with pytest.raises(ZeroDivisionError):
        next(found)


async def test_the_next_one_begins_as_soon_as_one_is_answered_and_waits_for_no_other():
    begun = [asyncio.Event() for _ in range(4)]
    ends = [asyncio.Event() for _ in range(4)]

    async def answer(number: int) -> int:
        begun[number].set()
        await ends[number].wait()
        return number * number

    async def everything() -> list[tuple[int, int]]:
        return [found async for found in each_awaited(range(4), answer, at_once=lambda: 2)]

    result = asyncio.create_task(everything())
    ends[0].set()
    # The second has not been answered: behind a barrier the third would never begin.
    async with asyncio.timeout(30):
        await begun[2].wait()
    assert not begun[3].is_set()
    for end in reversed(ends):
        end.set()
    assert await result == [(number, number * number) for number in range(4)]


async def test_whoever_stops_early_leaves_nothing_under_way_and_draws_no_more_than_allowed():
    cancelled: list[int] = []
    drawn: list[int] = []

    def numbers():
        for number in range(10):
            drawn.append(number)
            yield number

    async def answer(number: int) -> int:
        try:
            if number:
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(number)
            raise
        return number

    async with aclosing(each_awaited(numbers(), answer, at_once=lambda: 3)) as found:
        assert await anext(found) == (0, 0)
        await asyncio.sleep(0)
    assert cancelled == [1, 2]
    assert drawn == [0, 1, 2]


async def test_none_allowed_is_the_end():
    async def answer(number: int) -> int:
        return number

    kept: list[int] = []
    async for number, _ in each_awaited(range(100), answer, at_once=lambda: min(4, 6 - len(kept))):
        kept.append(number)
    assert kept == [0, 1, 2, 3, 4, 5]


def test_many_texts_are_explained_as_if_each_had_been_given_alone():
    many = list(explain_all(TEXTS, "sst2-bow", "ls-tree"))
    assert [each.text for each in many] == TEXTS
    for text, each in zip(TEXTS[:4], many, strict=False):
        assert each.result == explain(text, "sst2-bow", "ls-tree").result


def flat(passage: Passage) -> SpanTree:
    return from_spans(len(passage.words), {})


def test_those_who_wait_for_a_parse_are_served_together():
    first_is_at_work, others_wait = threading.Event(), threading.Event()
    groups: list[int] = []

    def parse_batch(passages):
        groups.append(len(passages))
        if len(groups) == 1:
            first_is_at_work.set()
            assert others_wait.wait(30)
        return [flat(passage) for passage in passages]

    desk = ParseDesk(parse_batch)
    found: list[SpanTree] = []
    threads = [threading.Thread(target=lambda: found.append(desk.parse(read("A film.")))) for _ in range(5)]
    threads[0].start()
    assert first_is_at_work.wait(30)
    for thread in threads[1:]:
        thread.start()
    while len(desk._queue) < 4:
        assert all(thread.is_alive() for thread in threads)
    others_wait.set()
    for thread in threads:
        thread.join(30)
    assert groups == [1, 4]
    assert len(found) == 5


def test_a_text_that_cannot_be_parsed_is_nobody_elses_problem():
    def parse_batch(passages):
        if any(passage.source == "bad" for passage in passages):
            raise ValueError("bad")
        return [flat(passage) for passage in passages]

    desk = ParseDesk(parse_batch)
    texts = ["good", "bad", "fine"] * 3
    answers: list[object] = [None] * len(texts)

    def ask(place: int) -> None:
        try:
            answers[place] = desk.parse(read(texts[place]))
        except ValueError as error:
            answers[place] = error

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [isinstance(answer, ValueError) for answer in answers] == [text == "bad" for text in texts]
