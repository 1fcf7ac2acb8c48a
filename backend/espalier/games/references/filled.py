"""Absent words are filled in by a masked language model, given the words that are present.

Let x be the text, S the words present, M the masked model, and let [mask] stand in the place of every absent word, one
for each however many tokens it had. M gives at each such place i a distribution over whole words,

    p_i(w) = M(w at i | x_S, [mask] elsewhere) / the sum of the same over all whole words of its vocabulary.

Three ways to fill:

- `drawn` (the default): R texts are drawn, each absent word from its p_i, independently of each other given x_S. One
  pass of M serves all draws. It is the product of the marginals: words agree with the text, not always with each other.
- `likeliest`: every absent word becomes the likeliest of p_i; one text. What the papers do (ASIV, section 4.5).
- `in-turn`: absent words are drawn from the left to the right, each given x_S and those drawn before it. This is a
  proper joint distribution, p(x_i1 | x_S) p(x_i2 | x_S, x_i1) …, and costs a pass for each absent word and draw.

The value of S is the mean over the draws of what the explained model says of the filled texts. Which word draw r puts
at word i depends on the number u(seed, r, i) and on the row alone (`models.masked.draw`): so the game is a function of
the coalition, and the same draw has the same numbers in all coalitions.

What is filled in are words, and the filled text is read by the explained model in its own tokens: any model will do.
"""

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np

from espalier.games.references import language
from espalier.games.references.reference import (
    Asking,
    BoolArray,
    Elsewhere,
    IntArray,
    Reference,
    Rows,
    Setting,
    Shown,
    Wish,
)
from espalier.models.fillers import Filler
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import TokenRow
from espalier.problems import BadParameter, NotSupported
from espalier.text import Passage, replaced

DRAWS = 4

KEPT_ROWS = 20_000
"""Filled texts whose tokens are remembered: different coalitions are often filled to the same text."""

UNKNOWN = -1
"""In the place of a token that is not drawn yet."""


