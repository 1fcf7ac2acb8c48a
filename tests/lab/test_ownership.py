"""Somebody else's run is as unknown as one that never was; examples are everybody's to read and nobody's to change."""

import asyncio
from typing import Any

import pytest
from tests.lab.conftest import Here, design

from espalier.access import Caller
from espalier.lab import gallery
from espalier.lab.runner import UnknownEvaluation
from espalier.lab.service import Lab
from espalier.models.describe import Shelf
from espalier.problems import NotSupported
from espalier.store import Store

OWNER, OTHER, ADMIN = Caller("key:a", False), Caller("key:b", False), Caller("key:c", True)


def test_a_run_is_its_owners_and_the_admins(store: Store, shelf: Shelf, engine: Here) -> None:
    async def all_of_it() -> None:
        lab = Lab(engine, store, shelf)  # type: ignore[arg-type]
        engine.wait.clear()
        made = await lab.create(design(), OWNER)
        reads: list[Any] = [
            lab.document,
            lab.results,
            lambda identity, caller: lab.rows(identity, caller, 0, 5),
            lambda identity, caller: lab.points(identity, caller, "aopc-delete"),
            lab.raw,
        ]
        for read in reads:
            with pytest.raises(UnknownEvaluation):
                read(made.id, OTHER)
            read(made.id, OWNER)
            read(made.id, ADMIN)
        for change in (lab.cancel, lab.delete):
            with pytest.raises(UnknownEvaluation):
                await change(made.id, OTHER)
        assert made.id in [each.id for each in lab.all(OWNER).evaluations]
        assert made.id not in [each.id for each in lab.all(OTHER).evaluations]
        engine.wait.set()
        await lab.delete(made.id, ADMIN)
        await lab.end()

    asyncio.run(all_of_it())


def test_an_example_is_read_by_all_and_changed_by_nobody(store: Store, shelf: Shelf, engine: Here) -> None:
    lab = Lab(engine, store, shelf)  # type: ignore[arg-type]
    name = gallery.BEGINNING + "sentiment"
    assert lab.document(name, OTHER).example
    assert lab.results(name, OTHER).lines
    assert len(lab.rows(name, OTHER, 0, 3).texts) == 3
    assert next(lab.raw(name, OTHER))["sentence"]
    with pytest.raises(NotSupported, match="an example cannot be changed"):
        asyncio.run(lab.delete(name, ADMIN))
