"""The treebanks behind the shipped parser, cleaned the same way for training and measuring."""

import random
import re
from collections import Counter
from dataclasses import dataclass

import nltk

from espalier.trees.shim import BaseInputExample, decode_chart, ptb_unescape
from training.data import data_folder

NON_COMMERCIAL_GENRES = frozenset({"essay", "fiction", "letter", "podcast", "whow"})
RARE_LABEL = 5


@dataclass
class TreebankSentence(BaseInputExample):
    """A gold tree with the raw words benepar reads."""

    words: list[str]
    space_after: list[bool]
    tree: nltk.Tree

    def leaves(self) -> list[str]:
        return self.tree.leaves()

    def pos(self) -> list[tuple[str, str]]:
        return self.tree.pos()


def sentence(tree: nltk.Tree) -> TreebankSentence:
    words = tree.leaves()
    return TreebankSentence(ptb_unescape.ptb_unescape(words), ptb_unescape.guess_space_after(words), tree)


def read_lines(name: str) -> list[str]:
    lines = (data_folder() / "treebanks" / name).read_text(encoding="utf-8").split("\n")
    return [line for line in lines if line.strip()]


def gum(part: str, commercial_only: bool) -> list[nltk.Tree]:
    """GUM's trees of one part; `commercial_only` leaves out the genres whose texts are non-commercial."""
    documents = (data_folder() / "treebanks" / f"gum_{part}.docs").read_text(encoding="utf-8").split()
    return [
        nltk.Tree.fromstring(line)
        for line, document in zip(read_lines(f"gum_{part}.ptb"), documents, strict=True)
        if not (commercial_only and document.split("_")[1] in NON_COMMERCIAL_GENRES)
    ]


def craft(count: int, seed: int, longest: int = 50) -> list[nltk.Tree]:
    """A subsample of CRAFT, so that biomedical prose does not dominate."""
    # Every leaf closes its own bracket after a word: counting them is far cheaper than building 30,000 trees.
    lines = [line for line in read_lines("craft_all.ptb") if len(re.findall(r"[^\s)]\)", line)) <= longest]
    return [nltk.Tree.fromstring(line) for line in random.Random(seed).sample(lines, count)]


def training_trees(seed: int, craft_count: int = 3000, longest: int = 80) -> list[nltk.Tree]:
    trees = [tree for tree in gum("train", commercial_only=True) if len(tree.leaves()) <= longest]
    return trees + craft(craft_count, seed)


def frequent_labels(trees: list[nltk.Tree]) -> dict[str, int]:
    """Collapsed labels ("S::VP") seen at least five times; rarer ones are not worth a class."""
    counts = Counter(label for tree in trees for *_, label in decode_chart.get_labeled_spans(tree) if label)
    kept = sorted(label for label, count in counts.items() if count >= RARE_LABEL)
    return {label: index for index, label in enumerate(["", *kept])}


def tags(trees: list[nltk.Tree]) -> dict[str, int]:
    return {tag: index for index, tag in enumerate(["UNK", *sorted({tag for tree in trees for _, tag in tree.pos()})])}
