"""Open the database, bring it up to date, and give sessions."""

import logging
import time
import uuid
import zlib
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import OperationalError
from threading import Lock
from typing import Any

from psycopg import AsyncConnection
from psycopg import Error as PsycopgError
from sqlalchemy import Connection, Engine, Table, create_engine, event, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from espalier.problems import Problem
from espalier.store.base import now
from espalier.store.upgrading import upgrade

_log = logging.getLogger(__name__)

BUSY_SECONDS = 5.0
"""How long a transaction waits for another one before the store counts as not available."""

QUEUE_SECONDS = 20.0
"""How long a thread waits for the others of its process before the store counts as not available."""

STATEMENT_SECONDS = 30.0
"""How long one statement may take."""

CHANNEL = "espalier_jobs"
"""Where servers on one PostgreSQL tell each other that there is news of a job."""

_PATIENCE: dict[str, Any] = {
    "connect_timeout": 10,
    # A server that has gone without a word is noticed within seconds, not after the two hours of TCP.
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}

_MIGRATION_LOCK = 7_264_001
"""PostgreSQL's advisory lock under which one of several servers that start at once migrates."""

_QUEUE_CLASS = 7_264_004
"""Apart from other advisory locks of this database."""


class StoreUnavailable(Problem):
    """The database cannot be asked or written: locked, full, not reachable. Nothing of the request was kept."""

    code = "store-unavailable"
    status = 503
    retry_after = 5


