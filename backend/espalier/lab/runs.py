"""Runs of one kind as a caller sees them: somebody else's are as unknown as those that never were."""

import asyncio
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from espalier.access import Caller
from espalier.lab.runner import Runner, UnknownEvaluation
from espalier.store.evaluations import Evaluation, RunKind

Shown = TypeVar("Shown", bound=BaseModel)


class Runs(Generic[Shown]):
    """Finds, ends and forgets runs, and keeps the results of those that have ended."""

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
        """The caller's, the newest first."""
        return self._evaluations.all(None if caller.sees_all else caller.client, self._kind)

    def find(self, identity: str, caller: Caller) -> Evaluation:
        found = self._evaluations.get(identity)
        if found is None or found.kind != self._kind or not caller.sees(found.client):
            raise self._unknown(identity)
        return found

    async def cancel(self, identity: str, caller: Caller) -> Evaluation:
        await asyncio.to_thread(self.find, identity, caller)
        return await self._runner.cancel(identity)

    async def delete(self, identity: str, caller: Caller) -> None:
        await asyncio.to_thread(self.find, identity, caller)
        await self._runner.delete(identity)
        self._looked.pop(identity, None)

    def results(self, found: Evaluation, make: Callable[[], Shown]) -> Shown:
        """Kept once they are final; under way, made again when there is something new."""
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
        }
