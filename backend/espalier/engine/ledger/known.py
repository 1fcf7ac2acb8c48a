"""What was asked before: by the key it came with, or by the address of its result."""

from dataclasses import replace

from espalier.access import realm
from espalier.engine.address import address
from espalier.explain.request import ExplanationRequest
from espalier.games.references import reference
from espalier.jobs import Job
from espalier.models.describe import Shelf
from espalier.store.jobs import Jobs


class Known:
    """Asks the store, so it is called on its threads."""

    def __init__(self, jobs: Jobs, shelf: Shelf) -> None:
        self._jobs = jobs
        self._shelf = shelf

    def look_up(self, job: Job, idempotency_key: str | None) -> tuple[Job | None, str | None]:
        """The job that came with this key before; or this job as it is when its result is known already, and the
        result's address. Refuses what this model cannot be asked."""
        content = self._content(job.request, job.client)
        if idempotency_key is not None and (before := self._jobs.known(job, idempotency_key)) is not None:
            return before, None
        found = None if content is None else self._jobs.result(content)
        if found is None:
            return None, None
        counted = replace(job, evaluated=found.evaluated, expected=found.evaluated, explanation=found.document)
        return replace(counted, status="succeeded", started=job.created, finished=job.created), content

    def address(self, job: Job, revision: str) -> str:
        """Of a result by this revision of the model: what the worker loaded decides, should the model's files have
        changed since the job was accepted."""
        model = self._shelf.get(job.request.model)
        return address(job.request, revision, realm(job.client), self._others(job.request), model.says)

    def _content(self, request: ExplanationRequest, client: str) -> str | None:
        """The address of a request's result, as far as it can be known without loading the model."""
        model = self._shelf.get(request.model)
        method, _ = request.settings()
        self._shelf.check(method, model)
        others = self._others(request)
        if model.revision is None or "" in others.values():
            return None
        return address(request, model.revision, realm(client), others, model.says)

    def _others(self, request: ExplanationRequest) -> dict[str, str]:
        """Revisions of the models that the reference asks; empty where one is not known before it is loaded."""
        asked = reference(request.reference).asks(request.wish())
        return {name: self._shelf.get(name).revision or "" for name in asked}
