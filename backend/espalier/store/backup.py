"""A copy of a SQLite database while it is used, and back. PostgreSQL has tools of its own for that."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from espalier.problems import Problem

BEFORE = ".before-restore"


class BackupProblem(Problem):
    """Why nothing was copied."""


def back_up(database: Path, copy: Path) -> int:
    """Copy the database as it is at one moment; others go on reading and writing. Gives the bytes of the copy."""
    if not database.is_file():
        raise BackupProblem(f"no database to copy: got none at {database}, possible is one that a server has made")
    if copy.exists():
        raise BackupProblem(f"the copy is there already: got {copy}, possible is another name")
    part = copy.with_name(copy.name + ".part")
    part.unlink(missing_ok=True)
    # For the owner's eyes alone, from the first byte: it holds people's ids and the service's secrets.
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as source:
            _copy(source, part)
        _check(part)
        _sync(part)
        part.rename(copy)
    finally:
        part.unlink(missing_ok=True)
    return copy.stat().st_size


def restore(copy: Path, database: Path) -> Path | None:
    """Put a copy in the database's place. What was there is kept beside it; gives where."""
    _check(copy)
    if database.exists():
        _check_unused(database)
    database.parent.mkdir(parents=True, exist_ok=True)
    part = database.with_name(database.name + ".part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as source:
        _copy(source, part)
    _sync(part)
    kept = None
    if database.exists():
        for beside in ("-wal", "-shm"):  # emptied, and not the copy's
            database.with_name(database.name + beside).unlink(missing_ok=True)
        kept = database.with_name(database.name + BEFORE)
        database.replace(kept)
    part.replace(database)
    return kept


def _copy(source: sqlite3.Connection, target: Path) -> None:
    """In one step, so that it is one moment's: in parts it would begin again with every write of others."""
    with closing(sqlite3.connect(target)) as written:
        source.backup(written)
        written.execute("PRAGMA journal_mode=DELETE")  # one file, without others beside it


def _check(copy: Path) -> None:
    try:
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            whole = opened.execute("PRAGMA integrity_check").fetchone()[0]
            opened.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise BackupProblem(f"this is no copy of a database of Espalier's: got {copy} ({error})") from error
    if whole != "ok":
        raise BackupProblem(f"this copy is damaged: got {whole.splitlines()[0]}, possible is another one")


def _check_unused(database: Path) -> None:
    """All that is in the database's log is put into it; that works only where nobody else has it open."""
    try:
        with closing(sqlite3.connect(database, timeout=1, isolation_level=None)) as opened:
            opened.execute("PRAGMA locking_mode=EXCLUSIVE")
            opened.execute("BEGIN EXCLUSIVE")
            opened.execute("COMMIT")
            opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        raise BackupProblem(f"the database is in use: got {error}, possible is after the server has stopped") from error


def _sync(path: Path) -> None:
    with path.open("rb+") as written:
        os.fsync(written.fileno())
