"""Jobs and events as their rows say them."""

import json
from functools import lru_cache
from typing import NamedTuple

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from espalier.explain.request import ExplanationRequest
from espalier.jobs import Event, Job
from espalier.store.jobs.tables import EventRow, JobRow, ResultRow

REMEMBERED = 64
"""Requests that a process knows as they were written: whoever follows a job of another server looks at it again and
again."""


def job_of(session: Session, row: JobRow, request: ExplanationRequest) -> Job:
    """What was asked for is the caller's to know: who was asked has it, and others read it with `request_of`."""
    document = None
    if row.result is not None:
        document = session.get_one(ResultRow, row.result).document
    return Job(
        id=row.id,
        status=row.status,  # type: ignore[arg-type]  # written by this folder only
        request=request,
        created=row.created,
        client=row.client,
        lease=row.lease,
        started=row.started,
        finished=row.finished,
        evaluated=row.evaluated,
        expected=row.expected,
        explanation=document,
        problem=None if row.problem is None else json.loads(row.problem),
    )


class Read(NamedTuple):
    """A request that was written down, and whether this version would accept it."""

    request: ExplanationRequest
    is_valid: bool = True


@lru_cache(REMEMBERED)
def request_of(written: str) -> Read:
    """A request as it was accepted. What an earlier version accepted and this one would refuse can still be read; it
    fails when it is begun, and stops nobody else."""
    try:
        return Read(ExplanationRequest.model_validate_json(written))
    except ValidationError:
        return Read(ExplanationRequest.model_construct(**json.loads(written)), is_valid=False)


def events_of(session: Session, identity: str) -> list[Event]:
    """The newest of each kind, in the order they happened."""
    rows = session.scalars(select(EventRow).where(EventRow.job == identity).order_by(EventRow.id))
    newest = {row.name: Event(row.id, row.name, row.data) for row in rows}  # type: ignore[arg-type]
    return sorted(newest.values(), key=lambda each: each.id)
