"""Many ask for a parse at the same time, and the parser answers them together: one forward pass serves a dozen."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from espalier.text import Passage
from espalier.trees.tree import SpanTree

MOST_TOGETHER = 32
"""Texts that are parsed in one go. The parser itself makes batches of some three hundred tokens of them."""


@dataclass(eq=False)
class _Waiting:
    passage: Passage
    tree: SpanTree | None = None
    problem: BaseException | None = None


class ParseDesk:
    """Whoever's turn it is parses for all who wait. Nobody waits for company: the first one begins at once, and those
    who come meanwhile are served together when it is done."""

    def __init__(self, parse_batch: Callable[[Sequence[Passage]], list[SpanTree]]) -> None:
        self._parse_batch = parse_batch
        self._queue: list[_Waiting] = []
        self._queueing = threading.Lock()
        self._turn = threading.Lock()
        self._since: float | None = None

    def parse(self, passage: Passage) -> SpanTree:
        own = _Waiting(passage)
        with self._queueing:
            self._queue.append(own)
        with self._turn:
            while own.tree is None and own.problem is None:
                with self._queueing:
                    group, self._queue = self._queue[:MOST_TOGETHER], self._queue[MOST_TOGETHER:]
                self._serve(group)
        if own.problem is not None:
            raise own.problem
        assert own.tree is not None
        return own.tree

    def busy(self) -> float:
        """How long the texts under way have been with the parser, in seconds."""
        since = self._since
        return 0.0 if since is None else time.monotonic() - since

    def _serve(self, group: list[_Waiting]) -> None:
        self._since = time.monotonic()
        try:
            for each, tree in zip(group, self._parse_batch([each.passage for each in group]), strict=True):
                each.tree = tree
        except BaseException as error:
            if len(group) == 1:
                group[0].problem = error
                return
            # One of them cannot be parsed: the others must not share its fate.
            for each in group:
                self._serve([each])
        finally:
            self._since = None
