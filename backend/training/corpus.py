"""Running text as the reader's words, for the word models: split once by `espalier.text.read`, then kept.

    python -m training.corpus            splits everything ahead of training (two processes, a few minutes)

Splitting six million words takes longer than many a training run, so the result is kept in the scratch folder: one line
for each text, its lower-case words with a blank between. A word never holds a blank, so nothing is lost.
"""

import csv
import gzip
import os
import re
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from espalier.problems import BadText
from espalier.text import read
from training.data import data_folder

Texts = list[list[str]]

HIDDEN_WORD = "unkunkunk"
"""What stands for WikiText's `<unk>`: a word of letters, so that it is not taken apart, and one that nobody writes."""

_NUMBER_JOINT = re.compile(r" @([-,.])@ ")
_NEGATION = re.compile(r"n ['’]t\b")
_HEADING = re.compile(r"^\s*=.*=\s*$")


def scratch_folder() -> Path:
    """Where checkpoints and split texts are kept: ESPALIER_TRAINING_SCRATCH, by default .cache/training."""
    default = Path(__file__).parents[2] / ".cache" / "training"
    folder = Path(os.environ.get("ESPALIER_TRAINING_SCRATCH", default))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def reviews(part: str) -> list[tuple[str, int]]:
    """The 25,000 IMDB reviews of "train" or "test", with 0 for negative and 1 for positive."""
    path = data_folder() / "imdb-full" / f"imdb_{part}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["text"], int(row["label"])) for row in rows]


def wikipedia(part: str) -> list[str]:
    """The paragraphs of WikiText-2's "valid" or "test", without headings, its tokens joined as people write them."""
    lines = (data_folder() / "wikitext-2" / f"wt2_{part}.txt").read_text(encoding="utf-8").splitlines()
    return [_as_written(line) for line in lines if line.strip() and not _HEADING.match(line)]


def _as_written(line: str) -> str:
    joined = _NEGATION.sub("n't", _NUMBER_JOINT.sub(r"\1", line))
    return joined.replace("<unk>", HIDDEN_WORD).strip()


def words_of(text: str) -> list[str]:
    """The reader's words in small letters, with straight apostrophes: what `Vocabulary.pieces` begins with."""
    try:
        return [word.text.lower().replace("’", "'") for word in read(text).words]
    except BadText:
        return []


def split_texts(name: str, texts: Iterable[str]) -> Texts:
    """The words of each text, from the scratch folder if they are there."""
    kept = scratch_folder() / f"words-{name}.txt"
    if not kept.is_file():
        with ProcessPoolExecutor(2) as pool:
            split = list(pool.map(words_of, texts, chunksize=200))
        unfinished = kept.with_suffix(".part")
        unfinished.write_text("".join(" ".join(words) + "\n" for words in split), encoding="utf-8")
        unfinished.rename(kept)
    return [line.split(" ") if line else [] for line in kept.read_text(encoding="utf-8").split("\n")[:-1]]


def review_words(part: str) -> Texts:
    return split_texts(f"imdb-{part}", (text for text, _ in reviews(part)))


def wikipedia_words(part: str) -> Texts:
    return split_texts(f"wikitext-{part}", wikipedia(part))


if __name__ == "__main__":
    for part in ("valid", "test"):
        print(f"wikitext {part}: {sum(map(len, wikipedia_words(part)))} words", flush=True)
    for part in ("train", "test"):
        print(f"imdb {part}: {sum(map(len, review_words(part)))} words", flush=True)
