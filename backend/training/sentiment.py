"""What is known of the sentiment of texts, as probabilities of positive: the lessons of the teacher.

    python -m training.sentiment            counts, and some of each

The snippets of MR are those that the treebank was made from. Most that its training and development parts lack are its
test sentences, which are not here to compare with; so a snippet is taken only if every sentence of it is one of the
treebank's training sentences. What it adds is texts of several sentences.
"""

import random
import re
from functools import cache

from training import composition, data
from training.masked import letters

Lesson = tuple[str, float]
"""A text, and the probability that it is positive."""

SURE = (0.05, 0.95)
"""Of texts that are labelled with one of two classes."""

TIMES = 6
"""How often a sentence of the treebank is read: measured are sentences. Every other time as people write."""
COMPOSITION_TIMES = 4
SNIPPET_TIMES = 2
NEUTRAL_SHARE = 0.3
"""Of the neutral phrases, which are many and short."""
EMPTY_TIMES = 400
"""How often nothing at all is read. It says nothing; a causal model that was never told so says anything, and
explanations begin there."""
SENTENCES_ALONE = 0.2
"""The last share of the run, in which only whole sentences are read."""

_AS_WRITTEN = (
    (re.compile(r" (n't|'(?:s|re|ve|ll|d|m))\b", re.IGNORECASE), r"\1"),
    (re.compile(r"`` ?| ?''"), '"'),
    (re.compile(r" ([,.;:!?)\]%])"), r"\1"),
    (re.compile(r"([(\[$#]) "), r"\1"),
)


def as_written(text: str) -> str:
    """A text of the treebank, whose words all stand apart, as people write it."""
    for spaced, joined in _AS_WRITTEN:
        text = spaced.sub(joined, text)
    return text


@cache
def treebank_sentences(part: str) -> tuple[tuple[str, int], ...]:
    """The sentences of "train" or "dev" with their grades of 0 to 4."""
    lines = (data.data_folder() / "sst" / f"trees_{part}.ptb").read_text(encoding="utf-8").splitlines()
    return tuple(
        (" ".join(map(data.unescaped, re.findall(r"\(\d ([^\s()]+)\)", line))), int(line[1])) for line in lines
    )


def sentences() -> list[Lesson]:
    return [(text, data.GRADES[grade]) for text, grade in treebank_sentences("train") if data.GRADES[grade] != 0.5]


def phrases(random_source: random.Random) -> list[Lesson]:
    """The parts of sentences: all that have a side, and a share of the neutral ones; half of them as people write."""
    whole = {text for text, _ in treebank_sentences("train")}
    found: list[Lesson] = []
    for text, (_, positive) in data.sst_graded():
        if text not in whole and (positive != 0.5 or random_source.random() < NEUTRAL_SHARE):
            found.append((as_written(text) if random_source.random() < 0.5 else text, positive))
    return found


def snippets() -> list[Lesson]:
    """Texts of MR that are several training sentences of the treebank."""
    known = {letters(text) for text, _ in treebank_sentences("train")}
    rows = data.read_labelled(data.data_folder() / "mr_subj" / "mr.tsv", data.SENTIMENTS)
    return [(text, SURE[label]) for text, label in rows if is_several(letters(text), known)]


def is_several(text: str, known: set[str]) -> bool:
    """Whether letters are those of two or more known texts, one after the other."""
    if text in known:
        return False
    reached = [True] + [False] * len(text)
    for end in range(1, len(text) + 1):
        reached[end] = any(reached[start] and text[start:end] in known for start in range(end))
    return reached[-1]


def composed() -> list[Lesson]:
    return [(each.text, SURE[data.SENTIMENTS.index(each.label)]) for each in composition.sentences()]


def lessons(random_source: random.Random) -> list[Lesson]:
    """All that is read in one run, in the order of reading."""
    timed = [(random_source.random() * (1 - SENTENCES_ALONE), lesson) for lesson in phrases(random_source)]
    whole = [
        *((text if time % 2 else as_written(text), value) for text, value in sentences() for time in range(TIMES)),
        *snippets() * SNIPPET_TIMES,
        *composed() * COMPOSITION_TIMES,
        *[("", 0.5)] * EMPTY_TIMES,
    ]
    timed += [(random_source.random(), lesson) for lesson in whole]
    return [lesson for _, lesson in sorted(timed)]


def main() -> None:
    random_source = random.Random(0)
    parts = {
        "sentences": sentences(),
        "phrases": phrases(random_source),
        "snippets": snippets(),
        "composition": composed(),
        "lessons": lessons(random_source),
    }
    for name, found in parts.items():
        positive = sum(value > 0.5 for _, value in found)
        print(f"{len(found):7} {name}, {positive} positive")
        for text, value in random_source.sample(found, 5):
            print(f"        {value:.2f}  {text}")


if __name__ == "__main__":
    main()
