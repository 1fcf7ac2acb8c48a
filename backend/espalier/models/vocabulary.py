"""The words a word model knows, and how a reader's word falls apart into them."""

import re
from collections.abc import Iterable

from espalier.models.protocol import Encoding
from espalier.problems import TooLong
from espalier.text import Passage

PAD, UNKNOWN = 0, 1
_NEGATED = re.compile(r"^(.+)(n['’]t)$")


class Vocabulary:
    """Lower-case words to ids. Id 0 is the pad (a zero vector), id 1 stands for every word not known."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)
        self._ids = {word: index + 2 for index, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words) + 2

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def id(self, word: str) -> int:
        return self._ids.get(word, UNKNOWN)

    def pieces(self, word: str) -> list[str]:
        """A known word is itself; "isn't" is "is" + "n't" and "well-made" its parts, as treebanks write them."""
        word = word.lower().replace("’", "'")
        if word in self._ids:
            return [word]
        if negated := _NEGATED.match(word):
            return [negated[1], "n't"]
        if "-" in word[1:-1]:
            return [part for part in word.split("-") if part]
        return [word]

    def encode(self, name: str, max_length: int, passage: Passage, pair: Passage | None) -> Encoding:
        ids: list[int] = []
        owners: list[int | None] = []
        tokens: list[str] = []
        for index, word in enumerate((*passage.words, *(pair.words if pair else ()))):
            for piece in self.pieces(word.text):
                ids.append(self.id(piece))
                owners.append(index)
                tokens.append(piece)
        if len(ids) > max_length:
            raise TooLong(
                f"text too long for {name}: got {len(ids):,} words, possible are up to {max_length}; "
                "shorten the text or explain it in parts"
            )
        return Encoding(tuple(ids), tuple(owners), tuple(tokens))
