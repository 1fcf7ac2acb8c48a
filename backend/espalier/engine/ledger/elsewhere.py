"""Jobs that another server does, followed through the store: woken by what others tell, polling where nobody can."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress

import structlog

from espalier.compact_json import compact
from espalier.engine.ledger.live import end_event
from espalier.engine.ledger.threads import StoreThreads
from espalier.jobs import Event, Job, UnknownJob
from espalier.store.database import StoreUnavailable
from espalier.store.jobs import Claims, Jobs

POLL_SECONDS = 0.5
"""Between two looks where nobody tells."""

TOLD_POLL_SECONDS = 5.0
"""Between two looks where others tell: a notice may be lost with its connection."""

WATCH_SECONDS = 15.0
"""How long the owner believes that somebody listens here."""

_log = structlog.get_logger(__name__)


class Bell:
    """Rings when there is news of a job."""

    def __init__(self, jobs: Jobs, on_news: Callable[[str], None]) -> None:
        self._store = jobs.store
        self._on_news = on_news
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._connected = False

    async def listen(self) -> None:
        """One connection, from its beginning to its end."""
        try:
            async with aclosing(self._store.notices()) as notices:
                async for news in notices:
                    self._connected = True
                    self.ring(news)
                    self._on_news(news)
        except StoreUnavailable as problem:
            _log.warning("other servers cannot be heard: polling instead", reason=str(problem.__cause__))
        finally:
            self._connected = False

    def ring(self, identity: str) -> None:
        for waiting in self._waiting.get(identity, ()):
            waiting.set()

    async def wait(self, identity: str, most: float) -> None:
        """Until there is news, or it is time to look."""
        rung = asyncio.Event()
        self._waiting[identity].add(rung)
        try:
            with suppress(TimeoutError):
                pause = TOLD_POLL_SECONDS if self._connected else POLL_SECONDS
                async with asyncio.timeout(min(pause, most)):
                    await rung.wait()
        finally:
            self._waiting[identity].discard(rung)
            if not self._waiting[identity]:
                del self._waiting[identity]


class Elsewhere:
    """Follows jobs of other servers. `is_here` says whether a job has become one of ours meanwhile."""

    def __init__(
        self, jobs: Jobs, claims: Claims, threads: StoreThreads, bell: Bell, is_here: Callable[[str], bool]
    ) -> None:
        self._jobs = jobs
        self._claims = claims
        self._threads = threads
        self._bell = bell
        self._is_here = is_here

    async def follow(self, identity: str, after: int) -> AsyncGenerator[Event, None]:
        """What is new after an event, then what happens, until the end, or until the job is done here."""
        watched = -WATCH_SECONDS
        while not self._is_here(identity):
            try:
                # First a look: most who ask come when it is all over.
                seen = await self._threads.read(self._jobs.seen, identity)
                if seen is not None and not seen[0].is_finished and time.monotonic() - watched > WATCH_SECONDS / 2:
                    watched = time.monotonic()
                    await self._threads.write(self._claims.watch, identity, WATCH_SECONDS)
            except StoreUnavailable:
                # It was there, and will be again: whoever listens need not know.
                await self._bell.wait(identity, POLL_SECONDS)
                continue
            if seen is None:
                raise UnknownJob(identity)
            for event in _events(*seen):
                if event.id > after:
                    after = event.id
                    yield event
            if seen[0].is_finished:
                yield Event(max(after + 1, end_event(seen[0]).id), "finished")
                return
            await self._bell.wait(identity, POLL_SECONDS if after == 0 else TOLD_POLL_SECONDS)

    async def wait(self, identity: str, seconds: float) -> None:
        """Until it has finished, but not longer."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), aclosing(self.follow(identity, 0)) as events:
                async for _ in events:
                    pass


def _events(job: Job, events: list[Event]) -> list[Event]:
    """Those that were written, and one that says how an unfinished job stands where none does."""
    if job.is_finished or any(event.name == "status" for event in events):
        return events
    return [Event(1, "status", compact({"status": job.status})), *events]
