"""The models a worker has in memory: as many as it may keep, those in use among them."""

import gc
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import structlog

from espalier.engine.explainer import Explainer, Prepared
from espalier.engine.host import ModelHost
from espalier.engine.worker.failures import out_of_memory, sticks
from espalier.explain.request import ExplanationRequest
from espalier.games.pool import Pools
from espalier.games.references import reference
from espalier.models.catalog import Catalog
from espalier.models.families import be_ready, load_model
from espalier.models.protocol import HostedModel
from espalier.problems import BadModel, Problem
from espalier.text import Passage
from espalier.trees.desk import ParseDesk
from espalier.trees.tree import SpanTree

if TYPE_CHECKING:
    from espalier.trees.parser import Parser

POOL_BYTES = 64 * 2**20
"""Evaluated coalitions that a worker remembers, of all games together."""

_log = structlog.get_logger(__name__)

KEPT_PREPARED = 64
"""Requests that were checked and wait for their job to begin."""


class ModelRoom:
    """One explainer over all models. A model in use is never put away; of the others the longest unused goes first."""

    def __init__(self, catalog: Catalog, most_models: int) -> None:
        self.catalog = catalog
        self._desk = ParseDesk(lambda passages: self.parser().parse_batch(passages))
        self.explainer = Explainer(self._load, self.parse, pools=Pools(POOL_BYTES))
        self._most_models = most_models
        self._users: OrderedDict[str, int] = OrderedDict()
        self._changing = threading.Lock()
        self._loading: dict[str, threading.Lock] = {}
        self._preparing = threading.Lock()
        self._parsing = threading.Lock()
        self._prepared: OrderedDict[str, Prepared] = OrderedDict()

    @contextmanager
    def using(self, name: str) -> Iterator[ModelHost]:
        """A model's host, loaded when it is not, and kept for as long as the block runs."""
        self.catalog.entry(name)
        with self._changing:
            self._users[name] = self._users.get(name, 0) + 1
            self._users.move_to_end(name)
            loading = self._loading.setdefault(name, threading.Lock())
        try:
            with loading:
                host = self.explainer.host(name)
            yield host
        finally:
            with self._changing:
                self._users[name] -= 1
                self._put_away()

    @contextmanager
    def using_all(self, request: ExplanationRequest) -> Iterator[ModelHost]:
        """The host of a request's model; kept beside it are the models that its reference asks."""
        with ExitStack() as kept:
            host = kept.enter_context(self.using(request.model))
            for name in reference(request.reference).asks(request.wish()):
                kept.enter_context(self.using(name))
            yield host

    def prepare(self, request: ExplanationRequest) -> Prepared:
        """Check a request and read its text: once, though first it is asked whether a job can be done, then done."""
        key = request.model_dump_json()
        with self._preparing:
            found = self._prepared.pop(key, None)
        found = found or self.explainer.prepare(request)
        with self._preparing:
            self._prepared[key] = found
            while len(self._prepared) > KEPT_PREPARED:
                self._prepared.popitem(last=False)
        return found

    def forget(self, request: ExplanationRequest) -> None:
        with self._preparing:
            self._prepared.pop(request.model_dump_json(), None)

    def parser(self) -> "Parser":
        """The parser, on the device that this worker was given; whoever asks first loads it, and the others wait."""
        with self._parsing:
            from espalier.trees.parser import default_parser  # benepar and what it brings: no other view waits for it

            return default_parser(self.catalog.device)

    def parse(self, passage: Passage) -> SpanTree:
        """In one go with whoever else wants a parse just now."""
        self.parser()  # to load it takes its time, which is not that of a parse
        return self._desk.parse(passage)

    def busy(self) -> float:
        """How long the longest batch under way has been with its model, or with the parser, in seconds."""
        return max(self.explainer.busy(), self._desk.busy())

    def _load(self, name: str) -> HostedModel:
        source = self.catalog.source(name)
        be_ready(source)  # nobody waits on a thread that others need
        try:
            return load_model(source, self.catalog.device)
        except Problem:
            raise
        except Exception as error:  # whatever libraries say of files that are no model
            if out_of_memory(error) or sticks(error):
                raise
            _log.exception("a model cannot be loaded", model=name)
            said = str(error).partition("\n")[0]
            raise BadModel(f"{name} cannot be loaded: got {type(error).__name__}: {said}") from error

    def _put_away(self) -> None:
        for name in [name for name, users in self._users.items() if users == 0]:
            if len(self._users) <= self._most_models:
                return
            del self._users[name]
            with self._preparing:
                # A prepared game holds on to its model, and to those that its reference asks.
                self._prepared = OrderedDict(
                    (key, each) for key, each in self._prepared.items() if name not in _models_of(each.request)
                )
            self.explainer.put_away(name)
            # Models that were there at the start are left out of collections, and are garbage in circles now.
            if gc.get_freeze_count():
                gc.unfreeze()
                gc.collect()
                gc.freeze()


def _models_of(request: ExplanationRequest) -> tuple[str, ...]:
    return request.model, *reference(request.reference).asks(request.wish())
