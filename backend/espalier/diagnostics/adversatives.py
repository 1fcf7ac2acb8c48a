"""Words of contrast: does a model score them by themselves, or together with what they turn around (Table 4)?"""

from collections.abc import Sequence

import numpy as np

from espalier.diagnostics.documents import ContrastWord, Interacting
from espalier.diagnostics.meanings import MEANINGS, meaning
from espalier.diagnostics.rows import Occurrence, Sum, TextRow
from espalier.diagnostics.scored import ScoredText
from espalier.statistics.means import mean_intervals
from espalier.statistics.ratios import ratio_intervals

WORDS = (
    *("not", "n't", "but", "yet", "however", "though", "although", "even though", "whereas"),
    *("except", "despite", "in spite of"),
)
"""The paper's words, and "n't" and "however". "n't" is also the end of a word: "isn't"."""

AMBIGUOUS = "while"
"""Counted apart for each of its meanings."""


def occurrences(text: ScoredText, words: Sequence[str] = WORDS) -> list[Occurrence]:
    """Words of contrast from left to right, the longest first: the "though" of "even though" is not counted twice."""
    patterns = sorted((tuple(each.split()) for each in (*words, AMBIGUOUS)), key=lambda each: -len(each))
    spoken = [word.lower().replace("’", "'") for word in text.words]
    found = []
    place = 0
    while place < len(spoken):
        pattern = next((each for each in patterns if _matches(spoken[place : place + len(each)], each)), None)
        if pattern is None:
            place += 1
            continue
        name = " ".join(pattern)
        if name == AMBIGUOUS:
            name = f"{AMBIGUOUS} ({meaning(text, place)})"
        found.append(_occurrence(text, name, place, place + len(pattern)))
        place += len(pattern)
    return found


def _matches(said: Sequence[str], pattern: Sequence[str]) -> bool:
    return list(said) == list(pattern) or (tuple(pattern) == ("n't",) and bool(said) and said[0].endswith("n't"))


def _occurrence(text: ScoredText, name: str, start: int, end: int) -> Occurrence:
    alone = parent = None
    size = len(text.words) + 1
    for node, score in text.scored:
        if (node.start, node.end) == (start, end):
            alone = score
        elif node.start <= start and node.end >= end and node.end - node.start < size:
            parent, size = score, node.end - node.start
    return Occurrence(name, alone, parent)


def node_sums(text: ScoredText) -> tuple[Sum, Sum]:
    """Of all nodes, "generic" ones, and of those that are phrases."""
    every = [score for _, score in text.scored]
    phrases = [score for node, score in text.scored if node.children]
    return Sum(sum(every), len(every)), Sum(sum(phrases), len(phrases))


def adversatives(texts: Sequence[TextRow], seed: int, words: Sequence[str] = WORDS) -> Interacting:
    """For each word its mean scores over that of all nodes of all texts, and over that of all phrases: the parent of a
    word is a phrase, and phrases may score otherwise than words do, whatever they say."""
    names = [*words, *(f"{AMBIGUOUS} ({each})" for each in MEANINGS)]
    columns: list[list[float]] = [[*text.nodes, *text.phrases] for text in texts]
    for row, text in zip(columns, texts, strict=True):
        for name in names:
            for part in ("alone", "parent"):
                scores = [getattr(each, part) for each in text.contrast if each.name == name]
                there = [score for score in scores if score is not None]
                row += [sum(there), len(there)]
    nodes, phrases = (0, 1), (2, 3)
    pairs = [((at, at + 1), (at + 2, at + 3)) for at in range(4, 4 + 4 * len(names), 4)]
    ratios = [each for alone, parent in pairs for each in ((alone, nodes), (parent, nodes), (parent, phrases))]
    intervals = ratio_intervals(np.array(columns, dtype=np.float64), ratios, seed)
    (average,) = mean_intervals(np.array([[text.nodes.scores / text.nodes.number] for text in texts]), seed)
    return Interacting(
        average=average,
        words=[
            ContrastWord(
                word=name,
                alone=intervals[3 * index],
                parent=intervals[3 * index + 1],
                parent_among_phrases=intervals[3 * index + 2],
            )
            for index, name in enumerate(names)
        ],
    )
