"""A game given by a plain function: how plans run in unit tests and in the benchmark's synthetic games."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from espalier.explain.plan import Arrange, Ask, BoolArray, FloatArray, Later, Occlude, Partial, Plan, Redraw, Reorder
from espalier.problems import NotSupported

Result = TypeVar("Result")


class Toy:
    """Answers a plan from `values`: bool[m, n] -> float[m] or float[m, classes], counting what is asked. `arranged`
    answers for words in other places, where the game has places: float[m, classes]."""

    def __init__(
        self, values: Callable[[BoolArray], FloatArray], arranged: Callable[[Arrange], FloatArray] | None = None
    ) -> None:
        self._values = values
        self._arranged = arranged
        self.asked = 0
        self.seen: set[bytes] = set()
        self.partials: list[Any] = []
        self.redraw: Redraw[Any] | None = None

    @property
    def distinct(self) -> int:
        return len(self.seen)

    def answer(self, coalitions: BoolArray) -> FloatArray:
        self.asked += len(coalitions)
        self.seen.update(row.tobytes() for row in np.packbits(coalitions, axis=1))
        values = np.asarray(self._values(coalitions), dtype=np.float64)
        return values[:, None] if values.ndim == 1 else values

    def run(self, plan: Plan[Result]) -> Result:
        reply: Any = None
        while True:
            try:
                step = plan.send(reply)
            except StopIteration as finished:
                return finished.value  # type: ignore[no-any-return]
            reply = None
            if isinstance(step, Ask):
                reply = self.answer(step.coalitions)
            elif isinstance(step, Partial | Later):
                self.partials.append(step.make())
            elif isinstance(step, Redraw):
                self.redraw = step
            elif isinstance(step, Arrange) and self._arranged is not None:
                reply = self._arranged(step)
            elif isinstance(step, Arrange | Occlude | Reorder):
                raise NotSupported("a toy game has no places: got words to move or hide, possible are coalitions")
            else:
                raise NotSupported(f"a toy game has no inside: got the question {step.question!r}, possible are none")
