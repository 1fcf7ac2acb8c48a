"""Jobs and events as their rows say them."""

import json

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from espalier.explain.request import ExplanationRequest
from espalier.jobs import Event, Job
from espalier.store.jobs.tables import EventRow, JobRow, ResultRow


def job_of(session: Session, row: JobRow) -> Job:
    document = None
    if row.result is not None:
        document = session.get_one(ResultRow, row.result).document
    return Job(
        id=row.id,
        status=row.status,  # type: ignore[arg-type]  # written by this folder only
        request=request_of(row.request),
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


def request_of(written: str) -> ExplanationRequest:
    """A request as it was accepted. What an earlier version accepted and this one would refuse can still be read; it
    fails when it is begun, and stops nobody else."""
    try:
        return ExplanationRequest.model_validate_json(written)
    except ValidationError:
        return ExplanationRequest.model_construct(**json.loads(written))


def is_valid(written: str) -> bool:
    """Whether this version would accept a request."""
    try:
        ExplanationRequest.model_validate_json(written)
    except ValidationError:
        return False
    return True


def events_of(session: Session, identity: str) -> list[Event]:
    """The newest of each kind, in the order they happened."""
    rows = session.scalars(select(EventRow).where(EventRow.job == identity).order_by(EventRow.id))
    newest = {row.name: Event(row.id, row.name, row.data) for row in rows}  # type: ignore[arg-type]
    return sorted(newest.values(), key=lambda each: each.id)
