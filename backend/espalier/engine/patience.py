"""Asking for explanations as somebody who has time: batches, studies, and what else works in the background.

What passes (a full queue, a worker that is starting, a database that is locked) is waited for; what does not is raised.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from espalier.engine.protocol import Engine
from espalier.jobs import Job
from espalier.problems import Problem

WAIT_SECONDS = 60.0
"""Of one wait for a job; then the wait begins again."""

TRY_AGAIN_SECONDS = 2.0
"""Where a problem passes but does not say when."""

PASSING = frozenset({429, 503})

Answer = TypeVar("Answer")


async def patiently(ask: Callable[[], Awaitable[Answer]]) -> Answer:
    """The answer, asked for again while the reason why there is none may pass."""
    while True:
        try:
            return await ask()
        except Problem as problem:
            pause: float | None = getattr(problem, "retry_after", None)
            if pause is None and problem.status not in PASSING:
                raise
        await asyncio.sleep(TRY_AGAIN_SECONDS if pause is None else pause)


async def finished(engine: Engine, job: Job) -> Job:
    """The job when it has ended, whatever its end."""
    identity = job.id
    while not job.is_finished:
        job = await patiently(lambda: engine.wait(identity, WAIT_SECONDS))
    return job
