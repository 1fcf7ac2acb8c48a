"""What jobs wait for: rows of a model, or a question about its inside."""

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from espalier.models.outcomes import Outcomes
from espalier.models.protocol import TokenRow

FloatArray = NDArray[np.float64]
RowKey = tuple[bytes, bytes, int, int | None, int | None, Outcomes]

NOTHING = Outcomes(())

FEW_ROWS = 64
"""Orders that are over in a batch or so: those of short jobs, and of methods that go step by step."""


def key_of(row: TokenRow, outcomes: Outcomes) -> RowKey:
    """Equal for rows that are the same input, read in the same way."""
    return row.ids.tobytes(), row.positions.tobytes(), row.length, row.read_at, row.place, outcomes


@dataclass(eq=False)
class Order:
    """Rows one job waits for, or one question. `future` gives float64[rows, outcomes], or the question's answer."""

    rows: Sequence[TokenRow]
    client: str
    outcomes: Outcomes = NOTHING
    on_progress: Callable[[int], None] | None = None
    question: Callable[[], Any] | None = None
    background: bool = False
    """Whether it waits for everybody else's."""
    returns: bool = True
    """Whether whoever asked mostly asks again when it is answered."""
    future: "Future[Any]" = field(default_factory=Future)
    widths: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    """Rows that are not with the model yet, the widest last; some may have been answered with another job's."""
    outputs: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    cancelled: bool = False
    passed_over: int = 0
    """Batches since the last one that had rows of this order."""

    def __post_init__(self) -> None:
        self.keys = [key_of(row, self.outcomes) for row in self.rows]
        self.answered = [False] * len(self.rows)
        self.left = len(self.rows)

    @property
    def is_small(self) -> bool:
        return self.left <= FEW_ROWS

    @property
    def done(self) -> int:
        return len(self.rows) - self.left

    def take(self, index: int, output: FloatArray) -> None:
        """The model's answer to one row."""
        self.outputs[index] = output
        self.answered[index] = True
        self.left -= 1

    def cancel(self) -> None:
        """Take what is left off the queue; a batch under way is finished, an answer under way is not waited for."""
        self.cancelled = True
        if self.question is not None:
            self.fail(CancelledError())

    def finish(self, answer: Any) -> None:
        with suppress(InvalidStateError):  # cancelled meanwhile: nobody waits any more
            self.future.set_result(answer)

    def fail(self, error: BaseException) -> None:
        with suppress(InvalidStateError):
            self.future.set_exception(error)
