"""Browsers that have signed in: the digest of each one's token, never the token, and never the key."""

import hashlib
import secrets
from datetime import datetime, timedelta

from sqlalchemy import ForeignKey, String, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from espalier.access import AccessKey
from espalier.store.base import Base, Moment, now
from espalier.store.database import Store
from espalier.store.keys import AccessKeyRow, key_of

KEEP = timedelta(days=30)


class SignInRow(Base):
    __tablename__ = "sign_ins"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    key: Mapped[str] = mapped_column(ForeignKey(AccessKeyRow.id, ondelete="CASCADE"))
    created: Mapped[datetime] = mapped_column(Moment, index=True)


class SignIns:
    """A revoked key ends its sign-ins; so does signing out, and time."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def begin(self, key: AccessKey) -> str:
        """A token for one browser. Those that have run out are forgotten meanwhile."""
        token = secrets.token_urlsafe(32)
        with self.store.write() as session:
            session.execute(delete(SignInRow).where(SignInRow.created < now() - KEEP))
            session.add(SignInRow(digest=_digest(token), key=key.id, created=now()))
        return token

    def key(self, token: str) -> AccessKey | None:
        """The key this browser signed in with, as it is now."""
        query = (
            select(AccessKeyRow)
            .join(SignInRow, SignInRow.key == AccessKeyRow.id)
            .where(SignInRow.digest == _digest(token), SignInRow.created >= now() - KEEP)
        )
        with self.store.read() as session:
            row = session.scalar(query)
            return None if row is None or row.revoked is not None else key_of(row)

    def end(self, token: str) -> None:
        with self.store.write() as session:
            session.execute(delete(SignInRow).where(SignInRow.digest == _digest(token)))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()
