"""Preparing is begun again by whoever finds a study unprepared; a study that is ready by then stays as it is."""

from pathlib import Path
from typing import Any

import pytest
from tests.store.study_play import published

from espalier.store import Store, open_store
from espalier.studies.design import StudyDesign
from espalier.studies.preparation import Preparations
from espalier.studies.records import owner

DESIGN = StudyDesign(title="T", protocol="preference", models=("a",), methods=("x", "y"), items=4, attention_checks=0)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(f"sqlite:///{tmp_path}/studies.sqlite")


async def test_a_study_that_is_prepared_meanwhile_is_not_prepared_again(store: Store) -> None:
    study = published(store, DESIGN)
    nobody: Any = None  # an engine that is asked for anything fails
    preparations = Preparations(store, nobody)
    preparations.start(study)
    await preparations._running[study]
    with store.read() as session:
        assert owner.find(session, study).status == "published"
    store.close()
