"""Any method on a part of a long text, inside of what the levels above it say.

Let v be the model's value of a set of words. At the first level the players are the parts of the whole text, and the
game is v itself. A part N that is opened has a value there already: its Shapley value, phi(N). Its own parts play

    u(B) = sum over k of w_k [v(A_k + B) - v(A_k)]  +  r |B| / |N|

where B is a set of parts of N and each A_k is a *context*: words outside of N that are there already. So u(nobody) is
0, u(everybody) is phi(N), and because Shapley values share out exactly what everybody has, the parts of N add up to
what N has, at every level, in every scale. Every method plays u as it would play v.

Contexts and weights are Owen's (1977; Winter, 1989 for several levels) where they are few: whatever may have arrived
before N when the parts of every node arrive together. Values are then Owen values, and r is 0.

Elsewhere there would be thousands of contexts, each a run of the model for every coalition. Of Owen's integral over
how much of the rest is there, its two ends are taken: nothing but N, and the whole text around it. They are weighted
so that N has its value, w v-alone + (1 - w) v-in-the-text = phi(N), which for two siblings is again Owen's half and
half. Where phi(N) lies outside of what N adds at the two ends, the nearer end is taken, and r, what is missing, is
shared out evenly by words: an additive game more, which no interaction sees.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Generic, TypeVar

import numpy as np

from espalier.explain.plan import Ask, BoolArray, FloatArray, GameShape, Later, Partial, Plan, Redraw, ask
from espalier.games.nesting import Level
from espalier.problems import NotSupported

Result = TypeVar("Result")
Outer = TypeVar("Outer")

MOST_CONTEXTS = 4
"""Contexts that are all taken: those of three siblings. Every further sibling doubles the work of a look."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A level on the way down, with the values of its parts."""

    level: Level
    values: tuple[float, ...]
    errors: tuple[float, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class Inside(Generic[Result]):
    """What a method found at the open level, and the levels above it, the whole text first."""

    result: Result
    above: tuple[Valued, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Contexts:
    """What else may be there, bool[contexts, words], and how much each counts. `owen` where they are all there are."""

    present: BoolArray
    weights: FloatArray
    owen: bool


@dataclass(eq=False)
class LevelGame:
    """The game between the parts of one level, played with words."""

    shape: GameShape
    level: Level
    contexts: Contexts
    is_text: bool = False
    remainder: float = 0.0

    def words(self, coalitions: BoolArray) -> BoolArray:
        """The words of coalitions of parts: bool[m, parts] to bool[m, words]."""
        rows = np.zeros((len(coalitions), self.contexts.present.shape[1]), dtype=bool)
        for at, part in enumerate(self.level.parts):
            rows[:, part.start : part.end] = coalitions[:, at, None]
        return rows

    def values(self, coalitions: BoolArray, expected: int | None) -> Generator[Ask, FloatArray, FloatArray]:
        """u of coalitions of parts, float[m, classes]."""
        words, present = self.words(coalitions), self.contexts.present
        count = len(present)
        rows = (words[:, None, :] | present[None, :, :]).reshape(-1, words.shape[1])
        answers = yield from ask(np.concatenate([present, rows]), None if expected is None else count * (expected + 1))
        before, after = answers[:count], answers[count:].reshape(len(words), count, -1)
        if self.is_text:
            return after[:, 0]
        found: FloatArray = np.einsum("k,mkc->mc", self.contexts.weights, after - before)
        lengths = np.array([part.end - part.start for part in self.level.parts])
        found[:, self.shape.target] += self.remainder * (coalitions @ lengths) / lengths.sum()
        return found


def inside(
    game: GameShape,
    levels: Sequence[Level],
    worth: Callable[[GameShape], Plan[Any]],
    method: Callable[[GameShape], Plan[Result]],
    texts: Callable[[Level], tuple[str, ...]],
    most_contexts: int = MOST_CONTEXTS,
) -> Plan[Inside[Result]]:
    """A method on the last of these levels. `game` is the one between words; `worth` gives Shapley values, and with
    them every level above says what the part that is opened in it has."""
    above: list[Valued] = []
    contexts = Contexts(np.zeros((1, game.size), dtype=bool), np.ones(1), owen=True)
    current = _game(game, levels[0], contexts, texts)
    current.is_text = True
    for level in levels[1:]:
        valued = yield from _play(current, worth(current.shape), show=None)
        above.append(Valued(current.level, valued.values, valued.standard_errors or (), valued.exact))
        at = current.level.part((level.start, level.end))
        assert at is not None, "levels lie within each other"
        contexts = _contexts(current, at, most_contexts)
        current = _game(game, level, contexts, texts)
        yield from _settle(current, valued.values[at])
    known = tuple(above)

    def show(make: Callable[[], Result]) -> Later[Inside[Result]]:
        return Later(lambda: Inside(make(), known))

    result = yield from _play(current, method(current.shape), show)
    return Inside(result, known)


def _game(game: GameShape, level: Level, contexts: Contexts, texts: Callable[[Level], tuple[str, ...]]) -> LevelGame:
    return LevelGame(GameShape(texts(level), game.classes, game.target, level.tree), level, contexts)


def _play(
    game: LevelGame, plan: Plan[Result], show: Callable[[Callable[[], Result]], Outer] | None
) -> Generator[Any, Any, Result]:
    """Run a plan between parts with answers from the game between words."""
    reply: Any = None
    while True:
        try:
            step = plan.send(reply)
        except StopIteration as finished:
            result: Result = finished.value
            return result
        reply = None
        if isinstance(step, Ask):
            reply = yield from game.values(np.atleast_2d(np.asarray(step.coalitions, dtype=bool)), step.expected)
        elif isinstance(step, Partial | Later):
            if show is not None:
                yield show(step.make)
        elif isinstance(step, Redraw):
            pass  # other draws change what the levels above are worth, too: all of them are played again
        else:
            raise NotSupported(
                "this method needs more of the model than what it says of parts of a text: got players = nested, "
                "possible are words"
            )


def _contexts(game: LevelGame, at: int, most: int) -> Contexts:
    """What may be there before one part of a level arrives."""
    part, siblings = game.level.parts[at], len(game.level.parts) - 1
    if game.contexts.owen and len(game.contexts.present) << siblings <= most:
        chosen = (np.arange(1 << siblings)[:, None] >> np.arange(siblings)) & 1 == 1
        chances = np.array([1 / ((siblings + 1) * comb(siblings, int(count))) for count in chosen.sum(axis=1)])
        earlier = game.words(np.insert(chosen, at, False, axis=1))
        both = (game.contexts.present[:, None, :] | earlier[None, :, :]).reshape(-1, earlier.shape[1])
        return Contexts(both, np.outer(game.contexts.weights, chances).ravel(), owen=True)
    ends = np.zeros((2, game.contexts.present.shape[1]), dtype=bool)
    ends[1] = True
    ends[1, part.start : part.end] = False
    return Contexts(ends, np.array([0.5, 0.5]), owen=False)


def _settle(game: LevelGame, value: float) -> Generator[Ask, FloatArray, None]:
    """Weigh the contexts so that the open part has the value that the level above gave it."""
    present, target = game.contexts.present, game.shape.target
    with_part = present.copy()
    with_part[:, game.level.start : game.level.end] = True
    before, after = (yield from ask(np.concatenate([present, with_part])))[:, target].reshape(2, -1)
    added = after - before
    weights = game.contexts.weights
    if not game.contexts.owen:
        alone, in_text = float(added[0]), float(added[1])
        share = 0.5 if alone == in_text else (value - in_text) / (alone - in_text)
        share = min(1.0, max(0.0, share))
        weights = np.array([share, 1 - share])
    game.contexts = Contexts(present, weights, game.contexts.owen)
    game.remainder = value - float(weights @ added)
