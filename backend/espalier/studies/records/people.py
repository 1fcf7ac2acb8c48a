"""Coming in, and being known again. Each function is part of one transaction and safe to repeat."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from espalier.problems import Problem
from espalier.store.base import now
from espalier.store.studies.tables import (
    IdentityRow,
    PersonRow,
    TokenRow,
)
from espalier.studies.providers import Identity
from espalier.studies.records.owner import take_turn

TOKEN_PREFIX = "annotator_"

TOKEN_LASTS = timedelta(days=14)
"""Who comes back later comes back by their link."""


class UnknownToken(Problem):
    code = "no-session"
    status = 401

    def __init__(self) -> None:
        super().__init__("no session: got no valid token, possible is the one that coming in (POST /v1/sessions) gave")


@dataclass(frozen=True, slots=True)
class Entered:
    person: PersonRow
    identity: IdentityRow
    returned: bool


def known(session: Session, study: str, identity: Identity) -> PersonRow | None:
    """The participant this identity is, if it has come before."""
    query = (
        select(PersonRow)
        .join(IdentityRow, IdentityRow.person == PersonRow.id)
        .where(IdentityRow.study == study, IdentityRow.source == identity.source, IdentityRow.name == identity.name)
    )
    return session.scalar(query)


def enter(session: Session, study: str, identity: Identity) -> Entered:
    """The participant of this identity: the one there is, or a new one with the next number."""
    take_turn(session, study)
    person = known(session, study, identity)
    if person is not None:
        found = session.get_one(IdentityRow, person.id)
        if identity.details and person.finished is None:
            found.details = identity.details  # an MTurk worker may come back with another assignment
        person.seen = now()
        return Entered(person, found, True)
    simulated = identity.source == "simulated"
    last = select(func.max(PersonRow.number)).where(PersonRow.study == study, PersonRow.simulated.is_(simulated))
    moment = now()
    person = PersonRow(
        study=study,
        simulated=simulated,
        number=(session.scalar(last) or 0) + 1,
        stage="consent",
        practised=0,
        receipt=secrets.token_hex(6).upper(),
        joined=moment,
        seen=moment,
    )
    session.add(person)
    session.flush()
    found = IdentityRow(
        person=person.id, study=study, source=identity.source, name=identity.name, details=identity.details
    )
    session.add(found)
    return Entered(person, found, False)


def give_token(session: Session, person: PersonRow) -> str:
    """A new token for a browser; only its hash is kept."""
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    session.execute(delete(TokenRow).where(TokenRow.person == person.id, TokenRow.created < now() - TOKEN_LASTS))
    session.add(TokenRow(digest=_digest(token), person=person.id, created=now()))
    return token


def by_token(session: Session, token: str) -> PersonRow:
    query = (
        select(PersonRow)
        .join(TokenRow, TokenRow.person == PersonRow.id)
        .where(TokenRow.digest == _digest(token), TokenRow.created >= now() - TOKEN_LASTS)
    )
    person = session.scalar(query)
    if person is None:
        raise UnknownToken
    return person


def identity_of(session: Session, person: PersonRow) -> Identity:
    row = session.get_one(IdentityRow, person.id)
    return Identity(row.source, row.name, dict(row.details))  # type: ignore[arg-type]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
