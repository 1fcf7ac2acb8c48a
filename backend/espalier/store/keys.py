"""Access keys at rest: a digest, never the key."""

from datetime import datetime

from sqlalchemy import String, select
from sqlalchemy.orm import Mapped, mapped_column

from espalier.access import SCOPES, AccessKey, Scope
from espalier.store.base import Base, Moment, now
from espalier.store.database import Store


class AccessKeyRow(Base):
    __tablename__ = "access_keys"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    scope: Mapped[str] = mapped_column(String(16))
    digest: Mapped[str] = mapped_column(String(64))
    created: Mapped[datetime] = mapped_column(Moment)
    revoked: Mapped[datetime | None] = mapped_column(Moment)


class AccessKeys:
    """Queries on keys: a KeyBook."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, key: AccessKey) -> None:
        with self.store.write() as session:
            session.add(AccessKeyRow(id=key.id, name=key.name, scope=key.scope, digest=key.digest, created=key.created))

    def get(self, id: str) -> AccessKey | None:
        with self.store.read() as session:
            row = session.get(AccessKeyRow, id)
            return None if row is None else key_of(row)

    def all(self) -> list[AccessKey]:
        """The oldest first, revoked ones included."""
        with self.store.read() as session:
            return [key_of(row) for row in session.scalars(select(AccessKeyRow).order_by(AccessKeyRow.created))]

    def revoke(self, id: str) -> AccessKey | None:
        """The key, refused from now on; a key that was revoked before keeps its time."""
        with self.store.write() as session:
            row = session.get(AccessKeyRow, id)
            if row is None:
                return None
            row.revoked = row.revoked or now()
            return key_of(row)


def key_of(row: AccessKeyRow) -> AccessKey:
    # A scope this version does not know opens the least.
    scope: Scope = next((each for each in SCOPES if each == row.scope), SCOPES[0])
    return AccessKey(row.id, row.name, scope, row.digest, row.created, row.revoked)
