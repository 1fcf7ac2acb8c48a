"""Opening, migrating, and a database that cannot be used."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

import espalier.store.batches
import espalier.store.claims
import espalier.store.evaluations
import espalier.store.jobs
import espalier.store.keys
import espalier.store.secrets
import espalier.store.sign_ins
import espalier.store.studies.tables  # noqa: F401  (all tables must be known)
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job
from espalier.store import Base, Store, StoreUnavailable, open_store
from espalier.store.base import now
from espalier.store.jobs import Jobs


def test_migrations_give_what_the_tables_say(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_servers_that_start_at_once_migrate_once(address: str) -> None:
    with ThreadPoolExecutor(16) as pool:
        for opened in pool.map(lambda _: open_store(address), range(16)):
            opened.check()
            opened.close()


def test_opening_again_keeps_what_is_there(address: str) -> None:
    first = open_store(address)
    kept = Jobs(first).add(a_job("kept"))
    first.close()
    again = open_store(address)
    assert Jobs(again).get("kept") == kept
    again.close()


def a_job(identity: str) -> Job:
    return Job(identity, "queued", ExplanationRequest(text="A film. " * 200), now())


def test_a_locked_database_is_said_and_nothing_is_kept(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/locked.sqlite", busy_seconds=0.05)
    holder = sqlite3.connect(tmp_path / "locked.sqlite", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreUnavailable, match="locked"):
        Jobs(store).add(a_job("refused"))
    holder.execute("ROLLBACK")
    holder.close()
    assert Jobs(store).get("refused") is None
    assert Jobs(store).add(a_job("accepted")).id == "accepted"
    store.close()


def test_what_is_wrong_with_a_database_elsewhere_does_not_say_where_it_is() -> None:
    store = Store.at("postgresql+psycopg://secretuser:secretword@127.0.0.1:1/secretname")
    with pytest.raises(StoreUnavailable) as refused:
        store.check()
    assert "no answer from the database" in refused.value.message
    for part in ("secret", "127.0.0.1", "port"):
        assert part not in refused.value.message
    store.close()


def test_an_error_of_a_statement_does_not_say_what_stands_in_it(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/secret.sqlite")
    twice = text("INSERT INTO secrets VALUES (:name, ''), (:name, '')")
    with pytest.raises(DBAPIError) as failed, store.write() as session:
        session.execute(twice, {"name": "zanzibarine"})
    assert "INSERT" in str(failed.value)
    assert "zanzibarine" not in str(failed.value)
    assert Store.at("postgresql+psycopg://somebody@127.0.0.1:1/somewhere").engine.hide_parameters
    store.close()


def test_a_full_database_is_said_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/full.sqlite")
    jobs = Jobs(store)
    with store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 4}")
        connection.rollback()
    written: list[str] = []

    def fill() -> None:
        while len(written) < 100:
            written.append(jobs.add(a_job(f"n{len(written)}")).id)

    with pytest.raises(StoreUnavailable, match="full"):
        fill()
    assert all(jobs.get(identity) is not None for identity in written)
    assert jobs.get(f"n{len(written)}") is None
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 100000")
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        connection.rollback()
    jobs.add(a_job("after"))
    assert jobs.get("after") is not None
    store.close()
