"""Whose turn it is to do what one server does for all: PostgreSQL gives an advisory lock to one connection at a time,
and takes it back when that connection ends, however it ends."""

import threading
import zlib
from contextlib import suppress

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from espalier.store.database import Store

_CLASS = 7_264_002
"""Apart from other advisory locks of this database."""


class Turn:
    """Kept for as long as the connection lives. A file has one server: there it is always its turn."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._lock = {"class": _CLASS, "key": zlib.crc32(name.encode()) - 2**31}
        self._connection: Connection | None = None
        self._asking = threading.Lock()

    def is_mine(self) -> bool:
        """Whether it is this server's turn now; takes it where it is nobody's."""
        if not self._store.is_shared:
            return True
        with self._asking:
            try:
                if self._connection is not None:
                    self._connection.execute(text("SELECT 1"))
                    return True
                return self._take()
            except SQLAlchemyError:
                self._drop()
                return False

    def give_back(self) -> None:
        """At once: PostgreSQL may take a moment to see that a connection has ended."""
        with self._asking:
            if self._connection is not None:
                with suppress(SQLAlchemyError):
                    self._connection.execute(text("SELECT pg_advisory_unlock(:class, :key)"), self._lock)
            self._drop()

    def _take(self) -> bool:
        connection = self._store.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        if connection.execute(text("SELECT pg_try_advisory_lock(:class, :key)"), self._lock).scalar_one():
            self._connection = connection
            return True
        connection.close()
        return False

    def _drop(self) -> None:
        """Also at the database: a connection that goes back to the pool would keep the lock."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.invalidate()
            connection.close()
