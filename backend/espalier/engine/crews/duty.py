"""A job that the crew has taken, from its beginning to its end, however many workers that takes."""

import asyncio
from itertools import count

from espalier.engine.crews.protocol import ENDS, Assignment, Happening
from espalier.engine.messages import Failed, Trouble, Waiting
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
