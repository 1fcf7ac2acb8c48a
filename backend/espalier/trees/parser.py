"""Constituency parsing with benepar's chart parser: a passage in, a tree of spans over its words out.

benepar is given the treebank tokens of each sentence (`pieces`), and its constituents are carried back to the
passage's words. The same folder works in a spaCy pipeline (`nlp.add_pipe("benepar", config={"model": folder})`, see
`weights`); here benepar's ChartParser is called directly, because its batches then run across texts, and because
sentences and words must be those of the passage, not a second opinion.

- The root of one sentence is the sentence; several sentences stand under a root labelled TEXT.
- A sentence too long for the parser is parsed in parts, cut at punctuation where there is some, under a node
  labelled FRAG.
"""

import threading
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import torch

from espalier.models.device import default_device
from espalier.models.revision import revision
from espalier.text import Passage
from espalier.trees.pieces import LONGEST_WORD, Constituent, Piece, project, treebank_pieces
from espalier.trees.shim import benepar, ptb_unescape
from espalier.trees.tree import SpanTree
from espalier.trees.weights import SHIPPED, base_of, load_chart_parser, locate

SEVERAL_SENTENCES = "TEXT"
PARTS_OF_A_SENTENCE = "FRAG"

BATCH_TOKENS = 300
"""Model tokens in one forward pass. Charts grow with the square of a sentence: fuller batches measured slower."""

LONGEST_SENTENCE = 200
"""In treebank tokens. Decoding is cubic in it, and training sentences were far shorter."""

UNREADABLE = "*"
"""Stands for what the model's tokenizer reads as nothing at all: a lone accent, a private-use character."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A passage as the parser reads it: its pieces, their texts, and the runs of pieces that are parsed together."""

    passage: Passage
    pieces: list[Piece]
    texts: list[str]
    sentences: list[list[tuple[int, int]]]


class Parser:
    """A loaded parser. Safe to share between threads: one of them parses at a time."""

    def __init__(self, name: str, chart_parser: Any, revision: str) -> None:
        self.name = name
        self.revision = revision
        self._chart_parser = chart_parser
        self._tokenizer = chart_parser.retokenizer.tokenizer
        self._labels = {
            index: tuple(label.split("::")) if label else () for label, index in chart_parser.label_vocab.items()
        }
        self._lock = threading.Lock()
        # A tenth is kept free: pieces tokenised one by one do not add up exactly to the tokens of their sentence.
        self._max_tokens = int(0.9 * min(self._tokenizer.model_max_length, 512))

    def parse(self, passage: Passage) -> SpanTree:
        return self.parse_batch([passage])[0]

    def parse_batch(self, passages: Sequence[Passage]) -> list[SpanTree]:
        """All sentences of all passages in one go, grouped by length whatever passage they come from."""
        with self._lock:
            readings = [self._read(passage) for passage in passages]
            sentences = [
                _benepar_sentence(reading, start, end)
                for reading in readings
                for parts in reading.sentences
                for start, end in parts
            ]
            outputs = self._chart_parser.parse(sentences, return_compressed=True, subbatch_max_tokens=BATCH_TOKENS)
        remaining = iter(outputs)
        return [self._tree(reading, remaining) for reading in readings]

    def _read(self, passage: Passage) -> _Reading:
        pieces = treebank_pieces(passage)
        texts = [_treebank_text(passage.source[piece.start : piece.end]) for piece in pieces]
        encoded = self._tokenizer(texts, add_special_tokens=False, return_offsets_mapping=True)
        # Tokens without characters (a sentencepiece mark) are invisible to benepar, and a word of none breaks it.
        tokens = [sum(start != end for start, end in offsets) for offsets in encoded["offset_mapping"]]
        texts = [text if count else UNREADABLE for text, count in zip(texts, tokens, strict=True)]
        # Where each word begins among the pieces, and each piece among the tokens.
        edges = [bisect_left(pieces, word, key=lambda piece: piece.word) for word in range(len(passage.words) + 1)]
        token_edges = [0, *accumulate(tokens)]

        def fits(start: int, end: int) -> bool:
            tokens_inside = token_edges[edges[end]] - token_edges[edges[start]]
            return edges[end] - edges[start] <= LONGEST_SENTENCE and tokens_inside <= self._max_tokens

        sentences = []
        for start, end in passage.sentences:
            cuts = [start]
            while cuts[-1] < end:
                cuts.append(_next_cut(passage, cuts[-1], end, fits))
            sentences.append([(edges[left], edges[right]) for left, right in pairwise(cuts)])
        return _Reading(passage, pieces, texts, sentences)

    def _tree(self, reading: _Reading, outputs: Iterator[Any]) -> SpanTree:
        constituents: list[Constituent] = []
        tags: list[str] = []
        if len(reading.sentences) > 1:
            constituents.append((0, len(reading.pieces), (SEVERAL_SENTENCES,)))
        for parts in reading.sentences:
            if len(parts) > 1:
                constituents.append((parts[0][0], parts[-1][1], (PARTS_OF_A_SENTENCE,)))
            # `parts` first: the iterator of outputs goes on to the next sentence.
            for (first, end), output in zip(parts, outputs, strict=False):
                spans = zip(output.starts.tolist(), output.ends.tolist(), output.labels.tolist(), strict=True)
                constituents += [(first + left, first + right, self._labels[label]) for left, right, label in spans]
                tags += self._tags(output, end - first)
        words = [piece.word for piece in reading.pieces]
        return project(len(reading.passage.words), words, constituents, tags)

    def _tags(self, output: Any, count: int) -> list[str]:
        if output.tags is None:
            return [""] * count
        return [self._chart_parser.tag_from_index[index] for index in output.tags.tolist()]


def load_parser(source: str | Path = SHIPPED, device: torch.device | None = None) -> Parser:
    """The shipped parser, any other benepar model by name (`benepar_en3`), or a folder of either kind."""
    folder = locate(source)
    chart_parser = load_chart_parser(folder).to(device or default_device())
    base = base_of(folder)
    return Parser(folder.name, chart_parser, revision(folder, *([base.sha256] if base else [])))


@cache
def default_parser(device: torch.device | None = None) -> Parser:
    """The shipped parser, loaded once for the process and device."""
    return load_parser(device=device)


def _next_cut(passage: Passage, start: int, end: int, fits: Callable[[int, int], bool]) -> int:
    """How far the next part of a sentence reaches: to its end, else to the last punctuation that leaves half a part."""
    stop = start + 1
    while stop < end and fits(start, stop + 1):
        stop += 1
    if stop == end:
        return end
    for word in range(stop - 1, (start + stop) // 2, -1):
        if all(unicodedata.category(character).startswith("P") for character in passage.words[word].text):
            return word + 1
    return stop


def _benepar_sentence(reading: _Reading, start: int, end: int) -> Any:
    pieces, texts = reading.pieces[start:end], reading.texts[start:end]
    apart = [left.end < right.start for left, right in pairwise(pieces)] + [False]
    # Tokenised text ("does n't") has spaces that the treebanks' texts had not.
    usual = ptb_unescape.guess_space_after(texts)
    return benepar.InputSentence(words=texts, space_after=[a and b for a, b in zip(apart, usual, strict=True)])


def _treebank_text(text: str) -> str:
    """A piece with quotes and dashes as the treebanks' texts have them."""
    straight = text[:LONGEST_WORD].replace("’", "'").replace("‘", "'")
    return str(ptb_unescape.ptb_unescape([straight])[0])
