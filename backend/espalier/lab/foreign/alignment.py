"""Words and tokens of other tools as words of the house, through the characters they stand on."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from espalier.explain.reading import GroupScore, highest
from espalier.lab.foreign.lines import ForeignLine
from espalier.measure.request import LONGEST, Given
from espalier.problems import BadParameter, Problem, quoted
from espalier.text import read
from espalier.text.alignment import words_of_tokens

_MARKS = re.compile(r"^(?:##|Ġ|▁|Ċ)+(?=.)|(?<=.)(?:</w>|@@)$")
"""How tokenizers write that a token goes on, or begins a word."""

_SPECIAL = re.compile(r"\s*(?:\[(?:CLS|SEP|PAD)\]|</?s>|<pad>|<bos>|<eos>|<cls>|<sep>|<\|[a-z_]+\|>|[Ġ▁Ċ]?)\s*")
"""Tokens that no character of a text stands for. Their scores belong to no word."""

_RUN = re.compile(r"\S+")


def aligned(line: ForeignLine) -> Given:
    """The line's ranking of the house's words, and its top phrase. Tokens inside one word add up; a token of several
    (a word with the full stop after it) belongs to the one it shares most characters with; a word that the tool says
    nothing of scores 0."""
    if line.problem is not None:
        return Given(method=line.method, model=line.model, problem=line.problem)
    try:
        passage = read(line.text)
    except Problem as problem:
        raise BadParameter(f"{line.where} cannot be read: {problem.message}") from problem
    size = len(passage.words)
    if size > LONGEST:
        return Given(method=line.method, model=line.model, problem=f"text too long to measure: got {size} words")
    offsets = _found(line) if line.offsets is None else line.offsets
    owners = words_of_tokens(passage.words, offsets)
    runs = [run.span() for run in _RUN.finditer(line.text) if any(map(str.isalnum, run[0]))]
    for start, end in offsets:
        if bisect_left(runs, (end, end)) - bisect_right(runs, start, key=lambda run: run[1]) > 1:
            raise _unaligned(line, line.text[start:end], "covers several words; phrases are given as spans")
    if all(owner is None for owner in owners):
        raise BadParameter(f"{line.where} explains no word: got {len(owners)} words or tokens without a place in it")
    return Given(
        method=line.method,
        model=line.model,
        target=line.target,
        ranking=_ranking(line, owners, size),
        top=_top(line, owners),
    )


def _ranking(line: ForeignLine, owners: Sequence[int | None], size: int) -> tuple[int, ...]:
    """Highest score first, at a tie the leftmost, as the house ranks; or as the line says."""
    if line.ranking:
        named = dict.fromkeys(owner for place in line.ranking if (owner := owners[place]) is not None)
        return (*named, *(word for word in range(size) if word not in named))
    scores = [0.0] * size
    for owner, score in zip(owners, line.scores, strict=True):
        if owner is not None:
            scores[owner] += score
    return tuple(sorted(range(size), key=lambda word: (-scores[word], word)))


def _top(line: ForeignLine, owners: Sequence[int | None]) -> tuple[int, ...]:
    """The phrase that is taken out: the one the line names, or its highest-scored short span."""
    if line.top:
        return tuple(sorted({owner for place in line.top if (owner := owners[place]) is not None}))
    held = np.array([-1 if owner is None else owner for owner in owners])
    groups = []
    for start, end, score in line.spans:
        inside = held[start:end][held[start:end] >= 0]
        if not len(inside):
            raise BadParameter(f"{line.where} has a span without words: got {start} to {end}, possible are words")
        groups.append(GroupScore(players=tuple(range(inside.min(), inside.max() + 1)), score=score))
    top = highest(groups)
    return () if top is None else top.players


def _found(line: ForeignLine) -> list[tuple[int, int]]:
    """Where each word stands: one after the other, whatever became of case, accents and spaces on the way."""
    plain, places = _plain(line.text)
    found: list[tuple[int, int]] = []
    cursor = 0
    for word in line.words or ():
        piece = "" if _SPECIAL.fullmatch(word) else _plain(_MARKS.sub("", word.strip()))[0]
        if not piece:
            found.append((0, 0))
            continue
        at = plain.find(piece, cursor)
        if at < 0:
            raise _unaligned(line, word, "is not in the text after the words before it")
        cursor = at + len(piece)
        found.append((places[at], places[cursor - 1] + 1))
    return found


def _plain(text: str) -> tuple[str, list[int]]:
    """Small letters without accents and spaces, and where in the text each comes from."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for each in unicodedata.normalize("NFKD", character).casefold():
            if not each.isspace() and not unicodedata.combining(each):
                characters.append(each)
                places.append(place)
    return "".join(characters), places


def _unaligned(line: ForeignLine, word: str, reason: str) -> BadParameter:
    return BadParameter(
        f"{line.where} cannot be aligned: {quoted(word)} {reason}; possible are the words of the text in order, or "
        "offsets"
    )
