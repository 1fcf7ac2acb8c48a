"""Edits of a running server: which there are, how far they are, what came out, and to undo them."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate
from typing import Any

from espalier.access import Caller
from espalier.lab.edits.design import EditDesign
from espalier.lab.edits.documents import Doing, EditDocument, EditedModel, EditList, EditResults
from espalier.lab.edits.export import raw_rows, table_rows
from espalier.lab.edits.plan import EditPlan, planned
from espalier.lab.edits.work import design_of, name_of, texts_of, work_of
from espalier.lab.interactions.editing import undo
from espalier.lab.runner import Runner, UnknownEdit
from espalier.lab.runs import Runs
from espalier.models.catalog import kept_edits
from espalier.models.describe import Shelf
from espalier.problems import BadParameter, Problem, UnknownName
from espalier.store.evaluations import Evaluation

PARTS: tuple[Doing, ...] = ("beginning", "teaching", "before", "after", "accuracy")


class NotThere(Problem):
    """Of an edit that has not come to its end, or never will."""

    code = "not-found"
    status = 404


class Edits:
    """Lives as long as the server. Runs go through the Lab's runner, which leaves them to the workshop."""

    def __init__(self, runner: Runner, shelf: Shelf) -> None:
        self._runner = runner
        self._workshop = runner.workshop
        self._shelf = shelf
        self._runs = Runs(runner, "edit", EditResults, UnknownEdit)

    def plan(self, design: EditDesign) -> EditPlan:
        return planned(design, self._shelf, self._workshop.terms).plan

    async def create(self, design: EditDesign, caller: Caller) -> EditDocument:
        return self._document(await self._runner.add(design, caller.client))

    async def cancel(self, identity: str, caller: Caller) -> EditDocument:
        """Nothing of it stays: a server that was killed while it published one has left its model or a part of it."""
        ended = await self._runs.cancel(identity, caller)
        if ended.status == "cancelled":
            with suppress(UnknownName):
                await asyncio.to_thread(undo, self._workshop.folder, name_of(ended))
            await asyncio.to_thread(self._workshop.put_away, identity)
        return self._document(ended)

    async def delete(self, identity: str, caller: Caller) -> None:
        """With the model that it made, or what there is of it. What is built on that must be undone first."""
        found = await asyncio.to_thread(self._runs.find, identity, caller)
        await self._runner.cancel(identity)
        with suppress(UnknownName):
            await asyncio.to_thread(self.undo, name_of(found))
        await asyncio.to_thread(self._workshop.put_away, identity)
        await self._runs.delete(identity, caller)

    def undo(self, model: str) -> None:
        """Take an edited model out of the catalog, whoever made it. Its run keeps its numbers."""
        built_on = [each.name for each in self._models() if each.of == model]
        under_way = [each for each in self._runner.evaluations.all(kind="edit") if each.status == "running"]
        built_on += [name_of(each) for each in under_way if design_of(each).model == model]
        if built_on:
            raise BadParameter(
                f"{model} is what others are edits of: got {', '.join(built_on)}, possible is to undo these first"
            )
        undo(self._workshop.folder, model)

    def all(self, caller: Caller) -> EditList:
        return EditList(
            edits=[self._document(each) for each in self._runs.all(caller)],
            models=self._models(),
            refused=self._workshop.terms.refused,
        )

    def document(self, identity: str, caller: Caller) -> EditDocument:
        return self._document(self._runs.find(identity, caller))

    def results(self, identity: str, caller: Caller) -> EditResults:
        found = self._runs.find(identity, caller)

        def nothing() -> EditResults:
            raise NotThere(
                f"no results: got an edit that is {found.status}, possible is one that is finished"
                + (f" ({found.problem})" if found.problem else "")
            )

        return nothing() if found.status != "finished" else self._runs.results(found, nothing)

    def raw(self, identity: str, caller: Caller) -> Iterator[dict[str, object]]:
        return raw_rows(self.results(identity, caller))

    def table(self, identity: str, caller: Caller) -> Iterator[dict[str, object]]:
        return table_rows(self.results(identity, caller))

    def _models(self) -> list[EditedModel]:
        if self._shelf.catalog.edits is None:
            return []
        return [_edited(path.name, about) for path, about in kept_edits(self._workshop.folder)]

    def _document(self, found: Evaluation) -> EditDocument:
        name, first = name_of(found), texts_of(found)
        there = found.status == "finished" and (self._workshop.folder / name).is_dir()
        return EditDocument(
            design=design_of(found),
            doing=self._doing(found),
            tested=found.texts - first,
            model=name if there else None,
            **(self._runs.progress(found) | {"texts": first}),
        )

    def _doing(self, found: Evaluation) -> Doing | None:
        if found.status != "running":
            return None
        if not found.done and self._workshop.waits(found.id):
            return "waiting"
        ends = accumulate(work_of(found))
        return next((part for part, end in zip(PARTS, ends, strict=True) if found.done < end), "accuracy")


def _edited(name: str, about: dict[str, Any]) -> EditedModel:
    return EditedModel(
        name=name,
        of=str(about["of"]),
        words=[str(each) for each in about.get("words", ())],
        text=str(about.get("text", "")),
        target=str(about.get("class", "")),
        strength=about.get("strength"),
        edit=about.get("run"),
    )
