"""A job that the crew has taken, from its beginning to its end, however many workers that takes."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from itertools import count

from espalier.engine.crews.protocol import ENDS, Assignment, Happening
from espalier.engine.messages import Cancelled, Failed, Trouble, Waiting
from espalier.explain.request import ExplanationRequest

Game = tuple[str, str, str | None]
"""Jobs with the same are better done by the same worker: it remembers what the model said."""

_numbers = count()


def game_of(request: ExplanationRequest) -> Game:
    return request.model, request.text, request.pair


class Duty:
    """What is said of it waits here until the ledger takes it; None is the end of a stream without an end."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.number = next(_numbers)
        self.game = game_of(assignment.request)
        self.begun = 0
        self.deaths = 0
        self.deaths_alone = 0
        self.ended = False
        self.has_begun = False
        self.said: asyncio.Queue[Happening | None] = asyncio.Queue()

    @property
    def job(self) -> str:
        return self.assignment.job

    @property
    def client(self) -> str:
        return self.assignment.client

    @property
    def is_suspect(self) -> bool:
        """It was there when a worker died. Whether it was the reason shows when it is alone with the next one."""
        return self.deaths > 0

    def say(self, happening: Happening) -> None:
        if not self.ended:
            self.ended = isinstance(happening, ENDS)
            self.has_begun = not isinstance(happening, Waiting)
            self.said.put_nowait(happening)

    def fail(self, code: str, status: int, message: str) -> None:
        self.say(Failed(self.job, Trouble(code, status, message)))

    def break_off(self) -> None:
        self.ended = True
        self.said.put_nowait(None)


class Dutiful(ABC):
    """The part of `crews.protocol.Crew` that is the same whoever does the work: a job is taken, followed to its end,
    and let go."""

    def __init__(self) -> None:
        self.duties: dict[str, Duty] = {}

    async def run(self, assignment: Assignment) -> AsyncGenerator[Happening, None]:
        duty = self.duties[assignment.job] = Duty(assignment)
        self._give(duty)
        try:
            while (said := await duty.said.get()) is not None:
                yield said
                if isinstance(said, ENDS):
                    return
        finally:
            self._cancel(duty)
            if self.duties.get(assignment.job) is duty:
                del self.duties[assignment.job]

    def cancel(self, job: str) -> None:
        if (duty := self.duties.get(job)) is not None:
            self._cancel(duty)

    def _cancel(self, duty: Duty) -> None:
        if not duty.ended:
            self._take_back(duty)
            duty.say(Cancelled(duty.job))

    @abstractmethod
    def _give(self, duty: Duty) -> None:
        """To somebody who does it, now or when it is its turn."""

    @abstractmethod
    def _take_back(self, duty: Duty) -> None:
        """From whoever has it."""
