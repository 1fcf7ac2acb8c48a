"""Keeps claims, takes what others left, ends leases, tells listeners elsewhere, forgets what is old."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Protocol

import structlog

from espalier.engine.endless import endless
from espalier.engine.ledger.calendar import Calendar
from espalier.engine.ledger.live import LiveJob
from espalier.engine.ledger.threads import StoreThreads
from espalier.jobs import Event, Job
from espalier.store.base import now
from espalier.store.batches import Batches
from espalier.store.database import StoreUnavailable
from espalier.store.jobs import Claims, Jobs
from espalier.store.jobs.claims import Claimed

TICK_SECONDS = 1.0
TELL_SECONDS = 0.4

MOST_AT_ONCE = 64
"""Jobs that are taken in one look: other servers want some as well."""

_log = structlog.get_logger(__name__)


class House(Protocol):
    """What the keeper may do with the ledger's jobs."""

    live: dict[str, LiveJob]

    def take_on(self, claimed: Claimed) -> None: ...
    def give_up(self, live: LiveJob) -> None: ...
    def cancel_soon(self, live: LiveJob) -> None: ...


class Keeper:
    """The ledger's loops. Each survives whatever happens in one of its turns."""

    def __init__(self, house: House, jobs: Jobs, claims: Claims, threads: StoreThreads, keep: timedelta) -> None:
        self._house = house
        self._jobs = jobs
        self._claims = claims
        self._batches = Batches(jobs.store)
        self._threads = threads
        self._calendar = Calendar(keep)
        self._news = asyncio.Event()
        self._told: dict[str, int] = {}
        self.taken_over = 0

    def loops(self) -> list[Callable[[], object]]:
        renew = min(5.0, self._claims.seconds / 4)
        return [
            lambda: endless("keeping claims", lambda: self._keep_claims(renew), 0.01),
            lambda: endless("ending leases", self._end_leases, TICK_SECONDS),
            lambda: endless("telling listeners elsewhere", self._tell, TELL_SECONDS),
            lambda: endless("forgetting what is old", self._forget, TICK_SECONDS),
        ]

    def look(self) -> None:
        """Somebody has said something that may be about a job of ours, or let go of some."""
        self._news.set()

    async def _keep_claims(self, pause: float) -> None:
        try:
            async with asyncio.timeout(pause):
                await self._news.wait()
        except TimeoutError:
            pass
        self._news.clear()
        try:
            await self.renew()
            await self.claim()
        except StoreUnavailable as problem:
            # Nobody else can take them meanwhile either.
            _log.warning("claims cannot be renewed yet", reason=problem.message)
            await asyncio.sleep(min(1.0, pause))

    async def renew(self) -> None:
        held = {identity: live for identity, live in self._house.live.items() if not live.ending}
        if not held:
            return
        standing = await self._threads.write(self._claims.renew, list(held))
        for identity, live in held.items():
            said = standing.get(identity)
            if live.ending or identity not in self._house.live:
                continue
            if said is None:
                _log.warning("a job is another server's now", job=identity)
                self._house.give_up(live)
                continue
            live.watched = said.watched
            if said.watched:
                live.heard()
            if said.cancel_wished:
                self._house.cancel_soon(live)

    async def claim(self, *, everything: bool = False) -> None:
        while True:
            taken = await self._threads.write(lambda: self._claims.claim(MOST_AT_ONCE, everything=everything))
            taken = [each for each in taken if each.job.id not in self._house.live]
            for claimed in taken:
                self._house.take_on(claimed)
            if taken:
                self.taken_over += 0 if everything else len(taken)
                _log.info("going on with unfinished jobs", jobs=len(taken))
            if len(taken) < MOST_AT_ONCE or not everything:
                return

    async def _end_leases(self) -> None:
        for live in [each for each in self._house.live.values() if each.lease_is_over and not each.ending]:
            _log.info("nobody listens any more", job=live.job.id)
            self._house.cancel_soon(live)

    async def _tell(self) -> None:
        """Write down what is new of jobs that somebody listens to elsewhere."""
        news: list[tuple[Job, list[Event]]] = []
        for identity, live in self._house.live.items():
            if live.watched and not live.ending and (events := live.news(self._told.get(identity, 0))):
                news.append((live.job, events))
        if news:
            try:
                await self._threads.write(self._jobs.note, news)
            except StoreUnavailable:
                return
            self._told |= {job.id: events[-1].id for job, events in news}
        self._told = {identity: last for identity, last in self._told.items() if identity in self._house.live}

    async def _forget(self) -> None:
        before = self._calendar.forget_before(now())
        if before is None:
            return
        try:
            everything = await self._threads.read(self._jobs.all_finished_before, before)
            if everything and not self._calendar.may_forget_everything():
                _log.warning("all that is kept is too old: is the clock right? It is kept for another day")
                return
            await self._threads.write(self._jobs.forget, before)
            await self._threads.write(self._batches.forget, before)
        except StoreUnavailable:
            self._calendar.again()