class Filled(Reference):
    """What the references of this kind share. Each names the model that it asks unless the request names another."""

    filler: ClassVar[str]
    whole_words = True
    usual_draws = DRAWS

    def __init__(self, setting: Setting, wish: Wish) -> None:
        super().__init__(setting.encoding)
        self._name = self.asks(wish)[0]
        self._setting = setting
        self._in_turn = wish.fill == "in-turn"
        self._model = _filler(self.name, self._name, setting)
        self.unread = tuple(self._model.unreadable(*setting.passages))
        self.draws = _draws(wish)
        self._outcomes: Outcomes = self._model.drawn(self.draws, wish.seed, wish.fill == "likeliest")
        self._groups = _groups(self._model, setting.passages)
        count = sum(len(passage.words) for passage in setting.passages)
        self._words = np.zeros((len(self.ids), count), dtype=np.float32)
        for token, owner in enumerate(self.encoding.owners):
            if owner is not None:
                self._words[token, owner] = 1
        self._begins = _beginnings(setting.passages) if self._model.small_letters else frozenset()
        self._rows: dict[Shown, tuple[TokenRow, tuple[int | None, ...]]] = {}

    @classmethod
    def identity(cls, wish: Wish) -> tuple[str, str, int, int]:
        # The likeliest words are the same whatever the seed.
        likeliest = wish.fill == "likeliest"
        return cls.name, wish.fill, _draws(wish), 0 if likeliest else wish.seed

    @classmethod
    def asks(cls, wish: Wish) -> tuple[str, ...]:
        return (wish.filler or cls.filler,)

    @classmethod
    def of(cls, setting: Setting, wish: Wish) -> Self:
        return cls(setting, wish)

    @property
    def rows_at_most(self) -> int:
        return max(self.draws, self._words.shape[1] * (self.draws if self._in_turn else 1))

    def opening(self) -> Asking[None]:
        """Which words of the text the model would have thought of itself: it must be of its language."""
        texts = [word.text for passage in self._setting.passages for word in passage.words]
        tokens = {word: own[0] for word, own in self._groups if word is not None and len(own) == 1}
        unknown = np.full(len(texts), UNKNOWN)
        rows: list[TokenRow] = []
        for words in language.turns([word for word in tokens if texts[word].isalpha()]):
            absent = np.zeros(len(texts), dtype=bool)
            absent[words] = True
            rows += self._at(*self._masked(absent, unknown), words)
        ranks = (yield Elsewhere(self._name, rows, self._model.ranks(tokens))) if rows else np.zeros(0)
        self.expected_words = int((ranks < language.EXPECTED).sum())
        unread = filter(str.isalpha, self.unread)
        in_pieces = [*self._model.in_pieces(*self._setting.passages), *unread]
        language.check(self._name, self.expected_words, in_pieces, sum(map(str.isalpha, texts)))

    def rows(self, present: BoolArray) -> Rows:
        filled = yield from self._filled(present)
        return [self._read(words)[0] for words in filled]

    def rows_without(self, present: BoolArray, hidden: Sequence[frozenset[int]]) -> Rows:
        """The same texts with some of their words hidden after they were filled: at their places nothing is seen."""
        filled = yield from self._filled(present)
        rows: list[TokenRow] = []
        for index, words in enumerate(filled):
            row, owners = self._read(words)
            seen = np.array([owner not in hidden[index // self.draws] for owner in owners])
            rows.append(TokenRow(row.ids[seen], row.positions[seen], row.length, row.read_at))
        return rows

    def shown(self, present: BoolArray) -> Asking[list[Shown]]:
        filled = yield from self._filled(present)
        return filled

    def stand_ins(self) -> IntArray | None:
        raise NotSupported(
            f"what stands in depends on the words that are present: got reference = {self.name}, possible are "
            "references with one stand-in for each place, such as pad or mask"
        )

    # ------------------------------------------------------------------------------------------------------- filling

    def _filled(self, present: BoolArray) -> Asking[list[Shown]]:
        """`draws` texts for each coalition, one coalition after the other."""
        absent = (~present).astype(np.float32) @ self._words > 0
        tokens = np.full((len(absent), self.draws, absent.shape[1]), UNKNOWN)
        steps: list[list[int]] = [[word] for word in np.flatnonzero(absent.any(axis=0)).tolist()]
        if not self._in_turn:
            steps = [[word for step in steps for word in step]]
        for words in steps:
            places, rows = self._questions(absent, tokens, words)
            if not rows:
                continue
            found = (yield Elsewhere(self._name, rows, self._outcomes)).astype(np.int64)
            for (coalition, draw, word), answer in zip(places, found, strict=True):
                if draw is None:
                    tokens[coalition, :, word] = answer
                else:
                    tokens[coalition, draw, word] = answer[draw]
        return [
            self._texts(absent[coalition], tokens[coalition, draw])
            for coalition in range(len(absent))
            for draw in range(self.draws)
        ]

    def _questions(
        self, absent: BoolArray, tokens: IntArray, words: list[int]
    ) -> tuple[list[tuple[int, int | None, int]], list[TokenRow]]:
        """Rows that ask for some words of every coalition: once for all draws, or for each draw as it stands."""
        places: list[tuple[int, int | None, int]] = []
        rows: list[TokenRow] = []
        for coalition, own in enumerate(absent):
            wanted = [word for word in words if own[word]]
            if not wanted:
                continue
            for draw in range(self.draws) if self._in_turn else (None,):
                known = tokens[coalition, draw or 0]
                rows += self._at(*self._masked(own, known), wanted)
                places += [(coalition, draw, word) for word in wanted]
        return places, rows

    @staticmethod
    def _at(ids: IntArray, where: dict[int, int], words: Sequence[int]) -> list[TokenRow]:
        """One text, read at the places of some words."""
        positions = np.arange(len(ids))
        return [TokenRow(ids, positions, len(ids), where[word], word) for word in words]

    def _masked(self, absent: BoolArray, known: IntArray) -> tuple[IntArray, dict[int, int]]:
        """The text as the filler reads it, and where each absent word stands in it."""
        ids: list[int] = []
        where: dict[int, int] = {}
        for word, own in self._groups:
            if word is not None and absent[word]:
                where[word] = len(ids)
                ids.append(self._model.blank_id if known[word] == UNKNOWN else int(known[word]))
            else:
                ids.extend(own)
        return np.asarray(ids, dtype=np.int64), where

    def _texts(self, absent: BoolArray, tokens: IntArray) -> Shown:
        return tuple(
            self._written(word, self._model.word_of(int(tokens[word]))) if away else None
            for word, away in enumerate(absent)
        )

    def _written(self, word: int, text: str) -> str:
        """A model without capital letters begins a sentence with a small one: it is written as the text does."""
        return text[:1].upper() + text[1:] if word in self._begins else text

    def _read(self, words: Shown) -> tuple[TokenRow, tuple[int | None, ...]]:
        """The filled text in the explained model's tokens, and the word of each token. With every word present it is
        the text itself."""
        if all(word is None for word in words):
            return self.encoding.row(), self.encoding.owners
        found = self._rows.get(words)
        if found is None:
            encoding = self._setting.model.encode(*filled_passages(self._setting.passages, words))
            found = encoding.row(), encoding.owners
            if len(self._rows) >= KEPT_ROWS:
                self._rows.clear()
            self._rows[words] = found
        return found


def filled_passages(passages: Sequence[Passage], words: Shown) -> list[Passage]:
    """The passages of a text with what stands in written into them. Words are counted through all of them."""
    base, found = 0, list[Passage]()
    for passage in passages:
        own = words[base : base + len(passage.words)]
        found.append(replaced(passage, {index: text for index, text in enumerate(own) if text is not None}))
        base += len(passage.words)
    return found


def _draws(wish: Wish) -> int:
    if wish.fill == "likeliest":
        if wish.draws not in (None, 1):
            raise BadParameter(f"the likeliest word is one: got draws = {wish.draws}, possible is 1, or fill = drawn")
        return 1
    return DRAWS if wish.draws is None else wish.draws


def _filler(reference: str, name: str, setting: Setting) -> Filler:
    """The model that is asked, if it can be: one that fills in words, and can read the text."""
    model = setting.others[name]
    if not isinstance(model, Filler):
        raise BadParameter(
            f"reference = {reference} asks a masked language model: got filler = {name} ({model.family}), possible are "
            "models of the family masked-lm"
        )
    words = [word.text for passage in setting.passages for word in passage.words]
    unreadable = model.unreadable(*setting.passages)
    if 2 * len(unreadable) > len(words):
        some = ", ".join(repr(word) for word in unreadable[:3])
        raise BadParameter(
            f"{name} cannot read this text: got {len(unreadable)} of {len(words)} words that it has no tokens for "
            f"({some} …), possible is a masked language model of its language, or another reference"
        )
    return model


def _groups(model: Filler, passages: Sequence[Passage]) -> list[tuple[int | None, tuple[int, ...]]]:
    """The filler's tokens of a text: of each word, and of what is none (special tokens). A word that has no tokens
    stands where it would."""
    encoding = model.read_words(*passages)
    groups: list[tuple[int | None, list[int]]] = []
    for token, owner in zip(encoding.ids, encoding.owners, strict=True):
        if owner is not None and groups and groups[-1][0] == owner:
            groups[-1][1].append(token)
        else:
            groups.append((owner, [token]))
    there = {owner for owner, _ in groups}
    for word in range(sum(len(passage.words) for passage in passages)):
        if word not in there:
            behind = max((at for at, (owner, _) in enumerate(groups) if owner is not None and owner < word), default=0)
            groups.insert(behind + 1, (word, []))
    return [(owner, tuple(own)) for owner, own in groups]


def _beginnings(passages: Sequence[Passage]) -> frozenset[int]:
    """Words that begin a sentence with a capital letter."""
    base, found = 0, set[int]()
    for passage in passages:
        found.update(base + start for start, _ in passage.sentences if passage.words[start].text[:1].isupper())
        base += len(passage.words)
    return frozenset(found)
