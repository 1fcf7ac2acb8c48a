"""Whose a job is. A claim is an owner and a time: who lets it lapse has gone, and somebody else may take the job."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import and_, or_, select, update
from sqlalchemy.orm import Session

from espalier.jobs import Event, Job
from espalier.store.database import Store
from espalier.store.jobs.rows import events_of, job_of, request_of
from espalier.store.jobs.tables import ACTIVE, JobRow


@dataclass(frozen=True, slots=True)
class Claimed:
    """A job that is ours now, and what happened to it before."""

    job: Job
    events: list[Event]
    attempt: int
    cancel_wished: bool
    is_valid: bool = True


@dataclass(frozen=True, slots=True)
class Standing:
    """What others have said of a job of ours."""

    cancel_wished: bool
    watched: bool


class Claims:
    """The claims of one server. Times are the database's, so that the clocks of servers need not agree."""

    def __init__(self, store: Store, owner: str, seconds: float) -> None:
        self.store = store
        self.owner = owner
        self.seconds = seconds

    def stamp(self, session: Session, row: JobRow) -> None:
        """Make a job ours from the beginning."""
        row.owner, row.attempt = self.owner, 1
        row.claimed_until = self.store.clock(session) + timedelta(seconds=self.seconds)

    def claim(self, most: int, *, everything: bool = False) -> list[Claimed]:
        """Take jobs that are nobody's, the oldest first. Two servers that look at once get different ones.

        `everything` takes those of others as well: for a database that has only one server, which was killed.
        """
        with self.store.write() as session:
            moment = self.store.clock(session)
            wanted = select(JobRow).where(JobRow.status.in_(ACTIVE))
            if not everything:
                lapsed = and_(JobRow.claimed_until.is_not(None), JobRow.claimed_until < moment)
                # Written by a server that knows no claims: left to it for a while.
                unclaimed = and_(
                    JobRow.claimed_until.is_(None), JobRow.created < moment - timedelta(seconds=self.seconds)
                )
                wanted = wanted.where(or_(lapsed, unclaimed))
            wanted = wanted.order_by(JobRow.created).limit(most).with_for_update(skip_locked=True)
            claimed = []
            for row in session.scalars(wanted).all():
                row.owner, row.attempt, row.status = self.owner, row.attempt + 1, "queued"
                row.claimed_until = moment + timedelta(seconds=self.seconds)
                request, is_valid = request_of(row.request)
                job, events = job_of(session, row, request), events_of(session, row.id)
                claimed.append(Claimed(job, events, row.attempt, row.cancel_wished, is_valid))
            return claimed

    def renew(self, identities: Sequence[str]) -> dict[str, Standing]:
        """Keep our jobs. Those that are not among the answers are not ours any more, or have ended elsewhere."""
        with self.store.write() as session:
            moment = self.store.clock(session)
            rows = session.execute(
                update(JobRow)
                .where(JobRow.id.in_(identities), JobRow.owner == self.owner, JobRow.status.in_(ACTIVE))
                .values(claimed_until=moment + timedelta(seconds=self.seconds))
                .returning(JobRow.id, JobRow.cancel_wished, JobRow.watched_until)
            ).all()
            return {
                row.id: Standing(row.cancel_wished, bool(row.watched_until and row.watched_until > moment))
                for row in rows
            }

    def release(self, identities: Sequence[str]) -> None:
        """Let go of jobs: whoever looks next takes them."""
        with self.store.write() as session:
            moment = self.store.clock(session)
            session.execute(
                update(JobRow)
                .where(JobRow.id.in_(identities), JobRow.owner == self.owner, JobRow.status.in_(ACTIVE))
                .values(status="queued", owner=None, claimed_until=moment - timedelta(seconds=1))
            )
            self.store.tell(session, "")

    def wish_cancel(self, identity: str) -> None:
        """Ask the owner to stop."""
        with self.store.write() as session:
            session.execute(
                update(JobRow).where(JobRow.id == identity, JobRow.status.in_(ACTIVE)).values(cancel_wished=True)
            )
            self.store.tell(session, identity)

    def watch(self, identity: str, seconds: float) -> None:
        """Tell the owner that somebody listens here: it then writes down what happens as it happens."""
        with self.store.write() as session:
            until = self.store.clock(session) + timedelta(seconds=seconds)
            session.execute(
                update(JobRow).where(JobRow.id == identity, JobRow.status.in_(ACTIVE)).values(watched_until=until)
            )
            self.store.tell(session, identity)
