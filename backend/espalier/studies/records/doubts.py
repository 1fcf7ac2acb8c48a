"""What speaks against people being who they say: kept for the owner, counted, never more than a few rows."""

from collections import defaultdict
from typing import Literal

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from espalier.store.base import now
from espalier.store.database import Store
from espalier.store.studies.tables import DoubtRow

Reason = Literal["bad-proof", "no-proof", "another-session", "another-assignment", "by-name", "too-many"]

NOBODY = 0
"""The person of a doubt about somebody who was not let in."""


def note(store: Store, session: Session, study: str, reason: Reason, person: int = NOBODY) -> None:
    key = {"study": study, "person": person, "reason": reason}
    store.insert_once(session, DoubtRow.__table__, key | {"times": 0, "last": now()})
    session.execute(
        update(DoubtRow)
        .where(DoubtRow.study == study, DoubtRow.person == person, DoubtRow.reason == reason)
        .values(times=DoubtRow.times + 1, last=now())
        .execution_options(synchronize_session=False)
    )


def of_study(session: Session, study: str) -> dict[int, list[DoubtRow]]:
    """By person."""
    found: dict[int, list[DoubtRow]] = defaultdict(list)
    for row in session.scalars(select(DoubtRow).where(DoubtRow.study == study).order_by(DoubtRow.reason)):
        found[row.person].append(row)
    return found
