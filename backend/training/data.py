"""The data sets the shipped weights were made from. They are needed to train and to measure, never to serve."""

import csv
import os
from pathlib import Path

EMOTIONS = ("anger", "disgust", "fear", "joy", "neutral", "sadness", "surprise")
TOPICS = ("World", "Sports", "Business", "Sci/Tech")
SENTIMENTS = ("negative", "positive")

Labelled = list[tuple[str, int]]


def data_folder() -> Path:
    """The folder named by ESPALIER_DATA; by default the one beside the checkout."""
    folder = Path(os.environ.get("ESPALIER_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not folder.is_dir():
        raise SystemExit(f"no data folder: got {folder}, set ESPALIER_DATA to the folder that holds sst/, treebanks/, …")
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
