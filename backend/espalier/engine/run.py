"""One plan on one game, step by step, without touching a thread or a clock: the part both drivers share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import Ask, Inspect, Later, Partial, Plan
from espalier.games.game import Game
from espalier.games.pool import Pool, keys_of
from espalier.games.scales import Scale, to_scale
from espalier.models.inside.moved import moved_rows
from espalier.models.protocol import TokenRow

Result = TypeVar("Result")
BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(slots=True)
class Counts:
    """Evaluations of one run: coalitions asked for, different ones among them, and those the pool already had."""

    asked: int = 0
    distinct: int = 0
    reused: int = 0
    expected: int | None = None

    @property
    def evaluated(self) -> int:
        return self.distinct - self.reused


@dataclass(frozen=True, slots=True, eq=False)
class Needed:
    """Rows the model must answer before the plan can go on."""

    rows: list[TokenRow]
    keys: list[bytes]


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question about the inside of the model. Calling it uses the model, so it belongs on the thread of its host."""

    answer: Callable[[], Any]


class Run(Generic[Result]):
    """Feeds a plan from the pool and says what is still needed.

    while (step := run.advance()) is not None:
        run.receive(step, model_outputs(step.rows) if isinstance(step, Needed) else step.answer())
    """

    def __init__(
        self,
        plan: Plan[Result],
        game: Game,
        pool: Pool,
        scale: Scale,
        on_partial: Callable[[Callable[[], Result]], None] | None = None,
    ) -> None:
        self.counts = Counts()
        self.result: Result | None = None
        self._plan = plan
        self._game = game
        self._pool = pool
        self._scale = scale
        self._on_partial = on_partial
        self._seen: dict[bytes, FloatArray] = {}
        self._asked_keys: Sequence[bytes] = ()
        self._reply: Any = None

    def advance(self) -> Needed | Question | None:
        """Run the plan until it needs the model. None when it has finished and `result` is there."""
        while True:
            try:
                step = self._plan.send(self._reply)
            except StopIteration as finished:
                self.result = finished.value
                return None
            self._reply = None
            needed: Needed | Question | None = None
            if isinstance(step, Partial | Later):
                if self._on_partial is not None:
                    self._on_partial(step.make)
            elif isinstance(step, Inspect):
                # A text with a word in another's place is a row like any other: counted, pooled, cancellable.
                needed = self._moved(**step.arguments) if step.question == "moved" else self._question(step)
            else:
                needed = self._asked(step)
            if needed is not None:
                return needed

    def receive(self, step: Needed | Question, answer: Any) -> None:
        """The model's logits for the rows that were needed, or its answer to the question."""
        if isinstance(step, Question):
            self._reply = answer
            return
        summaries = self._game.summaries(np.asarray(answer, dtype=np.float64))
        self._pool.put(step.keys, summaries)
        self._seen.update(zip(step.keys, summaries, strict=True))
        self._answer()

    def close(self) -> None:
        self._plan.close()

    def _asked(self, step: Ask) -> Needed | None:
        coalitions = np.atleast_2d(np.asarray(step.coalitions, dtype=bool))
        return self._need(keys_of(coalitions), lambda missing: self._game.rows(coalitions[missing]), step.expected)

    def _need(
        self, keys: Sequence[bytes], rows: Callable[[list[int]], list[TokenRow]], expected: int | None = None
    ) -> Needed | None:
        """Answer from what is known, or say which rows are missing."""
        self._asked_keys = keys
        self.counts.asked += len(keys)
        missing: dict[bytes, int] = {}
        for row, key in enumerate(keys):
            if key in self._seen or key in missing:
                continue
            self.counts.distinct += 1
            pooled = self._pool.get(key)
            if pooled is None:
                missing[key] = row
            else:
                self.counts.reused += 1
                self._seen[key] = pooled
        self.counts.expected = max(expected or 0, self.counts.expected or 0, self.counts.distinct)
        if not missing:
            self._answer()
            return None
        return Needed(rows(list(missing.values())), list(missing))

    def _answer(self) -> None:
        summaries = np.stack([self._seen[key] for key in self._asked_keys])
        self._reply = to_scale(summaries, self._scale)

    def _moved(self, coalitions: BoolArray, words: IntArray, places: IntArray) -> Needed | None:
        # Longer than the key of any coalition of the same game, so the two never meet in the pool.
        moves = np.stack([words, places], axis=1).astype(np.int16)
        keys = [key + move.tobytes() for key, move in zip(keys_of(coalitions), moves, strict=True)]
        return self._need(
            keys, lambda missing: moved_rows(self._game, coalitions[missing], words[missing], places[missing])
        )

    def _question(self, step: Inspect) -> Question:
        arguments = {"game": self._game, "scale": self._scale, **step.arguments}
        return Question(partial(self._game.model.inspect, step.question, **arguments))
