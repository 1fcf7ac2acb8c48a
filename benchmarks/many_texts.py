"""`python -m benchmarks.many_texts`: many sentences by five methods, against the bare model on the same rows."""

import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from benchmarks.report import show
from benchmarks.reviews import SENTENCES
from benchmarks.sections import Rows, Section, Target, keep
from espalier.engine.explainer import Explainer
from espalier.engine.many import each_of
from espalier.explain.request import ExplanationRequest
from espalier.library import parse
from espalier.models.catalog import catalog
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import HostedModel, TokenRow

METHODS: dict[str, dict[str, Any]] = {
    "ls-tree": {},
    "hedge": {},
    "asiv": {"budget": 512},
    "mahe": {"samples": 500},
    "shap": {"budget": 512},
}
"""Budgets that make a run of minutes, not hours; the overhead for each row grows as they shrink."""

WANTED = 0.85


class Recording:
    """A model that remembers the batches it was given."""

    def __init__(self, model: HostedModel) -> None:
        self._model = model
        self.batches: list[tuple[list[TokenRow], Outcomes]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes) -> Any:
        self.batches.append((list(rows), outcomes))
        return self._model.outputs(rows, outcomes)


def main(
    texts: Annotated[Path | None, typer.Option(help="A file of sentences, one a line; our own without.")] = None,
    count: Annotated[int, typer.Option(help="How many sentences.")] = 500,
    model: Annotated[str, typer.Option(help="A model of the catalog.")] = "sst2-minilm",
) -> None:
    """Measure, say what came out, and keep it for the page."""
    chosen = sentences(texts, count)
    loaded = catalog().load(model)
    rows = [measure(loaded, model, chosen, method) for method in METHODS]
    found = section(len(chosen), rows)
    show(Console(), found)
    if texts is None and count >= 500:
        keep("many-texts", found)


def sentences(file: Path | None, count: int) -> list[str]:
    """Of a file, or pairs of our own: none of them twice, and of twenty to forty words."""
    if file is not None:
        return [line for line in file.read_text(encoding="utf-8").split("\n") if line.strip()][:count]
    pairs = [f"{first[:-1]}, and {second[0].lower()}{second[1:]}" for first in SENTENCES for second in SENTENCES]
    return random.Random(0).sample([pair for pair in pairs if 15 <= len(pair.split()) <= 40], count)


def measure(model: HostedModel, name: str, texts: Sequence[str], method: str) -> tuple[str, int, float, float]:
    """Evaluations, seconds of the whole run, and of the model alone on the very rows it was asked."""
    recording = Recording(model)
    explainer = Explainer(lambda _: recording, parse)  # type: ignore[arg-type, return-value]
    requests = [ExplanationRequest(text=text, model=name, method=method, parameters=METHODS[method]) for text in texts]
    explainer.explain(ExplanationRequest(text="A warm start.", model=name, method=method))
    recording.batches.clear()
    began = time.perf_counter()
    for _ in each_of(requests, explainer.explain):
        pass
    whole = time.perf_counter() - began
    explainer.close()
    batches = full_batches(recording)
    began = time.perf_counter()
    for rows, outcomes in batches:
        model.outputs(rows, outcomes)
    return method, sum(len(rows) for rows, _ in batches), whole, time.perf_counter() - began


def full_batches(recording: Recording, tokens: int = 768) -> list[tuple[list[TokenRow], Outcomes]]:
    """The same rows as somebody would run them who has them all: sorted by length, in batches that are full."""
    outcomes = recording.batches[0][1]
    rows = sorted((row for batch, _ in recording.batches for row in batch), key=lambda row: len(row.ids))
    found: list[tuple[list[TokenRow], Outcomes]] = []
    batch: list[TokenRow] = []
    for row in rows:
        if batch and len(row.ids) * (len(batch) + 1) > tokens:
            found.append((batch, outcomes))
            batch = []
        batch.append(row)
    return [*found, (batch, outcomes)]


def section(count: int, measured: list[tuple[str, int, float, float]]) -> Section:
    rows = [
        (method, f"{evaluated:,}", f"{whole:.1f}", f"{bare:.1f}", f"{count / whole:.1f}", f"{bare / whole:.2f}")
        for method, evaluated, whole, bare in measured
    ]
    slowest = min(bare / whole for _, _, whole, bare in measured)
    return Section(
        "Many texts",
        f"{count} sentences, several on their way at once as in `espalier explain --file`, against the bare model on "
        "the same distinct rows, sorted by length in full batches. Reading, parsing, tokenising, the method and "
        "its result are all in the first number.",
        [Rows("", ("method", "evaluations", "seconds", "bare model", "texts a second", "share of the model"), rows)],
        [
            Target(
                "every method, as a share of the bare model's speed", f"≥ {WANTED}", f"{slowest:.2f}", slowest >= WANTED
            )
        ],
    )


if __name__ == "__main__":
    typer.run(main)
