"""One job in a worker: from the request to the finished document, told along the way."""

import threading
import time
from collections.abc import Callable
from typing import Any

import structlog

from espalier.compact_json import compact
from espalier.engine.driver import Cancelled, Drive, Outcome
from espalier.engine.explainer import Prepared
from espalier.engine.run import Counts
from espalier.engine.worker.models import ModelRoom
from espalier.engine.worker.voice import Voice
from espalier.explain.explanation import Explanation
from espalier.explain.registry import MethodResult
from espalier.explain.request import ExplanationRequest
from espalier.pictures.finding import finding
from espalier.problems import Problem

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
            self._tell_unless_ended("progress", evaluated=counted[0], expected=counted[1])
        now = time.monotonic()
        if self._latest is None or self._shown is None or now - self._told_partial < PARTIAL_SECONDS:
            return
        make, self._latest, self._told_partial = self._latest, None, now
        shown = self._shown(make())
        self._tell_unless_ended("partial", compact({"result": _result(shown), "finding": headline(shown)}))

    def _tell_unless_ended(self, kind: str, body: str | None = None, **fields: Any) -> None:
        with self._telling:
            if not self._ended:
                self._say(kind, body, **fields)

    def run(self) -> None:
        """To the end, whatever it is; exactly one last message is sent."""
        try:
            with self._room.using(self._request.model):
                document, counts = self._explain()
            self._end("succeeded", document, evaluated=counts.distinct, expected=counts.distinct)
        except Cancelled:
            self._end("cancelled")
        except Problem as problem:
            self._end("failed", problem=[problem.code, problem.status, problem.message])
        except Exception:
            _log.exception("job failed", job=self.identity, model=self._request.model, method=self._request.method)
            self._end("failed", problem=["internal-error", 500, "the worker failed at this job; its log says why"])
        finally:
            self._room.forget(self._request)

    def _explain(self) -> tuple[str, Counts]:
        self._go_on()
        prepared = self._room.prepare(self._request)
        self._go_on()
        explainer = self._room.explainer
        probabilities = explainer.predict(prepared, self._client)
        target = explainer.target(prepared, probabilities)
        nothing = Outcome(MethodResult(exact=False), Counts(), 0.0, 0.0)
        known = explainer.assemble(prepared, probabilities, target, nothing)
        before = known.model_dump(mode="json", exclude={"result", "evaluations", "seconds"})
        self._say("prepared", compact(before), **content_of(prepared))
        self._shown = lambda result: known.model_copy(update={"result": result})
        drive = self._drive = explainer.drive(prepared, target, self, self._client)
        self._go_on()
        outcome = drive.run()
        return document_of(explainer.assemble(prepared, probabilities, target, outcome)), outcome.counts

    def _go_on(self) -> None:
        if self._cancelled.is_set():
            raise Cancelled("cancelled before it began")

    def _end(self, kind: str, body: str | None = None, **fields: Any) -> None:
        with self._telling:
            self._ended = True
        self._say(kind, body=body, **fields)

    def _say(self, kind: str, body: str | None = None, **fields: Any) -> None:
        self._voice.say({"is": kind, "job": self.identity, **fields}, body)


def document_of(explanation: Explanation[Any]) -> str:
    """The explanation as it is stored and served, headline included."""
    return compact(explanation.model_dump(mode="json") | {"finding": headline(explanation)})


def headline(explanation: Explanation[Any]) -> str | None:
    """A headline is worth having, but not worth an explanation: where there is none to be found, none is said."""
    try:
        return finding(explanation)
    except Exception:
        _log.warning("no headline", method=explanation.method, exc_info=True)
        return None


def _result(explanation: Explanation[Any]) -> Any:
    return explanation.result.model_dump(mode="json")


def content_of(prepared: Prepared) -> dict[str, Any]:
    """What the service learns of a model when a request to it was checked."""
    model = prepared.game.model
    return {"revision": model.revision, "classes": list(model.classes), "max_length": model.max_length}
