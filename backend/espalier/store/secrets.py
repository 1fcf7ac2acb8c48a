"""What the service signs with: made once, kept in the database, so that all servers on it agree."""

import secrets

from sqlalchemy import LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from espalier.store.base import Base
from espalier.store.database import Store


class SecretRow(Base):
    __tablename__ = "secrets"

    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    value: Mapped[bytes] = mapped_column(LargeBinary)


class Secrets:
    """One for each purpose, so that what is signed for one is worth nothing for another."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def get(self, name: str) -> bytes:
        with self.store.read() as session:
            if (row := session.get(SecretRow, name)) is not None:
                return row.value
        with self.store.write() as session:
            self.store.insert_once(session, SecretRow.__table__, {"name": name, "value": secrets.token_bytes(32)})
            return session.get_one(SecretRow, name).value
