"""Whose run it is that measures a study, and what of it is left."""

import asyncio

import pytest
from tests.lab.conftest import Here
from tests.store.study_play import published

from espalier.access import Caller
from espalier.lab.people.service import run_of
from espalier.lab.runner import UnknownEvaluation
from espalier.lab.service import Lab
from espalier.models.describe import Shelf
from espalier.store import Store
from espalier.studies.design import StudyDesign
from espalier.studies.office import Office
from espalier.studies.records import owner
from espalier.studies.records.owner import UnknownStudy

OWNER, OTHER, ADMIN = Caller("key:a", False), Caller("key:b", False), Caller("key:c", True)
DESIGN = StudyDesign(
    title="T", protocol="coherence", models=("sst2-bow",), methods=("leave-one-out", "lime"), items=4, votes=3, seed=3
)


def owned(store: Store) -> str:
    study = published(store, DESIGN)
    with store.write() as session:
        owner.take_turn(session, study).owner = OWNER.client
    return study


def test_a_run_is_the_study_s_owner_s_whoever_began_it(store: Store, shelf: Shelf, engine: Here) -> None:
    async def all_of_it() -> None:
        lab, study = Lab(engine, store, shelf), owned(store)  # type: ignore[arg-type]
        engine.wait.clear()
        with pytest.raises(UnknownStudy):
            await lab.people.measure(Office(store, caller=OTHER), study)
        with pytest.raises(UnknownStudy):
            lab.people.show(Office(store, caller=OTHER), study)
        await lab.people.measure(Office(store, caller=ADMIN), study)
        assert lab.document(run_of(study), OWNER).status == "running"
        with pytest.raises(UnknownEvaluation):
            lab.document(run_of(study), OTHER)
        # Twice is once.
        await lab.people.measure(Office(store, caller=OWNER), study)
        assert [each.id for each in lab.all(OWNER).evaluations if not each.example] == [run_of(study)]
        engine.wait.set()
        await lab.end()

    asyncio.run(all_of_it())


def test_a_cancelled_run_is_begun_again_and_a_deleted_study_leaves_none(
    store: Store, shelf: Shelf, engine: Here
) -> None:
    async def all_of_it() -> None:
        lab, study = Lab(engine, store, shelf), owned(store)  # type: ignore[arg-type]
        office = Office(store, caller=OWNER)
        assert lab.people.show(office, study).run is None
        engine.wait.clear()
        await lab.people.measure(office, study)
        engine.wait.set()
        await lab.cancel(run_of(study), OWNER)
        ended = lab.people.show(office, study).run
        assert ended is not None
        assert ended.status == "cancelled"
        engine.wait.clear()
        await lab.people.measure(office, study)
        assert lab.document(run_of(study), OWNER).status == "running"
        engine.wait.set()
        await lab.people.forget(study)
        await lab.people.forget(study)
        with pytest.raises(UnknownEvaluation):
            lab.document(run_of(study), OWNER)
        await lab.end()

    asyncio.run(all_of_it())
