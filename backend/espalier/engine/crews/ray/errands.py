"""The jobs of one server, given to workers of the cluster; given again when a worker has gone. Only what a worker says
of the newest attempt counts."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count
from typing import Any

import structlog

from espalier.engine.crews.duty import Game, game_of
from espalier.engine.crews.ray.outbox import QUESTION_LOST, Saying
from espalier.engine.crews.ray.placement import choose, workers_of
from espalier.engine.crews.ray.post import Post
from espalier.engine.messages import (
    ORDERS,
    SAYINGS,
    Ask,
    Check,
    Failed,
    Measure,
    Parse,
    Question,
    Refusal,
    Run,
    StandIns,
    Trouble,
    Waiting,
)

MOST_GAMES = 10_000
"""Whose workers are remembered: what a worker knows of a game is forgotten sooner."""

MOST_ATTEMPTS = 50
"""Workers that may go with a job: after that it is the job's doing."""

ANSWER_SECONDS = 60.0

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class Errand:
    """`attempt` is the number of the newest order that it was given away with; `given` counts these orders."""

    run: Run
    attempt: int = 0
    given: int = 0
    post: Post | None = None
    order: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.order = ORDERS.pack(self.run)


class Errands:
    """Everything here runs on one event loop. `say` takes frames that go to the server as they are."""

    def __init__(self, say: Callable[[bytes], None], wanted: Mapping[str, int]) -> None:
        self.posts: dict[str, Post] = {}
        self._say = say
        self._wanted = wanted
        self._errands: dict[str, Errand] = {}
        self._had: dict[bytes, str] = {}
        # Never the same twice, for no job: one that another server took may come back here, and a worker that was given
        # it before would take a number it knows for the same order said twice, and do nothing.
        self._attempts = count(1)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._questions: dict[int, asyncio.Task[Any]] = {}

    def run(self, order: Run) -> None:
        errand = self._errands[order.job] = Errand(order)
        self._give(errand)

    def cancel(self, job: str) -> None:
        if (errand := self._errands.pop(job, None)) is not None and errand.post is not None:
            self._spawn(errand.post.cancel(job, errand.attempt))

    def ask(self, order: Ask) -> None:
        asking = self._questions[order.number] = self._spawn(self._ask(order))
        asking.add_done_callback(lambda _: self._questions.pop(order.number, None))

    def withdraw(self, number: int) -> None:
        if (asking := self._questions.get(number)) is not None:
            asking.cancel()

    def heard(self, post: Post, saying: Saying) -> None:
        errand = self._errands.get(saying.job)
        if errand is None or errand.post is not post or errand.attempt != saying.attempt:
            return  # of an attempt that was given up
        if saying.is_end:
            del self._errands[saying.job]
        self._say(saying.frame)

    def lost(self, post: Post) -> None:
        """What a worker was given is gone: others get it."""
        for errand in [each for each in self._errands.values() if each.post is post]:
            # Should it be there after all, it must not go on for nobody.
            self._spawn(post.cancel(errand.run.job, errand.attempt))
            errand.post = None
            if errand.given >= MOST_ATTEMPTS:
                del self._errands[errand.run.job]
                said = f"its worker went {errand.given} times before it was done: it is given up"
                self._say(SAYINGS.pack(Failed(errand.run.job, Trouble("worker-lost", 500, said))))
                continue
            _log.warning("a job is given away again", job=errand.run.job, worker=post.name, attempt=errand.attempt)
            self._say(SAYINGS.pack(Waiting(errand.run.job)))
            self._give(errand)

    def go_on(self) -> None:
        """There may be a worker for those who wait."""
        for errand in [each for each in self._errands.values() if each.post is None]:
            self._give(errand)

    async def farewell(self) -> None:
        await asyncio.gather(*(post.farewell() for post in self.posts.values()))

    def _give(self, errand: Errand) -> None:
        game = game_of(errand.run.request)
        post = self._place(game)
        if post is None:
            return
        errand.post = post
        errand.given += 1
        attempt = errand.attempt = next(self._attempts)

        def is_wanted() -> bool:
            same = self._errands.get(errand.run.job) is errand
            return same and errand.post is post and errand.attempt == attempt

        self._spawn(post.begin(attempt, errand.order, is_wanted))

    def _place(self, game: Game) -> Post | None:
        """Where a game is, or will be."""
        here = [post for post in self.posts.values() if post.is_here]
        here = [post for post in here if post.is_ready] or here
        if not here:
            return None
        loads = {post.name: post.load for post in here}
        key = "\n".join(map(str, game))
        # A digest: texts may be long, and this remembers many.
        known = blake2b(key.encode(), digest_size=16).digest()
        name = self._had[known] = choose(game[0], key, loads, self._wanted, self._had.pop(known, None))
        if len(self._had) > MOST_GAMES:
            del self._had[next(iter(self._had))]
        return self.posts[name]

    def _place_question(self, question: Question) -> Post | None:
        # The worker that does the job then has the text read already, or what the model said of it.
        if isinstance(question, Check | StandIns):
            return self._place(game_of(question.request))
        if isinstance(question, Measure):
            return self._place((question.request.model, question.request.text, None))
        ready = {post.name: post.load for post in self.posts.values() if post.is_ready}
        if not isinstance(question, Parse):  # all others name a model: on another worker it would be loaded first
            possible = workers_of(question.model, ready, self._wanted)
            ready = {name: ready[name] for name in possible}
        return self.posts[min(ready, key=lambda name: ready[name])] if ready else None

    async def _ask(self, order: Ask) -> None:
        question = order.question
        post = self._place_question(question)
        if post is None or not post.is_ready:
            reasons = {each.refusal for each in self.posts.values() if each.refusal is not None}
            reason = min(reasons, default="try again in a moment")
            self._refuse(order, "not-ready", f"no worker of the cluster is ready: {reason}")
            return
        try:
            # A measurement takes as long as it takes.
            seconds = None if isinstance(question, Measure) else ANSWER_SECONDS
            self._say(await post.ask(ORDERS.pack(order), seconds))
        except TimeoutError:
            self._refuse(order, "not-ready", "the worker did not answer in time: it has too much to do; try again")
        except Exception as error:  # Ray says in many ways that an actor does not answer
            _log.info("a question was not answered", question=question.kind, reason=type(error).__name__)
            self._refuse(order, QUESTION_LOST, "the worker has gone before it answered: try again")

    def _refuse(self, order: Ask, code: str, message: str) -> None:
        self._say(SAYINGS.pack(Refusal(order.number, Trouble(code, 503, message))))

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
