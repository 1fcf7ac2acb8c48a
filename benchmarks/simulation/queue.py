"""Workers that share themselves between their jobs, and people who wait for them: simulated event by event."""

import heapq
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from benchmarks.simulation.people import Habits
from espalier.engine.crews.ray.placement import BATCH

WARM_UP = 0.2
"""Of the time that counts: so long everything runs before it does."""


class Worker:
    """Processor sharing: batches are filled with rows of all jobs, so n jobs each get the n-th part. `served` is what a
    job that was there all the time would have got by now; a job ends when that has grown by its work."""

    def __init__(self) -> None:
        self.ends: list[tuple[float, int]] = []
        self.busy = 0.0
        self._served = 0.0
        self._at = 0.0

    def advance(self, now: float) -> None:
        if self.ends:
            self._served += (now - self._at) / len(self.ends)
            self.busy += now - self._at
        self._at = now

    def begin(self, now: float, job: int, work: float) -> None:
        self.advance(now)
        heapq.heappush(self.ends, (self._served + work, job))

    def end(self, now: float) -> int:
        self.advance(now)
        return heapq.heappop(self.ends)[1]

    def next_end(self) -> float:
        """When the next job ends if nobody comes before."""
        return self._at + max(0.0, self.ends[0][0] - self._served) * len(self.ends) if self.ends else float("inf")


@dataclass
class Outcome:
    """What happened after the beginning, in which everybody comes at once, was left out."""

    seconds: float
    waits: list[float] = field(default_factory=list)
    unanswered: list[float] = field(default_factory=list)
    """How long those have waited who still do at the end: too few workers must not look like enough."""
    busy: float = 0.0

    def quantile(self, share: float) -> float:
        every = self.waits + self.unanswered
        return float(np.quantile(every, share)) if every else 0.0

    @property
    def mean(self) -> float:
        every = self.waits + self.unanswered
        return float(np.mean(every)) if every else 0.0

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.waits) / self.seconds


def simulate(people: int, workers: int, habits: Habits, seconds: float, warm_up: float | None = None) -> Outcome:
    """So many people for so long, after a warm-up of `warm_up` seconds."""
    warm_up = WARM_UP * seconds if warm_up is None else warm_up
    crew = [Worker() for _ in range(workers)]
    events: list[tuple[float, int, int, int]] = []  # time, number, worker or -1 for a question, version
    numbers, version = count(), [0] * workers
    asked: dict[int, float] = {}
    outcome = Outcome(seconds)

    def think(now: float) -> None:
        heapq.heappush(events, (now + habits.thought(), next(numbers), -1, 0))

    def look(worker: int) -> None:
        version[worker] += 1
        if (at := crew[worker].next_end()) < float("inf"):
            heapq.heappush(events, (at, next(numbers), worker, version[worker]))

    for _ in range(people):
        think(0.0)
    busy_before = None
    while events:
        now, number, worker, seen = heapq.heappop(events)
        if now > warm_up + seconds:
            break
        if busy_before is None and now >= warm_up:
            for each in crew:
                each.advance(now)
            busy_before = sum(each.busy for each in crew)
        if worker < 0:
            question = habits.question()
            if question is None:
                if now >= warm_up:
                    outcome.waits.append(0.0)
                think(now)
                continue
            first = habits.worker(workers)
            least = min(range(workers), key=lambda each: len(crew[each].ends))
            behind = len(crew[first].ends) - len(crew[least].ends)
            chosen = first if behind <= BATCH else least
            asked[number] = now
            crew[chosen].begin(now, number, habits.times.of(question))
            look(chosen)
        elif seen == version[worker]:
            started = asked.pop(crew[worker].end(now))
            if started >= warm_up:
                outcome.waits.append(now - started)
            look(worker)
            think(now)
    outcome.unanswered = [warm_up + seconds - started for started in asked.values()]
    outcome.busy = (sum(each.busy for each in crew) - (busy_before or 0.0)) / (workers * seconds)
    return outcome
