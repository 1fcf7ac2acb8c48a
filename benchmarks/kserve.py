"""Predictions over KServe's protocol against the bare model, in one run (a part of `make load`; --quick to try).

1,800 texts, none twice, in one request to a server of its own; then the same texts through the bare model in this
process, in batches of its best size, tensors made beforehand: what no server can be faster than without another way to
run rows. Both run alone, in turn, and the fastest of several rounds counts.
"""

import argparse
import time
from itertools import count, cycle, islice

from tests.faults.server import Server

from benchmarks.bench import TRANSFORMER, Bench
from benchmarks.load import processor_seconds, serving
from benchmarks.overhead import batches, best_batch_size, forward_seconds
from espalier import samples
from espalier.text import read

TEXTS = 1_800
ROUNDS = 3
WANTED = 0.8


def texts(number: int, mark: int) -> list[str]:
    """The project's sentences, numbered, so that none was seen before."""
    sentences = cycle(sample.text for sample in samples.load())
    numbered = (f"{text} {mark}.{each}" for each, text in zip(count(), sentences, strict=False))
    return list(islice(numbered, number))


def served(server: Server, asked: list[str]) -> tuple[float, float]:
    """Seconds by the clock, and of the worker's processor."""
    worker = server.workers()[0]
    before, started = processor_seconds(worker), time.perf_counter()
    answer = server.client.post(f"/v1/models/{TRANSFORMER}:predict", json={"instances": asked}, timeout=600)
    seconds, busy = time.perf_counter() - started, processor_seconds(worker) - before
    answer.raise_for_status()
    assert len(answer.json()["predictions"]) == len(asked)
    return seconds, busy


def bare(bench: Bench, asked: list[str]) -> tuple[float, float]:
    """The forward passes alone, by the clock and by the processor."""
    rows = sorted((bench.transformer.encode(read(text)).row() for text in asked), key=lambda row: len(row.ids))
    ready = batches(bench, rows, best_batch_size(bench, rows))
    used, started = time.process_time(), time.perf_counter()
    forward_seconds(bench.transformer.network, ready)
    return time.perf_counter() - started, time.process_time() - used


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="smaller, to see whether it runs")
    quick = parser.parse_args().quick
    number, rounds = (200, 1) if quick else (TEXTS, ROUNDS)
    bench = Bench(quick)
    with serving() as server:
        served(server, texts(64, 0))
        bare(bench, texts(64, 0))
        over_kserve, through_model = [], []
        for each in range(1, rounds + 1):
            over_kserve.append(served(server, texts(number, each)))
            through_model.append(bare(bench, texts(number, each)))
    for kind, measured in (("the clock", 0), ("the processor", 1)):
        ours, theirs = (min(each[measured] for each in found) for found in (over_kserve, through_model))
        share = theirs / ours
        print(
            f"{number:,} predictions by {kind}: {number / ours:.0f} a second over KServe, {number / theirs:.0f} "
            f"through the bare model; share {share:.2f}, wanted {WANTED}"
        )


if __name__ == "__main__":
    main()
