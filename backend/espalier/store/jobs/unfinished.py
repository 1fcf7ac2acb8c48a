"""What is unfinished at all servers, counted while nobody else adds to it."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from espalier.store.database import Store
from espalier.store.jobs.tables import ACTIVE, JobRow

_ADMISSION_LOCK = 7_264_003
"""PostgreSQL's advisory lock under which jobs are counted and added: a burst at two servers cannot pass either."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Jobs and evaluations they still need: of all clients, and of one."""

    jobs: int
    work: int
    client_jobs: int
    client_work: int


@dataclass(frozen=True, slots=True)
class Entry:
    """How a job comes into a store that several servers share: with the evaluations it is expected to take, where that
    is known, and `admit`, which refuses it when there are too many."""

    estimate: int | None
    unknown_work: int
    admit: Callable[[Unfinished], None]

    def check(self, store: Store, session: Session, client: str) -> None:
        if store.is_shared:
            session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADMISSION_LOCK})
            self.admit(self.count(session, client))

    def count(self, session: Session, client: str) -> Unfinished:
        expected = func.coalesce(JobRow.expected, JobRow.estimate, self.unknown_work)
        left = func.sum(func.greatest(expected - JobRow.evaluated, 0))
        own = JobRow.client == client
        asked = select(
            func.count(), func.coalesce(left, 0), func.count().filter(own), func.coalesce(left.filter(own), 0)
        ).where(JobRow.status.in_(ACTIVE))
        jobs, work, client_jobs, client_work = session.execute(asked).one()
        return Unfinished(jobs, int(work), client_jobs, int(client_work))
