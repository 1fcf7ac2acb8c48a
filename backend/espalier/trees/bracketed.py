"""Trees as bracketed strings, "(S (NP (DT The) (NN film)) (VP (VBZ works)))": reading a user's own, and writing.

Reading is strict about the words, which must be the passage's in order, and lenient about everything treebanks differ
in: escapes (-LRB-, ``), a ROOT or TOP bracket or one without label around the tree, tokens finer than a reader's words
("is" "n't"), traces. Several trees in a row are several sentences under a root labelled TEXT.
"""

import re
import unicodedata
from dataclasses import dataclass, field

from espalier.problems import quoted
from espalier.text import Passage
from espalier.trees.pieces import Constituent, project
from espalier.trees.tree import BadTree, SpanTree

TOP_LABELS = frozenset({"ROOT", "TOP", "S1", "VROOT", ""})
TRACE = "-NONE-"
UNLABELLED = "X"
"""Penn's label for a constituent of unknown kind."""

_TOKEN = re.compile(r"\(|\)|[^\s()]+")
_BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
_SAME = {escape: bracket for bracket, escape in _BRACKETS.items()} | {
    "\\/": "/", "\\*": "*", "``": '"', "''": '"', "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "`": "'", "‘": "'", "’": "'", "--": "-", "–": "-", "—": "-", "…": "...",
}  # fmt: skip
_SAME_PATTERN = re.compile("|".join(map(re.escape, sorted(_SAME, key=len, reverse=True))))


@dataclass(slots=True)
class _Bracket:
    """A bracket: where it opens, the leaves it covers, and what stands directly inside it."""

    opened_at: int
    start: int
    is_top: bool
    label: str | None = None
    end: int = 0
    words: int = 0
    brackets: int = 0

    @property
    def is_tag(self) -> bool:
        return self.words == 1 and self.brackets == 0


@dataclass(slots=True)
class _Reading:
    """What stands in a bracketed string: leaves from left to right, brackets in the order they open."""

    leaves: list[str] = field(default_factory=list)
    brackets: list[_Bracket] = field(default_factory=list)
    trees: int = 0


def read_bracketed(text: str, passage: Passage) -> SpanTree:
    """A user's tree over the words of a passage. Raises BadTree with what was got and what is possible."""
    reading = _scan(text)
    owners = _owners(reading.leaves, passage)
    tags = [""] * len(owners)
    constituents: list[Constituent] = []
    if reading.trees > 1:
        constituents.append((0, len(owners), ("TEXT",)))
    for bracket in reading.brackets:
        if bracket.start == bracket.end:
            continue  # nothing but a trace
        label = bracket.label or ""
        if bracket.is_tag:
            tags[bracket.start] = label
        elif not (bracket.is_top and label in TOP_LABELS):
            constituents.append((bracket.start, bracket.end, (label,) if label else ()))
    return project(len(passage.words), owners, constituents, tags)


def bracketed(tree: SpanTree, passage: Passage) -> str:
    """One line in the treebanks' notation, unary chains written out. A node without label is written X."""
    if tree.size != len(passage.words):
        raise BadTree(f"tree over other words: got {tree.size} leaves, possible are {len(passage.words)}")
    written: list[str] = []
    waiting: list[int | str] = [0]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            written.append(item)
            continue
        node = tree.nodes[item]
        bare = node.is_leaf and item != 0
        labels = node.labels or (() if bare else (UNLABELLED,))
        written.append(" " + " ".join(f"({label}" for label in labels))
        waiting.append(")" * len(labels))
        if node.is_leaf:
            word = _escape(passage.words[node.start].text)
            written.append(f" {word}" if labels else word)
        waiting.extend(reversed(node.children))
    return "".join(written).strip()


def _scan(text: str) -> _Reading:
    reading = _Reading()
    open_brackets: list[_Bracket] = []
    for match in _TOKEN.finditer(text):
        token, place = match.group(), match.start()
        if token == "(":
            if open_brackets:
                open_brackets[-1].brackets += 1
            else:
                reading.trees += 1
            bracket = _Bracket(place, len(reading.leaves), is_top=not open_brackets)
            reading.brackets.append(bracket)
            open_brackets.append(bracket)
        elif not open_brackets:
            raise BadTree(f"outside the tree: got {quoted(token)} at character {place}, possible is '('")
        elif token == ")":
            _close(open_brackets.pop(), reading)
        elif open_brackets[-1].label is None and not open_brackets[-1].brackets:
            open_brackets[-1].label = token
        elif open_brackets[-1].label == TRACE:
            open_brackets[-1].words += 1
        else:
            open_brackets[-1].words += 1
            reading.leaves.append(token)
    if open_brackets:
        bracket = open_brackets[-1]
        got = f"'({bracket.label or ''}' at character {bracket.opened_at}"
        raise BadTree(f"unclosed bracket: got {got} and the end of the tree, possible is ')'")
    if not reading.trees:
        raise BadTree("empty tree: got no bracket, possible is (S (NP (DT The) (NN film)) (VP (VBZ works)))")
    return reading


def _close(bracket: _Bracket, reading: _Reading) -> None:
    bracket.end = len(reading.leaves)
    if not bracket.words and not bracket.brackets:
        got = f"'({bracket.label or ''})' at character {bracket.opened_at}"
        raise BadTree(f"empty bracket: got {got}, possible is a label and a word or more brackets")


def _owners(leaves: list[str], passage: Passage) -> list[int]:
    """The word each leaf is, or is a part of."""
    owners: list[int] = []
    word, rest = -1, ""
    for position, leaf in enumerate(leaves):
        if not rest:
            word += 1
            if word == len(passage.words):
                raise BadTree(f"too many leaves: got {quoted(leaf)} after the last word {passage.words[-1].text!r}")
            rest = _plain(passage.words[word].text)
        part = _plain(leaf)
        if not rest.startswith(part):
            possible = f"{passage.words[word].text!r} or a part of it"
            raise BadTree(f"leaf {position + 1} is another word: got {quoted(leaf)}, possible is {possible}")
        rest = rest[len(part) :]
        owners.append(word)
    if rest or word + 1 < len(passage.words):
        missing = passage.words[word if rest else word + 1].text
        raise BadTree(f"too few leaves: got {len(leaves)} that end before {missing!r}, possible is one for each word")
    return owners


def _plain(text: str) -> str:
    """What is left to compare when escapes, quotes and dashes are written alike."""
    return _SAME_PATTERN.sub(lambda match: _SAME[match.group()], unicodedata.normalize("NFC", text))


def _escape(text: str) -> str:
    return "".join(_BRACKETS.get(character, character) for character in text)
