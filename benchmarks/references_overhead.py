"""What a job costs beyond the forward passes of both models, where another model fills absent words in."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from benchmarks import clock
from benchmarks.bench import Bench, parse
from benchmarks.overhead import BATCH_SIZES
from benchmarks.sections import Rows, Section, Target, count, seconds, times
from benchmarks.sentences import LONG, SHORT, of_length
from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import catalog
from espalier.models.masked.model import MaskedModel
from espalier.models.protocol import TokenRow
from espalier.models.transformer import TransformerModel

EXPLAINED, FILLER = "sst2-minilm", "mlm-general"
METHODS: dict[str, dict[str, Any]] = {"shap": {"budget": 512}, "hedge": {"window": 1}, "asiv": {"budget": 512}}
QUICK: dict[str, dict[str, Any]] = {"shap": {"budget": 64}, "hedge": {"window": 0}, "asiv": {"budget": 64}}
REPEATS = 3
WANTED = 1.2
PROBE_ROWS = 256
HEAD_ROWS = 256
"""Places that the bare head reads at once."""

Key = tuple[bytes, bytes]


class Recorded:
    """The different rows that a model was given, and where they were read."""

    def __init__(self) -> None:
        self.rows: dict[Key, TokenRow] = {}
        self.places: dict[Key, set[int]] = {}

    def note(self, rows: Sequence[TokenRow]) -> None:
        for row in rows:
            key = row.ids.tobytes(), row.positions.tobytes()
            self.rows.setdefault(key, row)
            if row.read_at is not None:
                self.places.setdefault(key, set()).add(row.read_at)

    def by_length(self) -> list[tuple[TokenRow, list[int]]]:
        found = [(row, sorted(self.places.get(key, ()))) for key, row in self.rows.items()]
        return sorted(found, key=lambda each: len(each[0].ids))


@contextmanager
def recorded(*models: TransformerModel) -> Iterator[list[Recorded]]:
    """What each model is given meanwhile."""
    found = [Recorded() for _ in models]
    usual = [model.outputs for model in models]
    for model, outputs, own in zip(models, usual, found, strict=True):

        def noting(rows: Sequence[TokenRow], *more: Any, _outputs: Any = outputs, _own: Recorded = own) -> Any:
            _own.note(rows)
            return _outputs(rows, *more)

        model.outputs = noting  # type: ignore[method-assign]
    try:
        yield found
    finally:
        for model, outputs in zip(models, usual, strict=True):
            model.outputs = outputs  # type: ignore[method-assign]


@torch.inference_mode()
def bare_seconds(model: TransformerModel, rows: Sequence[tuple[TokenRow, list[int]]], size: int) -> float:
    """The network over the rows, and of a masked model its head where they are read. Tensors are made beforehand."""
    batches = [rows[start : start + size] for start in range(0, len(rows), size)]
    ready = [(model.batch([row for row, _ in own]), [places for _, places in own]) for own in batches]
    started = clock.now()
    if not isinstance(model, MaskedModel):
        for tensors, _ in ready:
            model.network(**tensors)
        return clock.now() - started
    read = []
    for tensors, places in ready:
        states = model.network.base_model(**tensors).last_hidden_state
        read.append(torch.cat([states[index, own] for index, own in enumerate(places)]))
    for chunk in torch.cat(read).split(HEAD_ROWS):
        model._head.logits(chunk)
    return clock.now() - started


def best_seconds(model: TransformerModel, rows: Sequence[tuple[TokenRow, list[int]]]) -> float:
    """With the batch size that is best for an even sample."""
    sample = rows[:: max(1, len(rows) // PROBE_ROWS)]
    size = min(BATCH_SIZES, key=lambda each: bare_seconds(model, sample, each))
    return bare_seconds(model, rows, size)


def measure(bench: Bench) -> Section:
    """The fastest of some runs counts, for the job and for the bare passes."""
    words = SHORT if bench.quick else LONG
    text = of_length(words)[0]
    explained, filler = catalog().load(EXPLAINED), catalog().load(FILLER)
    assert isinstance(explained, TransformerModel)
    assert isinstance(filler, MaskedModel)
    rows, ratios = [], {}
    for method, parameters in (QUICK if bench.quick else METHODS).items():
        asked = ExplanationRequest(
            text=text, model=EXPLAINED, method=method, parameters=parameters, reference="conditional"
        )
        job, own, other = float("inf"), float("inf"), float("inf")
        for _ in range(1 if bench.quick else REPEATS):
            explainer = Explainer({EXPLAINED: explained, FILLER: filler}.__getitem__, parse)
            explainer.prepare(asked)  # hosts have their threads before the clock runs
            with recorded(explained, filler) as (read, filled):
                started = clock.now()
                explainer.explain(asked)
                job = min(job, clock.now() - started)
            explainer.close()
            own = min(own, best_seconds(explained, read.by_length()))
            other = min(other, best_seconds(filler, filled.by_length()))
        ratios[method] = job / (own + other)
        places = sum(map(len, filled.places.values()))
        rows.append(
            (
                method,
                f"{count(len(read.rows))} texts",
                f"{count(len(filled.rows))} texts, {count(places)} blanks",
                seconds(job),
                f"{seconds(own)} + {seconds(other)}",
                times(ratios[method]),
            )
        )
    return Section(
        "Overhead of filling in",
        "The time of a whole job with reference = conditional (4 draws), against the bare forward passes of both "
        f"models: {EXPLAINED} on every different text it read, {FILLER} on every different text, and its head at every "
        "blank. Rows are sorted by length, tensors made beforehand, the best of several batch sizes, nothing else: "
        "neither drawing nor tokens count as bare.",
        [Rows(f"{words} words", ("", EXPLAINED, FILLER, "job, s", "bare, s", "ratio"), rows)],
        [
            Target(
                f"A job takes at most {WANTED} times the bare passes of both models ({method}, conditional)",
                f"≤ {WANTED} ×",
                times(ratio),
                ratio <= WANTED,
            )
            for method, ratio in ratios.items()
        ],
    )
