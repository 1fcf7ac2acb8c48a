"""How far an operator leads from what people write: the surprise of a small language model at the texts that it makes.

All texts of a unit are gauged in a few questions: each is read by itself, and the words of all are scored together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from espalier.engine.asking import answered
from espalier.engine.explainer import Explainer
from espalier.games.game import Game
from espalier.games.plain_text import written_out
from espalier.measure.curves import count_of
from espalier.measure.gauge import GAUGED_ORDERS, GAUGED_PERCENT
from espalier.measure.registry import GAUGE
from espalier.models.next_words import LanguageModel
from espalier.problems import NotSupported, Problem
from espalier.text import read

IntArray = NDArray[np.int64]

TOGETHER = 32
"""Texts that the language model reads at a time: between two such batches people's questions go first."""


@dataclass(frozen=True, slots=True)
class Gauged:
    """For each order (or orders) its surprise by operator, in bits a word beyond those of the whole text. `wanted`
    counts texts as if none came twice, `read` those that the language model really read."""

    values: list[dict[str, float | None]]
    wanted: int
    read: int


class Gauging:
    """For the unit of one text. `go_on` raises where nobody waits any more."""

    def __init__(self, explainer: Explainer, text: str, client: str, go_on: Callable[[], None]) -> None:
        self._explainer, self._text, self._client, self._go_on = explainer, text, client, go_on
        self._bits: dict[str, float | None] = {}

    def gauged(self, games: Mapping[str, Game], orders: Sequence[IntArray | None]) -> Gauged:
        """`games` by operator; of many random orders a few are enough. None where there is no order, or no text."""
        made = {name: self._made(game, orders) for name, game in games.items()}
        texts = [self._text, *(text for own in made.values() for each in own for text in each)]
        self._read(texts)
        whole = self._bits[self._text]
        values = [{name: self._beyond(own[index], whole) for name, own in made.items()} for index in range(len(orders))]
        return Gauged(values, len(texts), len(self._bits))

    def _beyond(self, texts: Sequence[str], whole: float | None) -> float | None:
        found = [bits for text in texts if (bits := self._bits[text]) is not None]
        return float(np.mean(found)) - whole if found and whole is not None else None

    def _made(self, game: Game, orders: Sequence[IntArray | None]) -> list[list[str]]:
        """For each order the texts that are left without its top words; none where nothing is left of a text, or where
        what is left is no text."""
        texts: list[list[str]] = [[] for _ in orders]
        if not type(game.reference).leaves_text:
            return texts
        size = len(game.players)
        owners, coalitions = list[int](), list[NDArray[np.bool_]]()
        for index, own in enumerate(orders):
            for order in () if own is None else own[:GAUGED_ORDERS]:
                coalition = np.ones(size, dtype=bool)
                coalition[order[: count_of(GAUGED_PERCENT, size)]] = False
                owners.append(index)
                coalitions.append(coalition)
        if not coalitions:
            return texts
        try:
            shown = answered(
                game.shown(np.array(coalitions)), self._explainer.host, self._client, background=True, go_on=self._go_on
            )
        except NotSupported:
            return texts  # a reference that cannot be written down: what it does is measured all the same
        for place, each in enumerate(shown):
            text = written_out(game.passages, each, type(game.reference).keeps_places).text
            if text.strip():
                texts[owners[place * len(coalitions) // len(shown)]].append(text)
        return texts

    def _read(self, texts: Sequence[str]) -> None:
        """Bits a word of every text, None where the language model cannot read it."""
        host = self._explainer.host(GAUGE)
        model = host.model
        assert isinstance(model, LanguageModel)
        passages = {text: read(text) for text in dict.fromkeys(texts)}
        readable = list[str]()
        for text, passage in passages.items():
            self._bits[text] = None
            try:
                model.encode(passage)
            except Problem:
                continue
            readable.append(text)
        for start in range(0, len(readable), TOGETHER):
            self._go_on()
            own = readable[start : start + TOGETHER]

            def question(own: Sequence[str] = own) -> list[float]:
                return model.bits([passages[text] for text in own])

            found = host.consult(question, self._client, background=True).future.result()
            for text, bits in zip(own, found, strict=True):
                self._bits[text] = bits / len(passages[text].words)
