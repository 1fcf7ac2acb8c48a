"""One plan on one game, step by step, without touching a thread or a clock: what the driver drives."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from espalier.explain.plan import Arrange, Ask, Inspect, Later, Occlude, Partial, Plan, Redraw, Reorder
from espalier.games.arrange import arranged
from espalier.games.game import Game
from espalier.games.pool import Pool, keys_of
from espalier.games.references import Elsewhere, Rows
from espalier.games.reorder import reordered
from espalier.games.scales import Scale, to_scale
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import TokenRow

Result = TypeVar("Result")
BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]

PIECE_ROWS = 4096
"""Rows of one ask that are made and sent to the model together. A row of 400 tokens takes thirteen kilobytes; smaller
pieces would leave the model's batches half empty more often."""


@dataclass(slots=True)
class Counts:
    """Evaluations of one run: coalitions asked for, different ones among them, and those the pool already had."""

    asked: int = 0
    distinct: int = 0
    reused: int = 0
    expected: int | None = None
    elsewhere: int = 0
    """Rows of other models that the reference asked for."""

    @property
    def evaluated(self) -> int:
        return self.distinct - self.reused


@dataclass(frozen=True, slots=True, eq=False)
class Needed:
    """Rows the explained model must answer before the plan can go on."""

    rows: list[TokenRow]
    keys: list[bytes]
    outcomes: Outcomes
    to_come: int = 0
    """Coalitions of the same ask that are still to be made into rows."""
    is_last: bool = False
    """Whether these are all that the plan said it would ask for."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question about the inside of the model. Calling it uses the model, so it belongs on the thread of its host."""

    answer: Callable[[], Any]


Step = Needed | Elsewhere | Question
"""What a run waits for."""


