"""A text as a person reads it: words and sentences, each with its place in the original characters.

Words are what gets coloured, dropped and clicked, so they are a reader's words: "isn't", "cannot" and "well-made" are
one word each (a model's own token often straddles the inside of such a word), while clitics that are words of their own
in a parse ("it's" = it + is) stay apart, and a blank ("[MASK]", "___") is one word. spaCy's rules do the splitting;
what it splits inside a run of letters or inside one visible character (emoji sequences, combining marks) is joined
again.
"""

import unicodedata
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import regex

from espalier.problems import BadText, TooLong
from espalier.text.blanks import apart, is_blank

if TYPE_CHECKING:
    from spacy.language import Language

MAX_CHARACTERS = 50_000
"""Far above any hosted model's length; a bound so that a request is refused in microseconds, not read for minutes."""

_NO_TEXT = regex.compile(r"[\0\ud800-\udfff]")

_MARKS = regex.compile(r"[\p{P}\p{S}]{65,}+")
_RUN = regex.compile(r"\S{4001,}+")
"""Rows of marks, and runs of any characters, that may be too long to be read in one piece."""

MANY_MARKS = 2_000
"""In such rows, of one text. Whoever underlines something writes fewer."""

_PIECE = 2_000
_SAFE = regex.compile(r"(?<=\S )(?=\S)")
"""Characters that are read at a time, and where a text can be cut without anybody noticing: after a single space."""

_PARAGRAPH = regex.compile(r"\n\s*\n")
_TERMINAL = frozenset(".!?…。！？؟")
_CLOSING = frozenset("\"'”’»›)]}")
_HYPHENS = frozenset("-‐‑")


@dataclass(frozen=True, slots=True)
class Word:
    """`text` is exactly the source's characters from `start` to `end`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A text, its words in order, and its sentences as half-open ranges of word indices."""

    source: str
    words: tuple[Word, ...]
    sentences: tuple[tuple[int, int], ...]

    def gaps(self) -> tuple[str, ...]:
        """The characters before, between and after the words: one more than there are words."""
        edges = [0, *(edge for word in self.words for edge in (word.start, word.end)), len(self.source)]
        return tuple(self.source[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))

    def phrase(self, start: int, end: int) -> str:
        """The source text of the words from `start` up to `end`, as it was written."""
        return self.source[self.words[start].start : self.words[end - 1].end]

    def part(self, start: int, end: int) -> "Passage":
        """The words from `start` up to `end` as a text of one sentence."""
        first = self.words[start].start
        words = tuple(Word(word.text, word.start - first, word.end - first) for word in self.words[start:end])
        return Passage(self.phrase(start, end), words, ((0, len(words)),))


def read(source: str, most_words: int | None = None) -> Passage:
    """Split a text into words and sentences. Raises BadText for what no model can read, and TooLong at the first word
    beyond `most_words`: the rest is not looked at."""
    _check(source)
    words = _words(source, most_words)
    if not words:
        raise BadText("empty text: got no words, write at least one")
    return Passage(source, words, _sentences(source, words))


def _check(source: str) -> None:
    if len(source) > MAX_CHARACTERS:
        raise BadText(f"text too long: got {len(source):,} characters, possible are up to {MAX_CHARACTERS:,}")
    if (bad := _NO_TEXT.search(source)) is not None:
        kind = "a NUL character" if bad[0] == "\0" else f"the lone surrogate U+{ord(bad[0]):04X}"
        raise BadText(f"text is not valid Unicode text: got {kind} at position {bad.start()}, remove it")


@cache
def english() -> "Language":
    """spaCy's English rules, without any trained part."""
    import spacy  # brings torch with it: seconds that only reading a text is worth

    return spacy.blank("en")


def treebank_tokens(source: str) -> Iterator[tuple[int, int]]:
    """Where spaCy's rules begin and end each token, white space included; the text is read as far as they are wanted.

    They take marks off a run of characters one by one and look at all of it each time: 50,000 marks take minutes. So
    long runs are given to them in parts. What they do not take apart is one token on both sides of such a cut, and is
    joined again.
    """
    last: tuple[int, int] | None = None
    for start, end in pairwise([0, *sorted(_cuts(source)), len(source)]):
        for token in english().make_doc(source[start:end]):
            found = (start + token.idx, start + token.idx + len(token))
            if last is not None and found[0] == start and _are_one(last, found):
                found = (last[0], found[1])
            elif last is not None:
                yield last
            last = found
    if last is not None:
        yield last


