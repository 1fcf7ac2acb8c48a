"""Bracket F1 of constituency trees, counted as EVALB does with its usual parameter file (COLLINS.prm).

- The top label (TOP, ROOT) is not a bracket; neither are the part-of-speech tags.
- Words whose gold tag is punctuation (, . : `` '') are taken out of both trees before the spans are numbered, so
  nobody is paid or charged for where a comma hangs. A constituent left empty vanishes.
- Unary chains stay chains: (S (VP …)) is two brackets over the same words, matched as a multiset.
- ADVP and PRT count as the same label.
- Unlabelled F1 is the same count with every label the same.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import nltk

TOP_LABELS = frozenset({"TOP", "ROOT", "S1", "VROOT", ""})
PUNCTUATION_TAGS = frozenset({",", ".", ":", "``", "''"})
EQUAL_LABELS = {"PRT": "ADVP"}

Bracket = tuple[str, int, int]


def brackets(tree: nltk.Tree, punctuation: list[bool]) -> Counter[Bracket]:
    """The labelled spans of a tree over its words without punctuation."""
    found: Counter[Bracket] = Counter()
    position = [0, 0]  # word in the sentence, word among those kept

    def visit(node: nltk.Tree) -> None:
        if len(node) == 1 and isinstance(node[0], str):
            position[1] += not punctuation[position[0]]
            position[0] += 1
            return
        start = position[1]
        for child in node:
            visit(child)
        if node.label() not in TOP_LABELS and position[1] > start:
            found[(EQUAL_LABELS.get(node.label(), node.label()), start, position[1])] += 1

    visit(tree)
    return found


@dataclass
class BracketScore:
    labelled_matched: int = 0
    unlabelled_matched: int = 0
    gold: int = 0
    predicted: int = 0
    exact: int = 0
    sentences: int = 0

    @property
    def labelled_f1(self) -> float:
        return 200 * self.labelled_matched / max(self.gold + self.predicted, 1)

    @property
    def unlabelled_f1(self) -> float:
        return 200 * self.unlabelled_matched / max(self.gold + self.predicted, 1)

    def __str__(self) -> str:
        return (
            f"labelled F1 {self.labelled_f1:.2f}, unlabelled F1 {self.unlabelled_f1:.2f}, "
            f"exact {100 * self.exact / max(self.sentences, 1):.1f} % of {self.sentences} sentences"
        )


def _unlabelled(labelled: Counter[Bracket]) -> Counter[tuple[int, int]]:
    spans: Counter[tuple[int, int]] = Counter()
    for (_, start, end), count in labelled.items():
        spans[start, end] += count
    return spans


def score(pairs: Iterable[tuple[nltk.Tree, nltk.Tree]]) -> BracketScore:
    """Compare (gold, predicted) trees over the same words."""
    total = BracketScore()
    for gold, predicted in pairs:
        punctuation = [tag in PUNCTUATION_TAGS for _, tag in gold.pos()]
        if len(predicted.leaves()) != len(punctuation):
            raise ValueError(f"trees over different words: got {len(predicted.leaves())}, gold has {len(punctuation)}")
        wanted, got = brackets(gold, punctuation), brackets(predicted, punctuation)
        total.labelled_matched += (wanted & got).total()
        total.unlabelled_matched += (_unlabelled(wanted) & _unlabelled(got)).total()
        total.gold += wanted.total()
        total.predicted += got.total()
        total.exact += wanted == got
        total.sentences += 1
    return total
