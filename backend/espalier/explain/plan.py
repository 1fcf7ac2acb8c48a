"""Plans ask, hosts answer.

A method never calls a model. It is a generator, a *plan*: it yields the coalitions it needs, receives the model's
values for them, and returns its result. So a method is plain mathematics: it runs on a toy game in a unit test, on a
notebook's model in a loop and on the server, without knowing which.

    def leave_one_out(game: GameShape, parameters: LeaveOneOut) -> Plan[LeaveOneOutResult]:
        values = yield from ask(coalitions)      # bool[m, n] -> float[m, classes]
        yield Partial(...)                       # something worth drawing already
        return LeaveOneOutResult(...)
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from espalier.games.shape import GameShape

__all__ = [
    "Arrange",
    "Ask",
    "BoolArray",
    "FloatArray",
    "GameShape",
    "Inspect",
    "Later",
    "Occlude",
    "Partial",
    "Plan",
    "Redraw",
    "Reorder",
    "arrange",
    "ask",
    "inspect",
    "occlude",
    "reorder",
]

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """Values of these coalitions, please: bool[m, n] is answered by float64[m, classes].

    `expected` is the method's best knowledge of how many *distinct* coalitions it will have asked for in the end: it is
    what the progress bar counts to. Those behind the first `needed` are asked for ahead: where answers come from what
    is known only, they may be left out.
    """

    coalitions: BoolArray
    expected: int | None = None
    needed: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Arrange:
    """Values of coalitions, bool[m, n], with one word more that stands in another's place, please: player `words[k]`,
    who is not in coalition k, is written at the place of player `places[k]`. Answered by float64[m, classes].

    Such a text is no coalition, but a row for the model like any other: counted, pooled and cancellable.
    """

    coalitions: BoolArray
    words: IntArray
    places: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Reorder:
    """Values of the whole text with its players in other orders, please: int[m, n], each row the players as they are
    to be read, is answered by float64[m, classes]."""

    orders: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Occlude:
    """Values of coalitions, bool[m, n], from whose texts one present word each, player `words[k]`, is hidden once the
    absent ones were filled in, please. Answered by float64[m, classes]; only references that fill words in can do it.

    Such a text is no coalition either: the word has been read by whoever filled in the others.
    """

    coalitions: BoolArray
    words: IntArray


@dataclass(frozen=True, slots=True)
class Inspect:
    """A question about the inside of the model (weights, gradients, gates), answered by its family or refused."""

    question: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Partial(Generic[Result_co]):
    """Something worth drawing already. It has the type of the final result."""

    result: Result_co

    def make(self) -> Result_co:
        return self.result


@dataclass(frozen=True, slots=True)
class Later(Generic[Result_co]):
    """A partial result that is work of its own. It is made only if somebody looks, on another thread, while the model
    is at the coalitions that the plan asks for next: `make` must not depend on what the plan changes."""

    make: Callable[[], Result_co]


@dataclass(frozen=True, slots=True)
class Redraw(Generic[Result_co]):
    """How to find the result from other values of the coalitions it rests on, what was learned from the first ones
    kept: `find` is given what values coalitions have now, bool[m, n] -> float64[m, classes]. Not answered. It is called
    where somebody wants to know how much the draws of a reference matter; a plan that does not say it is run again."""

    find: Callable[[Callable[[BoolArray], FloatArray]], Result_co]


Plan = Generator[
    Ask | Arrange | Occlude | Reorder | Inspect | Partial[Result] | Later[Result] | Redraw[Result], Any, Result
]


def ask(
    coalitions: BoolArray, expected: int | None = None, needed: int | None = None
) -> Generator[Ask, FloatArray, FloatArray]:
    """`values = yield from ask(coalitions)`: the typed way to ask."""
    values = yield Ask(coalitions, expected, needed)
    return values


def arrange(coalitions: BoolArray, words: IntArray, places: IntArray) -> Generator[Arrange, FloatArray, FloatArray]:
    """`values = yield from arrange(coalitions, words, places)`."""
    values = yield Arrange(coalitions, words, places)
    return values


def reorder(orders: IntArray) -> Generator[Reorder, FloatArray, FloatArray]:
    """`values = yield from reorder(orders)`."""
    values = yield Reorder(orders)
    return values


def occlude(coalitions: BoolArray, words: IntArray) -> Generator[Occlude, FloatArray, FloatArray]:
    """`values = yield from occlude(coalitions, words)`."""
    values = yield Occlude(coalitions, words)
    return values


def inspect(question: str, **arguments: Any) -> Generator[Inspect, Any, Any]:
    """`answer = yield from inspect("gradients", …)`."""
    answer = yield Inspect(question, arguments)
    return answer