def _cuts(source: str) -> set[int]:
    marks = [match.span() for match in _MARKS.finditer(source)]
    most = 512 if sum(end - start for start, end in marks) <= MANY_MARKS else 64
    cuts = {cut for start, end in marks for cut in range(start + most, end, most)}
    cuts |= {cut for run in _RUN.finditer(source) for cut in range(run.start() + 4_000, run.end(), 4_000)}
    for begin in range(_PIECE, len(source), _PIECE):
        if (safe := _SAFE.search(source, begin, begin + _PIECE)) is not None:
            cuts.add(safe.start())
    return cuts


def _are_one(before: tuple[int, int], after: tuple[int, int]) -> bool:
    return before[1] == after[0] and before[1] - before[0] > 1 and after[1] - after[0] > 1


def visible_starts(source: str) -> Container[int]:
    """Where visible characters (grapheme clusters: emoji sequences, letters with their marks) begin."""
    if source.isascii() and "\r\n" not in source:
        return range(len(source))
    return {match.start() for match in regex.finditer(r"\X", source)}


def _words(source: str, most: int | None) -> tuple[Word, ...]:
    tokens = apart(source, ((start, end) for start, end in treebank_tokens(source) if not source[start:end].isspace()))
    visible = visible_starts(source)
    words: list[Word] = []
    for start, end in _joined(source, tokens, visible):
        if _invisible(source[start:end]):
            continue
        if most is not None and len(words) == most:
            raise TooLong(f"text too long: got more than {most:,} words, possible are up to {most:,}; take it in parts")
        words.append(Word(source[start:end], start, end))
    return tuple(words)


def _joined(source: str, tokens: Iterable[tuple[int, int]], visible: Container[int]) -> Iterator[tuple[int, int]]:
    """Tokens that are one word to a reader as one."""
    word: tuple[int, int] | None = None
    for token, following in pairwise(chain(tokens, [None])):
        assert token is not None
        if word is not None and word[1] == token[0] and _joins(source, word, token, following, visible):
            word = (word[0], token[1])
        else:
            if word is not None:
                yield word
            word = token
    if word is not None:
        yield word


def _invisible(text: str) -> bool:
    """White space and lone format characters are gaps, not words."""
    if text.isprintable():
        return text.isspace()
    return all(character.isspace() or unicodedata.category(character) in {"Cc", "Cf"} for character in text)


def _joins(
    source: str,
    before: tuple[int, int],
    after: tuple[int, int],
    following: tuple[int, int] | None,
    visible: Container[int],
) -> bool:
    boundary = after[0]
    # The first character first: what was joined so far can be long.
    if any(source[start] in "[<_" and is_blank(source[start:end]) for start, end in (before, after)):
        return False
    if boundary not in visible:
        return True
    left, right = source[boundary - 1], source[boundary]
    if _letter_like(left) and _letter_like(right):
        return True
    if source[after[0] : after[1]] in _HYPHENS and _letter_like(left):
        # A hyphen joins only when a letter follows at once: "well-made", but not "well - made" or "well-".
        return following is not None and following[0] == after[1] and _letter_like(source[following[0]])
    # The other side of that hyphen. A dash of two ("film--it") follows no letter and keeps its sides apart.
    inside = boundary - 2 >= before[0] and _letter_like(source[boundary - 2])
    return left in _HYPHENS and _letter_like(right) and inside


def _letter_like(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")


def _sentences(source: str, words: tuple[Word, ...]) -> tuple[tuple[int, int], ...]:
    """A sentence ends after . ! ? … with the quotes and brackets that close on it, and at an empty line."""
    starts = [0]
    ended = False
    for index, (before, word) in enumerate(pairwise(words), start=1):
        closes = all(character in _CLOSING for character in before.text)
        ended = (ended and closes) or (before.text[-1] in _TERMINAL and not _abbreviation(before.text))
        if word.start == before.end:
            continue
        # A small letter goes on after a closing quote ("Really?" he asked) and after dots that trail off.
        goes_on = (closes or before.text.endswith(("..", "…"))) and word.text[0].islower()
        if _PARAGRAPH.search(source, before.end, word.start) or (ended and not goes_on):
            starts.append(index)
            ended = False
    return tuple(pairwise([*starts, len(words)]))


def _abbreviation(text: str) -> bool:
    """A period inside a token ("Dr.", "e.g.", "U.S.") does not end a sentence."""
    return text[-1] == "." and any(character.isalpha() for character in text)
