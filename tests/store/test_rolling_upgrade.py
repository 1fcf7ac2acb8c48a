"""Servers of two versions run beside each other for a while, on the newer one's tables: what the older one reads and
writes must still be there and allowed. So a migration only adds."""

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, text
from tests.faults.server import Server
from tests.store.postgres import Postgres

import espalier
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job
from espalier.store import Store, database, open_store
from espalier.store.base import now
from espalier.store.jobs import Jobs
from espalier.store.upgrading import UnknownTables, upgrade

NEWEST = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    op.add_column("jobs", sa.Column("mood", sa.String(20), server_default="calm", nullable=False))
    op.create_table("moods", sa.Column("name", sa.String(20), primary_key=True))
"""
"""A migration such as the next version might have."""


def revisions() -> list[str]:
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    return [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][::-1]


STEPS = list(zip(revisions(), revisions()[1:], strict=False))


def shape(engine: Engine) -> dict[str, dict[str, Any]]:
    """Columns of each table, and what is asked of a row."""
    seen = inspect(engine)
    return {
        table: {
            "columns": {column["name"]: column for column in seen.get_columns(table)},
            "rules": {
                *(("key", *each["constrained_columns"]) for each in seen.get_foreign_keys(table)),
                *(("unique", *each["column_names"]) for each in seen.get_unique_constraints(table)),
                *(("unique", *each["column_names"]) for each in seen.get_indexes(table) if each["unique"]),
                *(("check", each["sqltext"]) for each in seen.get_check_constraints(table)),
            },
        }
        for table in seen.get_table_names()
    }


@pytest.mark.parametrize(("older", "newer"), STEPS, ids=[newer for _, newer in STEPS])
def test_a_migration_only_adds_what_an_older_server_need_not_know(older: str, newer: str, address: str) -> None:
    store = Store.at(address)
    with store.engine.begin() as connection:
        upgrade(connection, older)
    before = shape(store.engine)
    with store.engine.begin() as connection:
        upgrade(connection, newer)
    after = shape(store.engine)
    store.close()
    for table, old in before.items():
        assert table in after, f"{table} is gone"
        new = after[table]
        for name, column in old["columns"].items():
            assert name in new["columns"], f"{table}.{name} is gone"
            assert str(new["columns"][name]["type"]) == str(column["type"]), f"{table}.{name} has another type"
            assert new["columns"][name]["nullable"] >= column["nullable"], f"{table}.{name} must be given now"
        for name in new["columns"].keys() - old["columns"].keys():
            column = new["columns"][name]
            assert column["nullable"] or column["default"] is not None, f"{table}.{name} must be given now"
        assert new["rules"] <= old["rules"] | {
            rule for rule in new["rules"] if not set(rule[1:]) & old["columns"].keys()
        }, f"{table} asks more of a row"


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """A folder with the next version of the package: the same code, and one migration more."""
    package, folder = Path(espalier.__file__).parent, tmp_path / "newer"
    (folder / "espalier").mkdir(parents=True)
    (folder / "models").symlink_to(package.parent / "models")
    for part in package.iterdir():
        if part.name != "store":
            (folder / "espalier" / part.name).symlink_to(part)
    shutil.copytree(package / "store", folder / "espalier" / "store", ignore=shutil.ignore_patterns("__pycache__"))
    before = revisions()[-1]
    script = NEWEST.format(revision=f"{int(before) + 1:04}", before=before)
    (folder / "espalier" / "store" / "migrations" / "versions" / "newest.py").write_text(script)
    return folder


def revision_of(address: str) -> str:
    store = Store.at(address)
    with store.read() as session:
        found: str = session.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    store.close()
    return found


def served(folder: Path, **environment: str) -> Iterator[Server]:
    folder.mkdir()
    server = Server(folder, environment | {"ESPALIER_STOP_SECONDS": "0"})
    server.start()
    server.wait_until()
    yield server
    server.stop()


QUESTION: dict[str, Any] = {"text": "A lovely film.", "model": "sst2-bow", "method": "leave-one-out"}


def asked_and_ended(server: Server, key: str) -> dict[str, Any]:
    job = server.wait(server.ask(QUESTION | {"text": f"A lovely film, {key}."}, key=key))
    assert job["status"] == "succeeded", job
    return job


def test_an_older_server_starts_beside_a_newer_one_and_each_answers_for_the_other(
    newer: Path, postgres: Postgres, tmp_path: Path
) -> None:
    address = postgres.database()
    for new in served(tmp_path / "new", ESPALIER_DATABASE=address, PYTHONPATH=str(newer)):
        migrated = revision_of(address)
        assert migrated > revisions()[-1]
        for old in served(tmp_path / "old", ESPALIER_DATABASE=address):
            assert revision_of(address) == migrated
            for one, other in ((new, old), (old, new)):
                job = asked_and_ended(one, key=f"at {one.port}")
                assert other.wait(job["id"])["explanation"] == job["explanation"]


@pytest.mark.slow
def test_an_older_server_takes_back_the_file_of_a_newer_one(newer: Path, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/espalier.sqlite"
    for new in served(tmp_path / "new", ESPALIER_DATABASE=address, PYTHONPATH=str(newer)):
        job = asked_and_ended(new, key="before")
    assert revision_of(address) > revisions()[-1]
    for old in served(tmp_path / "old", ESPALIER_DATABASE=address):
        assert old.wait(job["id"])["explanation"] == job["explanation"]
        asked_and_ended(old, key="after")


def moved_on(address: str, revision: str) -> None:
    opened = open_store(address)
    with opened.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})
    opened.close()


def test_tables_of_a_newer_version_are_used_as_they_are_and_that_is_said(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    moved_on(address, "0999")
    with caplog.at_level(logging.WARNING):
        opened = open_store(address)
    kept = Jobs(opened).add(Job("kept", "queued", ExplanationRequest(text="A film."), now()))
    assert Jobs(opened).get("kept") == kept
    opened.close()
    assert "newer version, 0999" in caplog.text
    assert revision_of(address) == "0999"


@pytest.mark.parametrize("revision", ["ae1027a6acf", "0000"])
def test_tables_that_no_version_made_are_refused(address: str, revision: str) -> None:
    moved_on(address, revision)
    with pytest.raises(UnknownTables, match=f"got revision {revision}, possible are 0001 to {revisions()[-1]}"):
        open_store(address)
