"""How much may wait at once: by each client, and in all. Beyond that, a new job is refused before it costs anything.

Jobs are counted, and the evaluations they are expected to take: ten long explanations can be more work than a hundred
short ones.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from espalier.problems import Problem

UNKNOWN_WORK = 500
"""Evaluations a job is taken for before its method has said how many it expects."""

LONGEST_PAUSE = 60
"""Seconds after which a refused client is asked to come again, at most."""


class Busy(Problem):
    """There is too much to do already. The same request will be accepted later."""

    code = "busy"
    status = 429

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Pressure:
    """Jobs that have not finished and the evaluations they still need: of all clients, and of the one who asks."""

    jobs: int = 0
    work: int = 0
    client_jobs: int = 0
    client_work: int = 0


@dataclass(frozen=True, slots=True)
class Admission:
    """The limits. `evaluations_per_second` is a guess at the service's speed, for saying when to come again."""

    jobs: int
    work: int
    client_jobs: int
    client_work: int
    evaluations_per_second: float = 200.0

    def __call__(self, pressure: Pressure) -> None:
        """Refuse another job when there are too many."""
        self._check("you have", "jobs waiting", pressure.client_jobs, self.client_jobs, pressure.client_work)
        self._check("you have", "evaluations waiting", pressure.client_work, self.client_work, pressure.client_work)
        self._check("the service has", "jobs waiting", pressure.jobs, self.jobs, pressure.work)
        self._check("the service has", "evaluations waiting", pressure.work, self.work, pressure.work)

    def _check(self, who: str, what: str, got: int, possible: int, work: int) -> None:
        if got < possible:
            return
        # By then a good part of the work is done and there is room for some of those who ask.
        pause = math.ceil(work / self.evaluations_per_second / 4)
        retry_after = max(1, min(pause, LONGEST_PAUSE))
        raise Busy(
            f"too much to do: {who} {got:,} {what}, possible are up to {possible:,}; "
            f"try again in {retry_after} seconds",
            retry_after,
        )


@dataclass(slots=True, eq=False)
class Place:
    """What a request takes while it is not a job yet."""

    client: str
    estimate: int | None = None

    @property
    def work(self) -> int:
        return UNKNOWN_WORK if self.estimate is None else self.estimate


class Desk:
    """Admits requests one after the other. Each has its place from the moment it is admitted, before anything is waited
    for, so that a burst cannot pass; the place is given back when the request is a job, or refused.

    `unfinished` gives client and work left of every job there is.
    """

    def __init__(self, admit: Callable[[Pressure], None], unfinished: Callable[[], Iterable[tuple[str, int]]]) -> None:
        self._admit = admit
        self._unfinished = unfinished
        self._places: set[Place] = set()

    @contextmanager
    def place(self, client: str) -> Iterator[Place]:
        self._admit(self.pressure(client))
        made = Place(client)
        self._places.add(made)
        try:
            yield made
        finally:
            self._places.discard(made)

    def expect(self, place: Place, work: int) -> None:
        """The method has said what it expects: admit it again, for what it really is. A job that is more than a limit
        by itself must wait until nobody else does; or it would wait for ever."""
        self._places.discard(place)
        self._admit_beside(self.pressure(place.client), work)
        place.estimate = work
        self._places.add(place)

    def join(self, place: Place, unfinished: Pressure) -> None:
        """Admit a request among what is unfinished at all servers, just before it is written down there."""
        self._admit_beside(unfinished, place.work)

    def _admit_beside(self, others: Pressure, work: int) -> None:
        all_work = others.work + work - 1 if others.work else 0
        client_work = others.client_work + work - 1 if others.client_work else 0
        self._admit(replace(others, work=all_work, client_work=client_work))

    def pressure(self, client: str) -> Pressure:
        """What is unfinished or on its way, in all and of one client."""
        work = [*self._unfinished(), *((place.client, place.work) for place in self._places)]
        own = [left for whose, left in work if whose == client]
        return Pressure(len(work), sum(left for _, left in work), len(own), sum(own))
