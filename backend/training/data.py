"""The data sets the shipped weights were made from. They are needed to train and to measure, never to serve."""

import csv
import os
import random
import re
from pathlib import Path

EMOTIONS = ("anger", "disgust", "fear", "joy", "neutral", "sadness", "surprise")
TOPICS = ("World", "Sports", "Business", "Sci/Tech")
SENTIMENTS = ("negative", "positive")

Labelled = list[tuple[str, int]]


def data_folder() -> Path:
    """The folder named by ESPALIER_TRAINING_DATA; by default the one beside the checkout."""
    folder = Path(os.environ.get("ESPALIER_TRAINING_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not folder.is_dir():
        raise SystemExit(
            f"no data folder: got {folder}, set ESPALIER_TRAINING_DATA to the folder that holds sst/, treebanks/, …"
        )
    return folder


def read_labelled(path: Path, classes: tuple[str, ...]) -> Labelled:
    """Rows of (text, class index) from a tab-separated file whose labels are class names or class indices."""
    index = {name: position for position, name in enumerate(classes)}
    rows: Labelled = []
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            text = row.get("sentence") or row.get("text")
            label = row["label"]
            if text:
                rows.append((text.strip(), int(label) if label.isdigit() else index[label]))
    return rows


def sst2() -> tuple[Labelled, Labelled]:
    """67,349 phrases of the training sentences, and the 872 sentences of the development set."""
    folder = data_folder() / "sst"
    return (
        read_labelled(folder / "sst2_phrases_train.tsv", SENTIMENTS),
        read_labelled(folder / "sst2_dev.tsv", SENTIMENTS),
    )


GRADES = (0.02, 0.15, 0.5, 0.85, 0.98)
"""The treebank's five grades, very negative to very positive, as probabilities of positive."""


def unescaped(token: str) -> str:
    """A token of the treebank as it was before trees were written with brackets."""
    return token.replace("-LRB-", "(").replace("-RRB-", ")").replace("\\/", "/")


def sst_graded() -> list[tuple[str, tuple[float, float]]]:
    """Every distinct phrase of the treebank's training sentences with its grade, neutral ones too.

    The two-class set leaves neutral phrases out, so a model trained on it alone has never seen that "the film" says
    nothing. Explanations ask about just such fragments.
    """
    grades: dict[str, float] = {}
    for line in (data_folder() / "sst" / "trees_train.ptb").read_text(encoding="utf-8").splitlines():
        open_nodes: list[tuple[int, int]] = []
        words: list[str] = []
        for token in re.findall(r"\(\d|[^\s()]+|\)", line):
            if token.startswith("(") and len(token) == 2:
                open_nodes.append((int(token[1]), len(words)))
            elif token == ")":
                grade, start = open_nodes.pop()
                grades.setdefault(" ".join(words[start:]), GRADES[grade])
            else:
                words.append(unescaped(token))
    return [(phrase, (1 - positive, positive)) for phrase, positive in grades.items()]


def emotions() -> tuple[Labelled, Labelled]:
    folder = data_folder() / "goemotions"
    return (
        read_labelled(folder / "goemotions_train.tsv", EMOTIONS),
        read_labelled(folder / "goemotions_dev.tsv", EMOTIONS),
    )


def topics() -> tuple[Labelled, Labelled]:
    folder = data_folder() / "ag_news"
    return (
        read_labelled(folder / "ag_train.tsv", TOPICS),
        read_labelled(folder / "ag_test.tsv", TOPICS),
    )


def film_reviews() -> tuple[Labelled, Labelled]:
    """IMDB's training half of 25,000 reviews, and a tenth of its test half, drawn once: reading all of that takes a
    transformer half an hour."""
    from training import corpus

    return corpus.reviews("train"), random.Random(0).sample(corpus.reviews("test"), 2500)
