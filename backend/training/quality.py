"""Measure the shipped weights on the held-out data and print one table: `make quality`.

Everything goes through the product's own loading code, from text to prediction, so what is measured is what is served.
"""

import argparse
import time

import numpy as np
from rich.console import Console
from rich.table import Table

from espalier import samples
from espalier.models.catalog import catalog
from espalier.models.families import load_model
from espalier.models.protocol import HostedModel
from espalier.text import read
from espalier.trees.parser import BATCH_TOKENS
from espalier.trees.weights import SHIPPED, load_chart_parser, locate
from training import data, treebank
from training.brackets import score

TARGETS = {
    "sst2-minilm": (data.sst2, 0.90),
    "sst2-lstm": (data.sst2, 0.84),
    "sst2-cnn": (data.sst2, 0.83),
    "sst2-bow": (data.sst2, 0.80),
    "imdb-cnn": (data.film_reviews, 0.87),
    "imdb-bow": (data.film_reviews, 0.87),
    "emotion-minilm": (data.emotions, 0.66),
    "topic-minilm": (data.topics, 0.88),
}
PARSER_TARGET = 88.0


def accuracy(model: HostedModel, rows: data.Labelled, batch_size: int = 64) -> float:
    encodings = [(model.encode(read(text)).row(), label) for text, label in rows]
    encodings.sort(key=lambda pair: len(pair[0].ids))
    right = 0
    for start in range(0, len(encodings), batch_size):
        batch = encodings[start : start + batch_size]
        predicted = np.argmax(model.outputs([row for row, _ in batch]), axis=1)
        right += int((predicted == np.asarray([label for _, label in batch])).sum())
    return right / len(rows)


def on_samples(model: HostedModel, task: str) -> str:
    """Right answers on the project's own sentences, which are hard on purpose and which training never saw."""
    rows = [(sample.text, model.classes.index(sample.label)) for sample in samples.for_task(task)]
    return f"{round(accuracy(model, rows) * len(rows))} of {len(rows)}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the shipped models on their held-out data.")
    parser.add_argument("names", nargs="*", help="models to measure, or 'parser'; all when left out")
    names = parser.parse_args().names or [*TARGETS, "parser"]
    table = Table(
        "model", "held-out", "measured", "wanted", "", "our samples", "loads in", box=None, header_style="bold"
    )
    failed = 0
    for name in names:
        if name == "parser":
            started = time.perf_counter()
            chart_parser = load_chart_parser(locate(SHIPPED))
            loading = time.perf_counter() - started
            sentences = [treebank.sentence(tree) for tree in treebank.gum("dev", commercial_only=False)]
            started = time.perf_counter()
            trees = chart_parser.parse(sentences, subbatch_max_tokens=BATCH_TOKENS)
            elapsed = time.perf_counter() - started
            measured = score(zip((sentence.tree for sentence in sentences), trees, strict=True))
            enough = measured.labelled_f1 >= PARSER_TARGET
            shown = f"{measured}, {len(sentences) / elapsed:.0f} sentences a second"
            wanted, held_out, own = f"labelled F1 {PARSER_TARGET}", "GUM dev", ""
        else:
            load, target = TARGETS[name]
            rows = load()[1]
            started = time.perf_counter()
            source = catalog().source(name)
            model = load_model(source, catalog().device)
            loading = time.perf_counter() - started
            own = on_samples(model, source.entry.examples) if source.entry.examples else ""
            result = accuracy(model, rows)
            enough = result >= target
            shown, wanted, held_out = f"accuracy {result:.4f}", f"{target:.2f}", f"{len(rows)} texts"
        failed += not enough
        table.add_row(name, held_out, shown, wanted, "ok" if enough else "BELOW", own, f"{loading:.1f} s")
    Console().print(table)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
