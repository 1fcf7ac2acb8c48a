"""Claims on work that one server does for all: a batch that is kept going, a study that is prepared."""

from datetime import datetime, timedelta

from sqlalchemy import String, delete, update
from sqlalchemy.orm import Mapped, mapped_column

from espalier.store.base import Base, Moment
from espalier.store.database import Store


class ClaimRow(Base):
    __tablename__ = "claims"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    until: Mapped[datetime] = mapped_column(Moment)


class WorkClaims:
    """The claims of one server, by the name of the work. Who lets a claim lapse has gone."""

    def __init__(self, store: Store, owner: str, seconds: float) -> None:
        self.store = store
        self.owner = owner
        self.seconds = seconds

    def take(self, name: str) -> bool:
        """Claim some work, or renew a claim; false when it is another server's. A file has one server."""
        with self.store.write() as session:
            moment = self.store.clock(session)
            until = moment + timedelta(seconds=self.seconds)
            values = {"name": name, "owner": self.owner, "until": until}
            if self.store.insert_once(session, ClaimRow.__table__, values):
                return True
            taking = update(ClaimRow).where(ClaimRow.name == name)
            if self.store.is_shared:
                taking = taking.where((ClaimRow.owner == self.owner) | (ClaimRow.until < moment))
            done = session.execute(taking.values(owner=self.owner, until=until).returning(ClaimRow.name))
            return done.first() is not None

    def release(self, name: str) -> None:
        with self.store.write() as session:
            session.execute(delete(ClaimRow).where(ClaimRow.name == name, ClaimRow.owner == self.owner))
