"""Stop at an error: evaluate until the numbers are good enough, the budget being the most."""

from typing import Annotated, Any, TypeVar

import numpy as np
from pydantic import Field

from espalier.explain.plan import FloatArray, Later, Partial, Plan
from espalier.explain.registry import MethodResult

StopAt = Annotated[
    float | None,
    Field(
        gt=0,
        lt=1,
        description="Stop as soon as the numbers are known to this share of their size, such as 0.05: the root mean "
        "square of their standard errors over that of the numbers. The budget is then the most.",
    ),
]
Reached = Annotated[
    bool | None,
    Field(description="Whether the error asked for with stop_at was reached; none where none was asked for."),
]
RelativeError = Annotated[
    float | None,
    Field(description="Where stop_at was given: standard errors over numbers, both as root mean squares."),
]


class Stoppable(MethodResult):
    """A result that may rest on fewer evaluations than were allowed."""

    reached: Reached = None
    relative_error: RelativeError = None

    def accuracy(self) -> float:
        """Its standard errors as a share of its numbers."""
        raise NotImplementedError


Result = TypeVar("Result", bound=Stoppable)


def share(errors: FloatArray, numbers: FloatArray) -> float:
    """Root mean square of errors over that of numbers; none where nothing is known to be off."""
    off, size = float(np.square(errors).sum()), float(np.square(numbers).sum())
    return float(np.sqrt(off / size)) if off > 0 and size > 0 else float(off > 0)


def until(plan: Plan[Result], stop_at: float | None) -> Plan[Result]:
    """The plan, ended at its first partial result that is good enough. What it says of its error is what was asked
    for: whoever looks often is a little more likely to find it small once, which the growing steps keep rare."""
    if stop_at is None:
        whole: Result = yield from plan
        return whole
    reply: Any = None
    while True:
        try:
            step = plan.send(reply)
        except StopIteration as finished:
            found: Result = finished.value
            return _judged(found, stop_at)
        reply = None
        if isinstance(step, Partial | Later):
            result = _judged(step.make(), stop_at)
            if result.reached:
                plan.close()
                return result
            yield Partial(result)
        else:
            reply = yield step


def _judged(result: Result, stop_at: float) -> Result:
    accuracy = result.accuracy()
    return result.model_copy(update={"reached": accuracy <= stop_at, "relative_error": accuracy})
