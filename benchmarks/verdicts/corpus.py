"""Sentences in which MAHE's words stand often enough: `python -m benchmarks.verdicts.corpus`, made once and kept.

Sentences of SST's training part and of IMDB's training reviews, as espalier.text splits them: those with the words, up
to so many for each pair, and a draw of the rest. SST's are what the models were trained on; the words' signs are asked
of a model, not of the truth, and edits are counted on all of them alike.
"""

import csv
import io
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.verdicts.kept import place, write
from benchmarks.verdicts.mahe import EDITED, PAIR
from espalier.lab.interactions.places import Words, places, spelled
from espalier.problems import Problem
from espalier.text import read
from training.corpus import reviews
from training.data import data_folder

PAIRS = (PAIR, EDITED)
MATCHES = 300
"""Sentences for each pair."""

REST = 12_000
REVIEWS = 1_500
"""Reviews that the rest is drawn from: splitting all of them takes minutes, and adds nothing to a draw."""

SHORTEST, LONGEST = 4, 30
"""Words of a sentence: longer ones cost far more, since every word has a coefficient."""


def corpus(folder: Path) -> Path:
    """The file, made where it is not there yet."""
    path = place(folder, "corpus", PAIRS, MATCHES, REST, REVIEWS, SHORTEST, LONGEST).with_suffix(".tsv")
    if not path.exists():
        with (data_folder() / "sst" / "sst2_train.tsv").open(encoding="utf-8", newline="") as lines:
            short = [row["sentence"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]
        write(path, table(chosen(short, [text for text, _ in reviews("train")])))
    return path


def chosen(short: Sequence[str], long: Sequence[str], seed: int = 0) -> list[str]:
    """`short` texts are all split, of `long` ones those that may have the words, and a draw."""
    generator = random.Random(seed)
    drawn = set(generator.sample(range(len(long)), min(REVIEWS, len(long))))
    candidates = [text for at, text in enumerate(long) if at in drawn or _may_match(text)]
    fitting = {text: words for text, words in _sentences([*short, *candidates]) if SHORTEST <= len(words) <= LONGEST}
    matching = {pair: [text for text, words in fitting.items() if places(pair, words)] for pair in PAIRS}
    found: list[str] = []
    for texts in matching.values():
        found += generator.sample(texts, min(MATCHES, len(texts)))
    taken = {text for texts in matching.values() for text in texts}
    # Nothing that was split only for the words goes into the rest: it says "not" more often than texts do.
    rest = [text for text in _texts([*short, *(long[at] for at in sorted(drawn))]) if text in fitting]
    others = [text for text in dict.fromkeys(rest) if text not in taken]
    return list(dict.fromkeys([*found, *generator.sample(others, min(REST, len(others)))]))


def table(texts: Iterable[str]) -> str:
    out = io.StringIO()
    out.write("text\n")
    for text in texts:
        out.write(f"{text}\n")
    return out.getvalue()


def _may_match(text: str) -> bool:
    said = text.lower()
    return any(all(word in said for word in pair) for pair in PAIRS)


def _sentences(texts: Iterable[str]) -> Iterator[tuple[str, Words]]:
    """Every sentence as it was written, but for line breaks and tabs, with its words as they are compared."""
    for text in texts:
        try:
            passage = read(text)
        except Problem:
            continue
        for start, end in passage.sentences:
            yield (
                " ".join(passage.phrase(start, end).split()),
                spelled([word.text for word in passage.words[start:end]]),
            )


def _texts(texts: Iterable[str]) -> Iterator[str]:
    return (text for text, _ in _sentences(texts))


if __name__ == "__main__":
    from benchmarks.verdicts.asked import KEPT

    print(corpus(KEPT))
