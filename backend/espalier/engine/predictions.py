"""Predictions of many texts in parts: each is answered in time, and the model always has the next one to begin."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from espalier.engine.messages import PredictAll, Predictions
from espalier.problems import Problem

PART = 128
"""Texts of one question: a few batches of the model, so that a part takes a second or two."""

AT_ONCE = 2
"""Parts that are with a worker: one is read into tokens while the model is busy with the other."""


async def predict_in_parts(
    ask: Callable[[PredictAll], Awaitable[Predictions]], model: str, instances: Sequence[tuple[str, str | None]]
) -> Predictions:
    """Probabilities by class, in the order of the instances. What is wrong with one of them is wrong with all."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(part: tuple[tuple[str, str | None], ...]) -> Predictions:
        async with places:
            return await ask(PredictAll(model, part))

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(part)) for part in _parts(instances)]
    except* Problem as problems:
        raise problems.exceptions[0] from None
    return [each for task in tasks for each in task.result()]


def _parts(instances: Sequence[tuple[str, str | None]]) -> list[tuple[tuple[str, str | None], ...]]:
    return [tuple(instances[start : start + PART]) for start in range(0, len(instances), PART)]
