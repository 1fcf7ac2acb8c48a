"""What a job costs beyond the forward passes it cannot do without."""

from collections.abc import Iterable, Sequence

import torch

from benchmarks import clock
from benchmarks.bench import Bench
from benchmarks.sections import Rows, Section, Target, count, seconds, times
from benchmarks.sentences import LONG, SHORT, of_length
from espalier.engine.host import ModelHost
from espalier.models.protocol import TokenRow

METHODS = ("ls-tree", "hedge", "asiv", "mahe", "shap")
BATCH_SIZES = (16, 32, 64, 128, 256)
PROBE_ROWS = 768
REPEATS = 5
WANTED = 1.15
HEADS = ("", "distinct", "job, s", "bare, s", "ratio", "packed, s")


def measure(bench: Bench) -> Section:
    """Every method with its usual settings. The fastest of five runs counts, for the job and for the bare passes."""
    text = of_length(SHORT if bench.quick else LONG)[0]
    network = bench.transformer.network
    rows, ratios = [], {}
    bench.job(text, "ls-tree")
    for method in METHODS:
        job, bare, packed, size = float("inf"), float("inf"), float("inf"), 0
        for _ in range(1 if bench.quick else REPEATS):
            _, cost = bench.job(text, method)
            job = min(job, cost.seconds)
            distinct = sorted(bench.transformer.distinct_rows.values(), key=lambda row: len(row.ids))
            size = size or best_batch_size(bench, distinct)
            bare = min(bare, forward_seconds(network, batches(bench, distinct, size)))
            packed = min(packed, packed_seconds(bench, distinct))
        ratios[method] = job / bare
        rows.append(
            (
                method,
                count(cost.distinct),
                seconds(job),
                f"{seconds(bare)} (batches of {size})",
                times(job / bare),
                seconds(packed),
            )
        )
    return Section(
        "Overhead",
        "The time of a whole job, from the request to the explanation, against the bare forward passes of its distinct "
        "coalitions: rows sorted by length, tensors made beforehand, the best of several batch sizes, nothing else. "
        "The bare passes know all coalitions in advance; HEDGE learns the next ones from the answers. The last column "
        "is what this project's own way to run rows, without padding, would take for all of them if they were known.",
        [
            Rows(
                f"{LONG if not bench.quick else SHORT} words",
                ("", "distinct", "job, s", "bare, s", "ratio", "packed, s"),
                rows,
            )
        ],
        [
            Target(
                f"A job takes at most {WANTED} times its bare forward passes ({method})",
                f"≤ {WANTED} ×",
                times(ratio),
                ratio <= WANTED,
            )
            for method, ratio in ratios.items()
        ],
    )


Batches = list[dict[str, torch.Tensor]]


def batches(bench: Bench, rows: Sequence[TokenRow], size: int) -> Batches:
    return [bench.transformer.batch(rows[start : start + size]) for start in range(0, len(rows), size)]


@torch.inference_mode()
def forward_seconds(network: torch.nn.Module, ready: Iterable[dict[str, torch.Tensor]]) -> float:
    started = clock.now()
    for batch in ready:
        network(**batch)
    return clock.now() - started


def packed_seconds(bench: Bench, rows: Sequence[TokenRow]) -> float:
    with ModelHost(bench.transformer) as host:
        started = clock.now()
        host.evaluate(rows)
        return clock.now() - started


def best_batch_size(bench: Bench, rows: Sequence[TokenRow]) -> int:
    """Tried on an even sample of the rows."""
    sample = rows[:: max(1, len(rows) // PROBE_ROWS)]
    return min(BATCH_SIZES, key=lambda size: forward_seconds(bench.transformer.network, batches(bench, sample, size)))
