"""What stands in for absent words, written out for people: "the [interior] is uniformly excellent [throughout]"."""

from collections.abc import Sequence
from dataclasses import dataclass

from espalier.games.references import Shown
from espalier.text import Passage, replaced


@dataclass(frozen=True, slots=True)
class PlainWord:
    """A word of the text, or what stands in for it, in the characters of the written text. What is not there at all is
    empty."""

    text: str
    start: int
    end: int
    stands_in: bool


@dataclass(frozen=True, slots=True)
class PlainText:
    """A text as the explained model reads it, in words; `marked` has what stands in between brackets."""

    text: str
    marked: str
    words: tuple[PlainWord, ...]


def written_out(passages: Sequence[Passage], shown: Shown, keeps_places: bool) -> PlainText:
    """One text, or the two of a pair on a line each."""
    text, marked, words, base = "", "", list[PlainWord](), 0
    for number, passage in enumerate(passages):
        own = shown[base : base + len(passage.words)]
        base += len(passage.words)
        line, line_marked, line_words = _line(passage, own, keeps_places)
        if number:
            text, marked = f"{text}\n", f"{marked}\n"
        words += [PlainWord(w.text, w.start + len(text), w.end + len(text), w.stands_in) for w in line_words]
        text, marked = text + line, marked + line_marked
    return PlainText(text, marked, tuple(words))


def _line(passage: Passage, shown: Shown, keeps_places: bool) -> tuple[str, str, list[PlainWord]]:
    filled = replaced(passage, {index: text for index, text in enumerate(shown) if text is not None})
    gaps = filled.gaps()
    text, marked, words = "", "", list[PlainWord]()
    for gap, word, stand_in in zip(gaps, filled.words, shown, strict=False):
        # What is not there takes the space before it along.
        if word.text:
            text += gap if text or not words else ""
        words.append(PlainWord(word.text, len(text), len(text) + len(word.text), stand_in is not None))
        text += word.text
        if stand_in is None:
            marked += (gap if marked or len(words) == 1 else "") + word.text
        elif stand_in or keeps_places:
            marked += f"{gap or (' ' if marked else '')}[{stand_in or ' '}]"
    return text, marked, words
