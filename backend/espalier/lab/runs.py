"""Runs of one kind as a caller sees them: somebody else's are as unknown as those that never were, and examples that
ship are everybody's to read."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from espalier.access import Caller
from espalier.lab import gallery
from espalier.lab.documents import RowDocument, RowList, TextRows
from espalier.lab.runner import Runner, UnknownEvaluation
from espalier.lab.work import Labelled
from espalier.problems import NotSupported
from espalier.store.evaluations import Evaluation, RunKind, StoredRow

Shown = TypeVar("Shown", bound=BaseModel)


class Runs(Generic[Shown]):
    """Finds, ends and forgets runs, reads what is written of them, and keeps the results of those that have ended."""

    def __init__(
        self, runner: Runner, kind: RunKind, results: type[Shown], unknown: type[UnknownEvaluation] = UnknownEvaluation
    ) -> None:
        self._runner = runner
        self._evaluations = runner.evaluations
        self._kind: RunKind = kind
        self._results = results
        self._unknown = unknown
        self._looked: dict[str, tuple[int, Shown]] = {}

    def all(self, caller: Caller) -> list[Evaluation]:
        """The caller's, the newest first; then the examples."""
        own = self._evaluations.all(None if caller.sees_all else caller.client, self._kind)
        return [*own, *(each.evaluation for each in gallery.examples().values() if each.evaluation.kind == self._kind)]

    def find(self, identity: str, caller: Caller) -> Evaluation:
        if (example := self._example(identity)) is not None:
            return example.evaluation
        found = self._evaluations.get(identity)
        if found is None or found.kind != self._kind or not caller.sees(found.client):
            raise self._unknown(identity)
        return found

    async def cancel(self, identity: str, caller: Caller) -> Evaluation:
        self._refuse_example(identity)
        await asyncio.to_thread(self.find, identity, caller)
        return await self._runner.cancel(identity)

    async def delete(self, identity: str, caller: Caller) -> None:
        self._refuse_example(identity)
        await asyncio.to_thread(self.find, identity, caller)
        await self._runner.delete(identity)
        self._looked.pop(identity, None)

    def results(self, found: Evaluation, make: Callable[[], Shown]) -> Shown:
        """Kept once they are final; under way, made again when there is something new."""
        if (example := self._example(found.id)) is not None:
            return self._results.model_validate_json(example.results)
        if found.status != "running" and (kept := self._evaluations.results(found.id)) is not None:
            try:
                return self._results.model_validate_json(kept)
            except ValidationError:
                pass  # of another version: made again
        looked = self._looked.get(found.id)
        if found.status == "running" and looked is not None and looked[0] == found.done:
            return looked[1]
        made = make()
        if found.status == "running":
            self._looked[found.id] = (found.done, made)
        else:
            self._looked.pop(found.id, None)
            self._evaluations.keep_results(found.id, made.model_dump_json())
        return made

    def progress(self, found: Evaluation) -> dict[str, Any]:
        """What every document of a run says of it."""
        return {
            "id": found.id,
            "status": found.status,
            "texts": found.texts,
            "total": found.total,
            "done": found.done,
            "failed": found.failed,
            "seconds_left": self._runner.seconds_left(found),
            "evaluations": found.evaluated,
            "problem": found.problem,
            "created": found.created,
            "finished": found.finished,
            "example": self._example(found.id) is not None,
        }

    # -------------------------------------------------------------------------------------------------------- reading

    def rows(self, identity: str, after: int = 0, texts: int | None = None) -> Iterator[StoredRow]:
        """Those of so many texts, from one of them on; of all when no number is given."""
        if (example := self._example(identity)) is not None:
            return example.rows(after, texts)
        return self._evaluations.rows(identity, after, texts)

    def texts(self, identity: str) -> Sequence[Labelled]:
        example = self._example(identity)
        return self._evaluations.texts(identity) if example is None else example.texts

    def page(
        self, found: Evaluation, after: int, texts: int, shown: Callable[[StoredRow], Iterable[RowDocument]]
    ) -> RowList:
        """Some texts with all that was found out about them. `shown` says how a stored row is shown."""
        page: dict[int, list[RowDocument]] = {index: [] for index in range(after, min(found.texts, after + texts))}
        for row in self.rows(found.id, after, len(page)):
            page[row.text] += shown(row)
        last = after + len(page)
        return RowList(
            texts=[
                TextRows(index=index, text=text, label=label, rows=rows)
                for index, rows in page.items()
                for text, label in [self._text(found.id, index)]
            ],
            after=last if last < found.texts else None,
        )

    def _text(self, identity: str, index: int) -> Labelled:
        if (example := self._example(identity)) is not None:
            return example.texts[index]
        return self._evaluations.text(identity, index) or ("", None)

    def _example(self, identity: str) -> gallery.Example | None:
        found = gallery.examples().get(identity)
        return found if found is not None and found.evaluation.kind == self._kind else None

    def _refuse_example(self, identity: str) -> None:
        if self._example(identity) is not None:
            raise NotSupported("an example cannot be changed: got one that ships here, possible is a run of yours")