class Run(Generic[Result]):
    """Feeds a plan from the pool and says what is still needed: of the explained model, or of another one first.

    while (step := run.advance()) is not None:
        run.receive(step, step.answer() if isinstance(step, Question) else model_of(step).outputs(step.rows, …))
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
        self._redraw: Redraw[Result] | None = None
        self._pieces: Iterator[tuple[Rows, list[bytes]]] = iter(())
        self._to_come = 0
        self._foreseen: int | None = None
        self._filling: tuple[Rows, list[bytes]] | None = None
        self._filled_with: FloatArray | None = None

    def advance(self) -> Step | None:
        """Run the plan until it needs a model. None when it has finished and `result` is there."""
        while True:
            if self._filling is not None:
                return self._fill(*self._filling)
            try:
                step = self._plan.send(self._reply)
            except StopIteration as finished:
                self.result = finished.value
                return None
            self._reply = None
            if isinstance(step, Partial | Later):
                if self._on_partial is not None:
                    self._on_partial(step.make)
            elif isinstance(step, Redraw):
                self._redraw = step
            elif isinstance(step, Inspect):
                return self._question(step)
            elif isinstance(step, Arrange):
                self._arranged(step)
            elif isinstance(step, Reorder):
                self._reordered(step)
            elif isinstance(step, Occlude):
                self._occluded(step)
            else:
                self._asked(step)

    def receive(self, step: Step, answer: Any) -> None:
        """The model's scores for the rows that were needed, or its answer to the question."""
        if isinstance(step, Question):
            self._reply = answer
            return
        if isinstance(step, Elsewhere):
            self._filled_with = answer
            return
        summaries = self._game.by_draws(np.asarray(answer, dtype=np.float64))
        self._pool.put(step.keys, summaries)
        self._seen.update(zip(step.keys, summaries, strict=True))
        self._filling = next(self._pieces, None)
        if self._filling is None:
            self._answer()

    def without_some_draws(self, again: Callable[[], Plan[Result]]) -> list[Result]:
        """What the plan finds from all draws but one, or but one group of them, for each: from known values, no model
        is asked. None at all where there is one draw, or where a plan goes another way than it went."""
        groups = range(1, next((len(each) for each in self._seen.values()), 0))
        if self._redraw is not None:
            return [self._redraw.find(partial(self._known, group)) for group in groups]
        try:
            return [self._replay(again(), group) for group in groups]
        except LookupError:
            return []

    def _replay(self, plan: Plan[Result], group: int) -> Result:
        reply: Any = None
        while True:
            try:
                step = plan.send(reply)
            except StopIteration as finished:
                return finished.value  # type: ignore[no-any-return]
            reply = None
            if isinstance(step, Partial | Later | Redraw):
                continue
            if isinstance(step, Inspect):
                raise LookupError("a question about the inside is the same for all draws")
            keys = self._keys(step)
            # A guess is no reason to say that a plan goes another way.
            reply = self._values(keys[: step.needed] if isinstance(step, Ask) else keys, group)

    def _known(self, group: int, coalitions: BoolArray) -> FloatArray:
        return self._values(self._keys(Ask(coalitions)), group)

    def _values(self, keys: Sequence[bytes], group: int) -> FloatArray:
        """Values that were seen: the first group of draws is all of them, each other one leaves some out."""
        found = [self._seen[key] for key in keys]
        # Where there is one group only they are joined: stacking takes three times as long.
        one = len(found[0]) == 1
        summaries = np.concatenate(found) if one else np.stack([each[group] for each in found])
        return to_scale(summaries, self._scale, self._game.against)

    def idle(self) -> tuple[int, ...]:
        """Players that made no difference, to the last bit, wherever a coalition was evaluated with and without them;
        and those that never leave. A player without such a pair is not among them."""
        size = len(self._game.players)
        width = (size + 7) // 8
        known = {key: each[0] for key, each in self._seen.items() if len(key) == width}
        packed = np.frombuffer(b"".join(known), dtype=np.uint8).reshape(len(known), width)
        values = np.stack(list(known.values())) if known else np.empty(0)
        at = {key: index for index, key in enumerate(known)}
        return tuple(
            player
            for player in range(size)
            if self._game.never_leave[player] or _made_no_difference(player, packed, at, values)
        )

    def close(self) -> None:
        self._plan.close()
        if self._filling is not None:
            self._filling[0].close()

    def _keys(self, step: Ask | Arrange | Occlude | Reorder) -> list[bytes]:
        """What the values that a step asks for are called in the pool."""
        if isinstance(step, Reorder):
            # Longer than the key of any coalition or arrangement of as many players, so they never meet in the pool.
            return [bytes(8) + order.tobytes() for order in step.orders.astype(np.int16)]
        keys = keys_of(self._coalitions(step))
        if isinstance(step, Ask):
            return keys
        # Longer than the key of any coalition of the same game, and each by another number, so that none ever meet in
        # the pool.
        if isinstance(step, Occlude):
            return [key + int(word).to_bytes(3) for key, word in zip(keys, step.words, strict=True)]
        moves = np.stack([step.words, step.places], axis=1).astype(np.int16)
        return [key + move.tobytes() for key, move in zip(keys, moves, strict=True)]

    def _coalitions(self, step: Ask | Arrange | Occlude) -> BoolArray:
        coalitions: BoolArray = np.atleast_2d(np.asarray(step.coalitions, dtype=bool))
        return coalitions | self._game.never_leave

    def _asked(self, step: Ask) -> None:
        coalitions = self._coalitions(step)
        self._need(self._keys(step), lambda missing: self._game.fill(coalitions[missing]), step.expected)

    def _arranged(self, step: Arrange) -> None:
        def rows(missing: list[int]) -> Rows:
            return arranged(self._game, step.coalitions[missing], step.words[missing], step.places[missing])

        self._need(self._keys(step), rows)

    def _occluded(self, step: Occlude) -> None:
        def rows(missing: list[int]) -> Rows:
            return self._game.occluded(step.coalitions[missing], [int(step.words[index]) for index in missing])

        self._need(self._keys(step), rows)

    def _reordered(self, step: Reorder) -> None:
        def rows(missing: list[int]) -> Rows:
            return reordered(self._game, step.orders[missing])

        self._need(self._keys(step), rows)

    def _need(self, keys: Sequence[bytes], rows: Callable[[list[int]], Rows], expected: int | None = None) -> None:
        """Answer from what is known, or begin to make the rows that are missing."""
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
        self._foreseen = expected
        if missing:
            self._pieces = self._in_pieces(list(missing.items()), rows)
            self._filling = next(self._pieces)
        else:
            self._answer()

    def _in_pieces(
        self, missing: list[tuple[bytes, int]], rows: Callable[[list[int]], Rows]
    ) -> Iterator[tuple[Rows, list[bytes]]]:
        """Rows of a large ask are made a piece at a time: all of them at once can be more than there is memory."""
        most = max(1, PIECE_ROWS // self._game.reference.rows_at_most)
        for start in range(0, len(missing), most):
            piece = missing[start : start + most]
            self._to_come = len(missing) - start - len(piece)
            yield rows([row for _, row in piece]), [key for key, _ in piece]

    def _fill(self, filling: Rows, keys: list[bytes]) -> Needed | Elsewhere:
        """Let the reference go on with what it asked for, until it asks again or its rows are there."""
        answer, self._filled_with = self._filled_with, None
        try:
            asked = filling.send(answer)  # type: ignore[arg-type]  # None begins a generator
        except StopIteration as finished:
            self._filling = None
            is_last = not self._to_come and self._foreseen is not None and self.counts.distinct >= self._foreseen
            return Needed(finished.value, keys, self._game.outcomes, self._to_come, is_last)
        self.counts.elsewhere += len(asked.rows)
        return asked

    def _answer(self) -> None:
        self._reply = self._values(self._asked_keys, 0)

    def _question(self, step: Inspect) -> Question:
        arguments = {"game": self._game, "scale": self._scale, **step.arguments}
        return Question(partial(self._game.model.inspect, step.question, **arguments))


def _made_no_difference(player: int, packed: NDArray[np.uint8], at: dict[bytes, int], values: FloatArray) -> bool:
    """`packed` are coalitions as in the pool, `at` which of them is where, `values` what they have."""
    byte, bit = player // 8, 128 >> player % 8
    without = np.flatnonzero(packed[:, byte] & bit == 0)
    joined = packed[without]
    joined[:, byte] |= bit
    width, together = packed.shape[1], joined.tobytes()
    others = [at.get(together[start : start + width], -1) for start in range(0, len(together), width)]
    pairs = np.asarray(others, dtype=np.int64) >= 0
    return bool(pairs.any()) and np.array_equal(values[without[pairs]], values[np.asarray(others)[pairs]])
