"""What "while" means, read off the tree (Table 5): a contrast, the same time, or a span of time.

The rule, in this order:

1. A noun ("for a while", "once in a while") is a *period*.
2. A clause that is under way ("while watching", "while I was waiting"): -ing straight after "while", or after a form of
   "be", is the same *time*.
3. A clause that stands at the beginning, before which there is nothing, a punctuation mark, or a conjunction or adverb
   after one of them ("While …, …", "…, while …", "So while …"), is a *contrast*.
4. Anything else ("we walked while it snowed") is the same *time*.

A tree cannot know better: "While I slept it rained" is read as a contrast.
"""

from collections.abc import Sequence
from typing import Literal

from espalier.diagnostics.scored import ScoredText
from espalier.explain.ls_tree import LSTreeNode

Meaning = Literal["contrast", "time", "period"]
MEANINGS: tuple[Meaning, ...] = ("contrast", "time", "period")

BEING = frozenset(("am", "is", "are", "was", "were", "be", "been", "being", "'s", "'re", "'m"))
JOINING = ("CC", "RB", "IN")
"""Tags of what may stand between a beginning and "while": "and", "even", "so"."""


def meaning(text: ScoredText, word: int) -> Meaning:
    """Of the "while" that is the word at this place."""
    tags = _tags(text)
    if tags[word].startswith("N"):
        return "period"
    clause = _clause(text.nodes, word)
    if _under_way(text.words, tags, word + 1, clause.end):
        return "time"
    before = word
    while before > 0 and tags[before - 1] in JOINING:
        before -= 1
    begins = before == 0 or not any(character.isalnum() for character in text.words[before - 1])
    return "contrast" if begins else "time"


def _tags(text: ScoredText) -> list[str]:
    """Each word's part of speech: the last label of its leaf."""
    found = [""] * len(text.words)
    for node in text.nodes:
        if not node.children and node.labels:
            found[node.start] = node.labels[-1]
    return found


def _clause(nodes: Sequence[LSTreeNode], word: int) -> LSTreeNode:
    """The smallest phrase around a word: of a subordinator its clause. The word itself where it is all there is."""
    around = [node for node in nodes if node.start <= word < node.end]
    return min((node for node in around if node.children), key=lambda node: node.end - node.start, default=around[-1])


def _under_way(words: Sequence[str], tags: Sequence[str], start: int, end: int) -> bool:
    """Whether -ing comes straight after the beginning of a clause, or straight after a form of "be"; adverbs between
    do not count."""
    ready = True
    for word, tag in zip(words[start:end], tags[start:end], strict=True):
        if tag.startswith("RB"):
            continue
        if ready and tag == "VBG":
            return True
        ready = any(word.lower().replace("’", "'").endswith(form) for form in BEING if form.startswith("'")) or (
            word.lower() in BEING
        )
    return False