class Store:
    """Sessions on one database. Each block is one transaction: kept whole when it ends, or not at all."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.name = uuid.uuid4().hex
        self._writing = engine.execution_options(immediate=True)
        self._queue = Lock() if engine.dialect.name == "sqlite" else None

    @classmethod
    def at(cls, url: str, busy_seconds: float = BUSY_SECONDS) -> "Store":
        """A store that is not asked anything yet: nothing is opened before the first session."""
        return cls(_engine(url, busy_seconds))

    @contextmanager
    def read(self) -> Iterator[Session]:
        with _as_problem(), Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that writes. SQLite takes its lock at once, so that it never has to give up half way."""
        with (
            _as_problem(),
            self._in_turn(),
            Session(self._writing, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """SQLite lets its writers poll for the lock, and an unlucky one among many never gets it: the threads of this
        process queue instead."""
        if self._queue is None:
            yield
            return
        if not self._queue.acquire(timeout=QUEUE_SECONDS):
            raise StoreUnavailable("the store cannot be used now: too many are writing, possible is to try again later")
        try:
            yield
        finally:
            self._queue.release()

    def insert_once(self, session: Session, table: Any, values: dict[str, Any]) -> bool:
        """Insert a row unless its key is taken; tells whether it was inserted."""
        assert isinstance(table, Table)
        kind = sqlite if self.engine.dialect.name == "sqlite" else postgresql
        inserting = kind.insert(table).values(values).on_conflict_do_nothing()
        # psycopg would have forgotten the count by the time it is asked for.
        done: Any = session.execute(inserting.execution_options(preserve_rowcount=True))
        return bool(done.rowcount == 1)

    @property
    def is_shared(self) -> bool:
        """Whether several servers may use it at once."""
        return self.engine.dialect.name == "postgresql"

    def clock(self, session: Session) -> datetime:
        """The time, by the database's clock where there is one."""
        if not self.is_shared:
            return now()
        moment: datetime = session.execute(text("SELECT clock_timestamp()")).scalar_one()
        return moment.astimezone(UTC)

    def queue_for(self, session: Session, what: str) -> None:
        """Until this transaction ends, all others that name the same wait here, those of other servers, too: so what is
        counted and added under a limit cannot pass it. SQLite's writers come one after the other anyway."""
        if self.is_shared:
            asked = {"class": _QUEUE_CLASS, "key": zlib.crc32(what.encode()) - 2**31}
            session.execute(text("SELECT pg_advisory_xact_lock(:class, :key)"), asked)

    def tell(self, session: Session, news: str) -> None:
        """Wake other servers when this transaction is kept: there is news of a job. SQLite's poll."""
        if self.is_shared:
            notice = {"channel": CHANNEL, "news": f"{self.name} {news}"}
            session.execute(text("SELECT pg_notify(:channel, :news)"), notice)

    async def notices(self) -> AsyncGenerator[str, None]:
        """What other servers tell, until the connection breaks. Nothing where nobody can tell."""
        if not self.is_shared:
            return
        address = self.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        try:
            async with await AsyncConnection.connect(address, autocommit=True, **_PATIENCE) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                yield ""  # what was told while nobody listened is not known: look
                async for notice in connection.notifies():
                    sender, _, news = notice.payload.partition(" ")
                    if sender != self.name:
                        yield news
        except PsycopgError as error:
            raise StoreUnavailable("the store cannot be listened to now") from error

    def migrate(self) -> None:
        """Bring the tables to the newest form, unless they have a newer one. Several servers may do this at once."""
        if self.engine.dialect.name == "sqlite" and self.engine.url.database:
            Path(self.engine.url.database).parent.mkdir(parents=True, exist_ok=True)
        with _as_problem(), self._patient() as writing, writing.begin() as connection:
            if self.engine.dialect.name == "postgresql":
                # Another server may be at it for a while, and a large table takes its time.
                for patience in ("statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"):
                    connection.execute(text(f"SET LOCAL {patience} = 0"))
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
                # But whoever waits for a table keeps all others waiting behind.
                connection.execute(text(f"SET LOCAL lock_timeout = {int(BUSY_SECONDS * 1000)}"))
            upgrade(connection)

    @contextmanager
    def _patient(self) -> Iterator[Engine]:
        """For who starts beside others: the first one migrates, which takes longer than a transaction waits."""
        if self.engine.dialect.name != "sqlite":
            yield self._writing
            return
        patient = _engine(self.engine.url.render_as_string(hide_password=False), STATEMENT_SECONDS)
        try:
            yield patient.execution_options(immediate=True)
        finally:
            patient.dispose()

    def scrub(self) -> None:
        """Leave nothing of what was deleted on the disk. SQLite overwrites it in the file, but what was written before
        stands in its log as well, until that is emptied. PostgreSQL does it by itself, in its own time."""
        if self.engine.dialect.name != "sqlite":
            return
        # Not in a transaction: it waits for those who read, as long as one waits for a lock.
        with _as_problem(), self._in_turn(), self.engine.connect() as connection:
            busy = connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            _log.warning("what was deleted is still in the database's log: somebody has been reading for long")

    def check(self) -> None:
        """Ask something trivial."""
        with self.read() as session:
            session.execute(text("SELECT 1"))

    def close(self) -> None:
        self.engine.dispose()


def open_store(url: str, busy_seconds: float = BUSY_SECONDS) -> Store:
    """The store at a database address, migrated. The folder of a SQLite file is made when it is not there."""
    store = Store.at(url, busy_seconds)
    store.migrate()
    return store


def _engine(url: str, busy_seconds: float) -> Engine:
    """Errors name statements, never what stands in them: texts and people's ids do not belong into logs."""
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        engine = create_engine(
            address, hide_parameters=True, connect_args={"timeout": busy_seconds, "check_same_thread": False}
        )
        _teach_sqlite(engine, busy_seconds)
        return engine
    return create_engine(
        address,
        hide_parameters=True,
        pool_pre_ping=True,
        pool_size=10,
        connect_args=_PATIENCE
        | {
            "options": f"-c lock_timeout={int(busy_seconds * 1000)} "
            f"-c statement_timeout={int(STATEMENT_SECONDS * 1000)} "
            f"-c idle_in_transaction_session_timeout={int(STATEMENT_SECONDS * 1000)}"
        },
    )


def _teach_sqlite(engine: Engine, busy_seconds: float) -> None:
    """Readers that do not wait for a writer, foreign keys, and transactions that begin when SQLAlchemy says so."""

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        _keep_a_log(cursor, busy_seconds)
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _keep_a_log(cursor: Any, busy_seconds: float) -> None:
    """Where a file has no log yet, all but one of those who open it at once are refused, without any waiting."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


@contextmanager
def _as_problem() -> Iterator[None]:
    """What the database refuses for reasons of its own is not the fault of whoever asked."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        if isinstance(error, DBAPIError) and not _passing(error):
            raise
        raise StoreUnavailable(
            f"the store cannot be used now: got {_reason(error)}, possible is to try again later"
        ) from error


def _reason(error: SQLAlchemyError) -> str:
    """What a stranger may read. SQLite says what is wrong with its file; PostgreSQL's words name the host, the user and
    the database, and are for the log."""
    said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    if type(getattr(error, "orig", None)).__module__.startswith("sqlite3"):
        return said
    _log.warning("the database cannot be used: %s", said)
    return "no answer from the database"


def _passing(error: SQLAlchemyError) -> bool:
    """Whether another try may succeed: everything but a statement that is wrong in itself."""
    return type(error).__name__ in {"OperationalError", "InterfaceError", "InternalError", "DatabaseError"}
