"""One plan on one game, step by step, without touching a thread or a clock: the part both drivers share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import Ask, Inspect, Partial, Plan
from espalier.games.game import Game
from espalier.games.pool import Pool, keys_of
from espalier.games.scales import Scale, to_scale
from espalier.models.protocol import TokenRow

Result = TypeVar("Result")
FloatArray = NDArray[np.float64]


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


class Run(Generic[Result]):
    """Feeds a plan from the pool and says what is still needed.

    while (needed := run.advance()) is not None:
        run.receive(needed, model_outputs(needed.rows))
    """

    def __init__(
        self,
        plan: Plan[Result],
        game: Game,
        pool: Pool,
        scale: Scale,
        on_partial: Callable[[Result], None] | None = None,
    ) -> None:
        self.counts = Counts()
        self.result: Result | None = None
        self._plan = plan
        self._game = game
        self._pool = pool
        self._scale = scale
        self._on_partial = on_partial
        self._seen: dict[bytes, FloatArray] = {}
        self._asked_keys: list[bytes] = []
        self._reply: Any = None

    def advance(self) -> Needed | None:
        """Run the plan until it needs the model. None when it has finished and `result` is there."""
        while True:
            try:
                step = self._plan.send(self._reply)
            except StopIteration as finished:
                self.result = finished.value
                return None
            self._reply = None
            if isinstance(step, Partial):
                if self._on_partial is not None:
                    self._on_partial(step.result)
            elif isinstance(step, Inspect):
                self._reply = self._inspect(step)
            elif (needed := self._need(step)) is not None:
                return needed

    def receive(self, needed: Needed, logits: FloatArray) -> None:
        """The model's logits for the rows that were needed."""
        summaries = self._game.summaries(np.asarray(logits, dtype=np.float64))
        self._pool.put(needed.keys, summaries)
        self._seen.update(zip(needed.keys, summaries, strict=True))
        self._answer()

    def close(self) -> None:
        self._plan.close()

    def _need(self, ask: Ask) -> Needed | None:
        coalitions = np.atleast_2d(np.asarray(ask.coalitions, dtype=bool))
        self._asked_keys = keys_of(coalitions)
        self.counts.asked += len(coalitions)
        missing: dict[bytes, int] = {}
        for row, key in enumerate(self._asked_keys):
            if key in self._seen or key in missing:
                continue
            self.counts.distinct += 1
            pooled = self._pool.get(key)
            if pooled is None:
                missing[key] = row
            else:
                self.counts.reused += 1
                self._seen[key] = pooled
        self.counts.expected = max(ask.expected or 0, self.counts.expected or 0, self.counts.distinct)
        if not missing:
            self._answer()
            return None
        return Needed(self._game.rows(coalitions[list(missing.values())]), list(missing))

    def _answer(self) -> None:
        summaries = np.stack([self._seen[key] for key in self._asked_keys])
        self._reply = to_scale(summaries, self._scale)

    def _inspect(self, question: Inspect) -> Any:
        return self._game.model.inspect(
            question.question, game=self._game, scale=self._scale, **dict(question.arguments)
        )
