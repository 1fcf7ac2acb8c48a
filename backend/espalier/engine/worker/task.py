"""One job in a worker: from the request to the finished document, told along the way."""

import threading
import time
from collections.abc import Callable
from typing import Any

import structlog

from espalier.compact_json import compact
from espalier.engine import messages
from espalier.engine.driver import Cancelled, Drive, Outcome
from espalier.engine.explainer import shown
from espalier.engine.messages import About, JobSaid, Trouble
from espalier.engine.run import Counts
from espalier.engine.worker.failures import leave_if_stuck, out_of_memory
from espalier.engine.worker.models import ModelRoom
from espalier.engine.worker.voice import Voice
from espalier.explain.explanation import Explanation
from espalier.explain.registry import MethodResult
from espalier.explain.request import ExplanationRequest
from espalier.findings.document import document, so_far
from espalier.models.protocol import HostedModel
from espalier.problems import BeingMadeReady, NoMemory, Problem

PROGRESS_SECONDS = 0.1
PARTIAL_SECONDS = 0.2
"""Often enough for a picture that grows; more would be work for nobody's eyes."""

_log = structlog.get_logger(__name__)


class Task:
    """Runs on a thread of its own. `cancel` and `tell` may be called from others."""

    def __init__(self, identity: str, request: ExplanationRequest, client: str, room: ModelRoom, voice: Voice) -> None:
        self.identity = identity
        self._request = request
        self._client = client
        self._room = room
        self._voice = voice
        self._drive: Drive[Any] | None = None
        self._cancelled = threading.Event()
        self._counted: tuple[int, int] | None = None
        self._latest: Callable[[], MethodResult] | None = None
        self._shown: Callable[[MethodResult], Explanation[Any]] | None = None
        self._told_partial = 0.0
        self._ended = False
        self._telling = threading.Lock()

    def cancel(self) -> None:
        """Stop within one batch."""
        self._cancelled.set()
        if self._drive is not None:
            self._drive.cancel()

    # The driver's listener: called from the model's thread, so nothing is done here but to take notes.
    def progress(self, evaluated: int, expected: int) -> None:
        self._counted = (evaluated, expected)

    def partial(self, make: Callable[[], MethodResult]) -> None:
        self._latest = make

    def tell(self) -> None:
        """Send what is new since the last time: progress, and the newest partial result."""
        if (counted := self._counted) is not None:
            self._counted = None
            self._tell_unless_ended(messages.Progress(self.identity, *counted))
        now = time.monotonic()
        if self._latest is None or self._shown is None or now - self._told_partial < PARTIAL_SECONDS:
            return
        make, self._latest, self._told_partial = self._latest, None, now
        shown = self._shown(make())
        self._tell_unless_ended(messages.PartialResult(self.identity, compact(so_far(shown))))

    def _tell_unless_ended(self, said: JobSaid) -> None:
        with self._telling:
            if not self._ended:
                self._voice.say(said)

    def run(self) -> None:
        """To the end, whatever it is; exactly one last message is sent."""
        try:
            with self._room.using_all(self._request):
                document, outcome = self._explain()
            done = messages.Succeeded(self.identity, outcome.counts.distinct, outcome.model_seconds, document)
            self._end(done)
        except Cancelled:
            self._end(messages.Cancelled(self.identity))
        except BeingMadeReady as making:
            self._end(messages.Postponed(self.identity, *making.progress))
        except NoMemory:
            self._end(messages.Exhausted(self.identity))
        except Problem as problem:
            self._end(messages.Failed(self.identity, Trouble.of(problem)))
        except Exception as error:
            _log.exception("job failed", job=self.identity, model=self._request.model, method=self._request.method)
            leave_if_stuck(error)
            self._end(messages.Exhausted(self.identity) if out_of_memory(error) else self._broken())
        finally:
            self._room.forget(self._request)

    def _broken(self) -> JobSaid:
        said = Trouble("internal-error", 500, "the worker failed at this job; its log says why")
        return messages.Failed(self.identity, said)

    def _explain(self) -> tuple[str, Outcome[Any]]:
        self._go_on()
        prepared = self._room.prepare(self._request)
        self._go_on()
        explainer = self._room.explainer
        probabilities = explainer.predict(prepared, self._client)
        target = explainer.target(prepared, probabilities)
        nothing = Outcome(MethodResult(exact=False), Counts(), 0.0, 0.0)
        known = explainer.assemble(prepared, probabilities, target, nothing)
        before = known.model_dump(mode="json", exclude={"result", "evaluations", "seconds"})
        self._voice.say(messages.Prepared(self.identity, about(prepared.game.model), compact(before)))
        self._shown = lambda found: shown(known, prepared, found)
        drive = self._drive = explainer.drive(prepared, target, self, self._client)
        self._go_on()
        outcome = drive.run()
        return compact(document(explainer.assemble(prepared, probabilities, target, outcome))), outcome

    def _go_on(self) -> None:
        if self._cancelled.is_set():
            raise Cancelled("cancelled before it began")

    def _end(self, said: JobSaid) -> None:
        with self._telling:
            self._ended = True
        try:
            self._voice.say(said)
        except messages.BrokenMessage:
            _log.exception("the end of a job cannot be said", job=self.identity)
            self._voice.say(self._broken())


def about(model: HostedModel) -> About:
    """What the service learns of a model when a request to it was checked."""
    return About(model.revision, tuple(model.classes), model.max_length, model.family)
