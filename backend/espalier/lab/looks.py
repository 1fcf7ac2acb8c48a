"""The numbers of the runs that were looked at last. Reading a hundred thousand rows takes seconds; a page asks for them
several times, and while a run is under way every few seconds."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable

from espalier.lab.design import EvaluationDesign
from espalier.lab.matrix import Column, Matrix
from espalier.store.evaluations import Evaluation, StoredRow

MOST_RUNS = 4
MOST_ROWS = 200_000
"""Of all runs that are kept together: about half a kilobyte each."""

RowsFrom = Callable[[int], Iterable[StoredRow]]
"""The rows of a run, from one of its texts on."""


class Looks:
    """Safe for threads. Of a run that is known only the rows are read that came since."""

    def __init__(self, most_runs: int = MOST_RUNS, most_rows: int = MOST_ROWS) -> None:
        self._most_runs, self._most_rows = most_runs, most_rows
        self._known: OrderedDict[str, _Look] = OrderedDict()
        self._lock = threading.Lock()

    def columns(self, evaluation: Evaluation, design: EvaluationDesign, rows_from: RowsFrom) -> list[Column]:
        """In the order of models, then of the table's lines."""
        with self._lock:
            look = self._known.setdefault(evaluation.id, _Look(Matrix(design, evaluation.texts)))
            self._known.move_to_end(evaluation.id)
        with look.lock:
            # A unit is counted as it is written: where no more are done, there is nothing new to read.
            if look.done != evaluation.done:
                look.matrix.take(rows_from(look.matrix.settled))
                look.done = evaluation.done
            found = look.matrix.copied()
        self._tidy()
        return found

    def forget(self, identity: str) -> None:
        with self._lock:
            self._known.pop(identity, None)

    def _tidy(self) -> None:
        """The longest unseen go first, and what is too large by itself goes at once."""
        with self._lock:
            while self._known and (
                len(self._known) > self._most_runs
                or sum(each.matrix.rows for each in self._known.values()) > self._most_rows
            ):
                self._known.popitem(last=False)


class _Look:
    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self.done: int | None = None
        self.lock = threading.Lock()
