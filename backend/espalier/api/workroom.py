"""The models and the parser as requests share them: each loaded once, models used by one thread at a time."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from espalier.models.catalog import Catalog
from espalier.models.protocol import HostedModel
from espalier.trees.parser import Parser, default_parser

_log = logging.getLogger(__name__)


class Workroom:
    """`outputs` of a model may run in one thread at a time only: each model has a lock. The parser has its own."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.ready = False
        self._locks = {entry.name: threading.Lock() for entry in catalog.entries()}
        self._loading_parser = threading.Lock()

    @contextmanager
    def model(self, name: str) -> Iterator[HostedModel]:
        """A model of the catalog, for this thread alone until the block ends."""
        model = self.catalog.load(name)
        with self._locks[name]:
            yield model

    def parser(self) -> Parser:
        with self._loading_parser:
            return default_parser()

    def warm(self) -> None:
        """Load what the first visitor will ask for: the parser and the first model of the catalog."""
        try:
            self.parser()
            self.catalog.load(self.catalog.entries()[0].name)
            self.ready = True
        except Exception:
            _log.exception("the first model or the parser cannot be loaded; the server stays up but is not ready")
