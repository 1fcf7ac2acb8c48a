"""A sentence as a set function, bool[m, n] to float[m]: what other libraries are given to play with.

They get it in two forms. Behind this project's host, which batches, sorts by length and leaves absent words out, what
differs is only what they ask for, and how. The plain form is what their users write: whole sentences in batches, absent
words masked.
"""

import numpy as np
import torch

from benchmarks import clock
from benchmarks.counted import CountedModel
from espalier.engine.host import ModelHost
from espalier.explain.plan import BoolArray, FloatArray
from espalier.games.game import Game, make_game
from espalier.games.scales import Scale, to_scale
from espalier.text import read

BLOCK = 4096
PLAIN_BATCHES = (16, 32, 64, 128, 256)


class SetFunction:
    """Values of one class for coalitions of a sentence's words. Nothing is remembered between calls."""

    def __init__(self, model: CountedModel, text: str, scale: Scale = "probability") -> None:
        self.game: Game = make_game(model, (read(text),))
        self.scale = scale
        self.size = len(self.game.players)
        self._host = ModelHost(model)
        everyone = np.ones((1, self.size), dtype=bool)
        self.target = int(self._values(everyone)[0].argmax())

    def __call__(self, coalitions: BoolArray) -> FloatArray:
        return self._values(np.atleast_2d(coalitions))[:, self.target]

    def __enter__(self) -> "SetFunction":
        return self

    def __exit__(self, *_: object) -> None:
        self._host.close()

    def _values(self, coalitions: BoolArray) -> FloatArray:
        logits = self._host.evaluate(self.game.rows(coalitions))
        return to_scale(self.game.summaries(logits), self.scale)

    def table(self) -> "Table":
        """The values of all coalitions there are."""
        return Table(np.concatenate([self(block) for block in _blocks(self.size)]))


class PlainFunction:
    """The same values, to rounding: the network as it comes, in batches of the size that suits it best."""

    def __init__(self, model: CountedModel, text: str) -> None:
        sample = np.random.default_rng(0).random((max(PLAIN_BATCHES), len(read(text).words))) < 0.5
        with SetFunction(model, text) as function:
            self.size, self.target, game = function.size, function.target, function.game
            expected = function(sample)
        self._network = model.network
        whole = game.rows(np.ones((1, self.size), dtype=bool))[0]
        self._ids = torch.as_tensor(whole.ids)
        # Where the tokens of each word are; those of no word always stay.
        self._tokens = np.zeros((self.size, whole.length), dtype=bool)
        for word, row in enumerate(game.rows(np.eye(self.size, dtype=bool))):
            self._tokens[word, row.positions] = True
        self._always = self._tokens.all(axis=0)
        self._batch = min(PLAIN_BATCHES, key=lambda batch: self._seconds(sample, batch))
        # Both must play the same game, or their times say nothing about each other.
        np.testing.assert_allclose(self(sample), expected, atol=1e-5)

    def __call__(self, coalitions: BoolArray) -> FloatArray:
        return self._values(np.atleast_2d(coalitions).astype(bool), self._batch)

    @torch.inference_mode()
    def _values(self, coalitions: BoolArray, batch: int) -> FloatArray:
        seen = torch.as_tensor((coalitions.astype(np.int64) @ self._tokens > 0) | self._always, dtype=torch.int64)
        found = []
        for mask in seen.split(batch):
            logits = self._network(input_ids=self._ids.expand(len(mask), -1), attention_mask=mask).logits
            found.append(logits.double().softmax(dim=-1)[:, self.target])
        return torch.cat(found).numpy()

    def _seconds(self, sample: BoolArray, batch: int) -> float:
        started = clock.now()
        self._values(sample, batch)
        return clock.now() - started


class Table:
    """All 2^n values, by the coalition's number: player i is bit i. Counts what is looked up."""

    def __init__(self, values: FloatArray) -> None:
        self.values = values
        self.size = len(values).bit_length() - 1
        self.forget()

    def __call__(self, coalitions: BoolArray) -> FloatArray:
        numbers = np.atleast_2d(coalitions).astype(bool) @ (1 << np.arange(self.size))
        self.evaluations += len(numbers)
        self._asked[numbers] = True
        return self.values[numbers]

    def forget(self) -> None:
        self.evaluations = 0
        self._asked = np.zeros(len(self.values), dtype=bool)

    @property
    def distinct(self) -> int:
        return int(self._asked.sum())


class Remembered:
    """A game with too many coalitions to enumerate: values are computed when they are first asked for, and kept.

    Counts what is looked up, as a table does.
    """

    def __init__(self, function: SetFunction) -> None:
        self.size = function.size
        self._function = function
        self._values: dict[int, float] = {}
        self.forget()

    def __call__(self, coalitions: BoolArray) -> FloatArray:
        rows = np.atleast_2d(coalitions).astype(bool)
        numbers = (rows @ (1 << np.arange(self.size))).tolist()
        self.evaluations += len(numbers)
        self._asked.update(numbers)
        unknown = {number: place for place, number in enumerate(numbers) if number not in self._values}
        if unknown:
            found = self._function(rows[list(unknown.values())]).tolist()
            self._values.update(zip(unknown, found, strict=True))
        return np.array([self._values[number] for number in numbers])

    def learn(self, other: "Remembered") -> None:
        """What another has of the same game."""
        self._values.update(other._values)

    def forget(self) -> None:
        """Forget the counts; the values stay."""
        self.evaluations = 0
        self._asked: set[int] = set()

    @property
    def distinct(self) -> int:
        return len(self._asked)


def enumerate_directly(function: SetFunction) -> Table:
    """The same table for a model so small that a host's bookkeeping would cost more than the model."""
    game, model = function.game, function.game.model
    found = [
        to_scale(game.summaries(np.asarray(model.outputs(game.rows(block)), dtype=np.float64)), function.scale)
        for block in _blocks(function.size)
    ]
    return Table(np.concatenate(found)[:, function.target])


def _blocks(size: int) -> list[BoolArray]:
    numbers = np.arange(2**size)
    return [
        (numbers[start : start + BLOCK, None] >> np.arange(size)) & 1 == 1 for start in range(0, len(numbers), BLOCK)
    ]
