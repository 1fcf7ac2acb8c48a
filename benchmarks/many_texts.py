"""`python -m benchmarks.many_texts`: a file of sentences by five methods, against the bare model on the same rows.

What is timed is the command that people run, `espalier explain --file … --out …`, from its start to its end. The rows
that the model was given in it are found by asking for the same explanations in this process, untimed. So a method takes
three times its evaluations: for 500 sentences minutes with LS-Tree, hours with HEDGE. Each method is a section of
docs/benchmarks.md, written as soon as it is measured, and they can be measured one by one:

    python -m benchmarks.many_texts --method ls-tree --method shap
    python -m benchmarks.many_texts --method ls-tree --count 8      # to see whether it runs; written down from 500
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import typer
from rich.console import Console

from benchmarks import pages, report
from benchmarks.reviews import SENTENCES
from benchmarks.sections import Rows, Section, Target, seconds
from benchmarks.sections import count as counted
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
"""With budgets for first pictures: the fewer rows a text has, the more counts what is done beside the model."""

WANTED = 0.85
ENOUGH = 500
"""Texts of a run that is written down."""

CHUNK = 50
"""Texts whose rows are kept at the same time: those of 500 ladders would be gigabytes."""


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


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of the command, of the same command on one text, and of the bare model on all its rows."""

    texts: int
    evaluations: int
    command: float
    one_text: float
    bare: float

    @property
    def share(self) -> float:
        return self.bare / self.command


def main(
    method: Annotated[list[str] | None, typer.Option(help="Which methods; all five without.")] = None,
    texts: Annotated[Path | None, typer.Option(help="A file of sentences, one a line; our own without.")] = None,
    count: Annotated[int, typer.Option(help="How many sentences.")] = ENOUGH,
    model: Annotated[str, typer.Option(help="A model of the catalog.")] = "sst2-minilm",
) -> None:
    """Measure, say what came out, and write it down."""
    for name in method or []:
        if name not in METHODS:
            raise SystemExit(f"unknown method: got {name!r}, possible are {', '.join(METHODS)}")
    chosen, console = sentences(texts, count), Console()
    for name in method or METHODS:
        run = pages.Run()
        command, one_text = command_seconds(chosen, model, name), command_seconds(chosen[:1], model, name)
        evaluations, bare = bare_seconds(chosen, model, name)
        found = section(name, model, Measured(len(chosen), evaluations, command, one_text, bare))
        report.show(console, found)
        if texts is None and len(chosen) >= ENOUGH:
            report.write(found, run)


def sentences(file: Path | None, count: int) -> list[str]:
    """Of a file, or pairs of our own: none of them twice, and of fifteen to forty words."""
    if file is not None:
        return [line for line in file.read_text(encoding="utf-8").split("\n") if line.strip()][:count]
    pairs = [f"{first[:-1]}, and {second[0].lower()}{second[1:]}" for first in SENTENCES for second in SENTENCES]
    return random.Random(0).sample([pair for pair in pairs if 15 <= len(pair.split()) <= 40], count)


def command_seconds(texts: Sequence[str], model: str, method: str) -> float:
    """From the command's start to its end, with nothing known before."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "texts.txt", Path(folder) / "results.jsonl"
        file.write_text("\n".join(texts) + "\n", encoding="utf-8")
        command = [str(Path(sys.executable).with_name("espalier")), "explain", "--file", str(file), "--out", str(out)]
        command += ["--model", model, "--method", method]
        for name, value in METHODS[method].items():
            command += ["--parameter", f"{name}={value}"]
        began = time.perf_counter()
        subprocess.run(command, check=True, env=os.environ | {"ESPALIER_DATA": folder})
        return time.perf_counter() - began


def bare_seconds(texts: Sequence[str], model: str, method: str) -> tuple[int, float]:
    """The rows that the command's model was given, and how long they take the model alone, in full batches."""
    loaded = catalog().load(model)
    rows, took = 0, 0.0
    for chunk in chunks(texts):
        recording = Recording(loaded)
        explainer = Explainer(lambda _, recording=recording: recording, parse)  # type: ignore[arg-type, misc]
        requests = [
            ExplanationRequest(text=text, model=model, method=method, parameters=METHODS[method]) for text in chunk
        ]
        for _ in each_of(requests, explainer.explain):
            pass
        explainer.close()
        batches = full_batches(recording)
        began = time.perf_counter()
        for batch, outcomes in batches:
            loaded.outputs(batch, outcomes)
        took += time.perf_counter() - began
        rows += sum(len(batch) for batch, _ in batches)
    return rows, took


def chunks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), CHUNK):
        yield texts[start : start + CHUNK]


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


def section(method: str, model: str, found: Measured) -> Section:
    settings = "".join(f", {name} = {value}" for name, value in METHODS[method].items())
    row = (
        method,
        counted(found.evaluations),
        seconds(found.command),
        seconds(found.one_text),
        seconds(found.bare),
        f"{found.texts / found.command:.1f}",
        f"{found.share:.2f}",
    )
    return Section(
        f"Many texts: {method}",
        f"`espalier explain --file` on {found.texts} sentences with {model}, {method}{settings}: the whole command, "
        "its start, reading, parsing, tokenising, the method and its results; the same on one text, which is nearly "
        "all start; and the same rows through the bare model, sorted by length in full batches.",
        [
            Rows(
                "",
                (
                    "method",
                    "evaluations",
                    "seconds",
                    "on one text",
                    "bare model",
                    "texts a second",
                    "share of the model",
                ),
                [row],
            )
        ],
        [
            Target(
                f"{found.texts} texts from a file by {method}, as a share of the bare model's speed",
                f"≥ {WANTED}",
                f"{found.share:.2f}",
                found.share >= WANTED,
            )
        ],
    )


if __name__ == "__main__":
    typer.run(main)
