"""A backup that is taken while everybody writes holds all that had ended before it."""

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select
from tests.store.study_play import play, published
from typer.testing import CliRunner

from espalier.cli import app
from espalier.explain.request import ExplanationRequest
from espalier.jobs import Job
from espalier.settings import settings
from espalier.store import Store, open_store
from espalier.store.backup import BackupProblem, back_up, restore
from espalier.store.base import now
from espalier.store.jobs import Jobs
from espalier.store.studies.tables import AnswerRow, PersonRow
from espalier.studies.design import StudyDesign
from espalier.studies.desk import Desk

DESIGN = StudyDesign(
    title="T", protocol="preference", models=("a",), methods=("x", "y"), items=40, votes=9, attention_checks=0, seed=1
)
REQUEST = ExplanationRequest(text="A film.")


class Load:
    """Jobs that end and people who answer, until told to stop; and what had ended by now."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._study = published(store, DESIGN)
        self._stop = threading.Event()
        self.jobs: list[str] = []
        self.people: list[str] = []

    def work(self, name: str) -> None:
        jobs, desk = Jobs(self._store), Desk(self._store)
        number = 0
        while not self._stop.is_set():
            number += 1
            identity = f"{name}{number}"
            job = jobs.add(Job(identity, "queued", REQUEST, now(), client="me"))
            jobs.finish(job, "succeeded", content=identity, document='{"n":1}' + " " * 10_000)
            self.jobs.append(identity)
            if number % 5 == 0 and play(desk, self._study, identity):
                self.people.append(identity)

    def while_it_runs(self, done: Callable[[], None]) -> None:
        with ThreadPoolExecutor(4) as pool:
            working = [pool.submit(self.work, name) for name in "abcd"]
            try:
                while len(self.people) < 8:
                    assert not any(each.done() for each in working)
                done()
            finally:
                self._stop.set()
            for each in working:
                each.result()


@pytest.mark.slow
def test_all_that_had_ended_before_a_backup_under_load_is_restored(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/live.sqlite")
    load = Load(store)
    ended: list[str] = []
    answered: list[str] = []

    def copy() -> None:
        ended.extend(load.jobs)
        answered.extend(load.people)
        back_up(tmp_path / "live.sqlite", tmp_path / "copy")

    load.while_it_runs(copy)
    store.close()
    assert len(load.jobs) > len(ended), "nobody wrote meanwhile"

    assert restore(tmp_path / "copy", tmp_path / "new" / "espalier.sqlite") is None
    restored = open_store(f"sqlite:///{tmp_path}/new/espalier.sqlite")
    jobs = Jobs(restored)
    assert all((jobs.get(identity) or REQUEST).explanation for identity in ended)  # type: ignore[union-attr]
    with restored.read() as session:
        finished = session.scalar(select(func.count()).select_from(PersonRow).where(PersonRow.finished.is_not(None)))
        assert session.scalar(select(func.count()).select_from(AnswerRow))
    assert (finished or 0) >= len(answered)
    restored.close()


def test_a_database_that_a_server_has_open_is_not_replaced(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/live.sqlite")
    Jobs(store).add(Job("a", "queued", REQUEST, now()))
    back_up(tmp_path / "live.sqlite", tmp_path / "copy")
    with pytest.raises(BackupProblem, match="in use"):
        restore(tmp_path / "copy", tmp_path / "live.sqlite")
    Jobs(store).add(Job("b", "queued", REQUEST, now()))
    store.close()
    kept = restore(tmp_path / "copy", tmp_path / "live.sqlite")
    assert kept is not None
    opened = open_store(f"sqlite:///{tmp_path}/live.sqlite")
    assert (Jobs(opened).get("a") is not None, Jobs(opened).get("b")) == (True, None)
    opened.close()
    before = sqlite3.connect(kept)
    assert before.execute("SELECT count(*) FROM jobs").fetchone() == (2,)
    before.close()


def test_a_copy_is_for_its_owners_eyes_and_never_overwrites(tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path}/live.sqlite").close()
    back_up(tmp_path / "live.sqlite", tmp_path / "copy")
    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0
    with pytest.raises(BackupProblem, match="there already"):
        back_up(tmp_path / "live.sqlite", tmp_path / "copy")
    assert sorted(path.name for path in tmp_path.iterdir() if "copy" in path.name) == ["copy"]


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\x00" + b"\x00" * 5000])
def test_what_is_no_copy_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "copy").write_bytes(content)
    with pytest.raises(BackupProblem):
        restore(tmp_path / "copy", tmp_path / "espalier.sqlite")
    assert not (tmp_path / "espalier.sqlite").exists()


def test_the_commands_do_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ESPALIER_DATA", str(tmp_path / "data"))
    settings.cache_clear()
    try:
        store = open_store(settings().database_url)
        Jobs(store).add(Job("a", "queued", REQUEST, now()))
        store.close()
        copy = str(tmp_path / "copy")
        assert CliRunner().invoke(app, ["backup", copy]).exit_code == 0
        assert CliRunner().invoke(app, ["restore", copy]).exit_code == 0
        monkeypatch.setenv("ESPALIER_DATABASE", "postgresql+psycopg://u:secret@h/d")
        settings.cache_clear()
        refused = CliRunner().invoke(app, ["backup", str(tmp_path / "other")])
        assert refused.exit_code == 2
        assert "pg_dump" in refused.output
        assert "secret" not in refused.output
    finally:
        settings.cache_clear()
