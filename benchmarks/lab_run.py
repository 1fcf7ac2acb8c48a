"""`python -m benchmarks.lab_run sst2_dev.tsv`: a run of the Lab that is killed on its way, and what it costs.

200 sentences × 6 methods × 2 models on a real server; once undisturbed, a model after the other, so that each has
seconds of its own; once both together, with server and worker killed in turn ten times. The rows must be the same
bytes, but for seconds. Then the very rows that a model was given go through the bare model: how much of its speed a run
has. About 120 minutes on two quiet cores; a few texts show that it works:

    python -m benchmarks.lab_run sst2_dev.tsv --texts 6 --kills 2
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import httpx
import typer
from rich.console import Console
from tests.faults.server import Server

from benchmarks import pages, report
from benchmarks.many_texts import Recording, full_batches
from benchmarks.sections import Rows, Section, Target, count, seconds, times
from espalier.datasets.uploads import read_file
from espalier.engine.explainer import Explainer
from espalier.lab.design import EvaluationDesign
from espalier.lab.local import run_here
from espalier.library import parse
from espalier.models.catalog import catalog
from espalier.models.describe import Shelf

MODELS = ("sst2-minilm", "sst2-cnn")
METHODS: tuple[dict[str, Any], ...] = (
    {"method": "leave-one-out"},
    {"method": "hedge"},
    {"method": "ls-tree"},
    {"method": "lime", "parameters": {"samples": 200}},
    {"method": "shap", "parameters": {"budget": 200}},
    {"method": "asiv", "parameters": {"budget": 200}},
)
WANTED = 0.85
ENOUGH = 200
"""Texts of a run that is written down."""


def design_of(file: Path, texts: int, models: Sequence[str] = MODELS) -> EvaluationDesign:
    return EvaluationDesign.model_validate(
        {"dataset": read_file(file), "models": models, "methods": METHODS, "most_texts": texts, "best_order": False}
    )


class Run:
    """A design on a server of its own."""

    def __init__(self, folder: Path, design: EvaluationDesign) -> None:
        folder.mkdir()
        self.server = Server(folder, {"ESPALIER_STOP_SECONDS": "0"})
        self.server.start()
        self.server.wait_until()
        began = time.perf_counter()
        asked = self.server.client.post("/v1/evaluations", content=design.model_dump_json(), headers=JSON)
        asked.raise_for_status()
        self.path = f"/v1/evaluations/{asked.json()['id']}"
        self._began = began

    def disturb(self, kills: int) -> int:
        """Server and worker in turn, each time a part of the way further on."""
        total, struck = self.look()["total"], 0
        for number in range(kills):
            self._wait_for((number + 1) * total // (kills + 1))
            if self.look()["status"] != "running":
                break
            if number % 2:
                self.server.kill_worker()
            else:
                self.server.kill()
                self.server.start()
            struck += 1
        return struck

    def _wait_for(self, done: int) -> None:
        self._wait(lambda now: bool(now["done"] >= done))

    def end(self) -> tuple[list[dict[str, Any]], dict[str, Any], float]:
        """All rows without their seconds, the results, and how long it took."""
        found = self._wait(lambda now: now["status"] != "running")
        took = time.perf_counter() - self._began
        if found["status"] != "finished":
            raise SystemExit(f"the run ended as {found['status']}: {found['problem']}")
        rows = self.server.client.get(f"{self.path}/rows.json", timeout=600).raise_for_status().json()
        results = self.server.client.get(f"{self.path}/results", timeout=600).raise_for_status().json()
        self.server.stop()
        return [{name: value for name, value in row.items() if name != "seconds"} for row in rows], results, took

    def look(self) -> dict[str, Any]:
        while True:
            try:
                answer = self.server.client.get(self.path)
                if answer.status_code == 200:
                    found: dict[str, Any] = answer.json()
                    return found
            except httpx.TransportError:
                pass
            time.sleep(0.2)

    def _wait(self, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            found = self.look()
            if until(found) or found["status"] not in ("queued", "preparing", "running"):
                return found
            time.sleep(0.2)


@dataclass(frozen=True, slots=True)
class Alone:
    """One model's undisturbed run, and the same evaluations through the bare model."""

    model: str
    rows: list[dict[str, Any]]
    shared: float
    took: float
    evaluations: int
    bare: float

    @property
    def line(self) -> tuple[str, ...]:
        numbers = count(len(self.rows)), count(self.evaluations), times(self.shared), seconds(self.took)
        return (self.model, *numbers, seconds(self.bare), f"{self.bare / self.took:.2f}")


def alone(model: str, file: Path, texts: int, folder: Path) -> Alone:
    design = design_of(file, texts, [model])
    rows, results, took = Run(folder / model, design).end()
    return Alone(model, rows, results["shared"] or 1.0, took, *bare_seconds(model, design))


def bare_seconds(model: str, design: EvaluationDesign) -> tuple[int, float]:
    """The evaluations of a run, and how long the model alone takes for them, in full batches."""
    recording = Recording(catalog().load(model))
    explainer = Explainer({model: recording}.__getitem__, parse)  # type: ignore[arg-type]
    run_here(design, explainer, Shelf(catalog()))
    explainer.close()
    batches = full_batches(recording)
    began = time.perf_counter()
    for batch, outcomes in batches:
        recording._model.outputs(batch, outcomes)
    return sum(len(batch) for batch, _ in batches), time.perf_counter() - began


def different(apart: Sequence[Alone], together: Sequence[dict[str, Any]]) -> int:
    """Rows that a model has in one run only, or otherwise."""
    found = 0
    for each in apart:
        own = [row for row in together if row["model"] == each.model]
        found += abs(len(own) - len(each.rows)) + sum(a != b for a, b in zip(own, each.rows, strict=False))
    return found


def main(
    file: Annotated[Path, typer.Argument(help="A table with a column `text` or `sentence`.")],
    texts: Annotated[int, typer.Option(help="How many of them; written down from 200.")] = ENOUGH,
    kills: Annotated[int, typer.Option(help="Of server and worker in turn.")] = 10,
) -> None:
    """Run, run again with kills, compare, and say what it cost."""
    console, when = Console(), pages.Run()
    with tempfile.TemporaryDirectory() as folder:
        apart = []
        for model in MODELS:
            apart.append(alone(model, file, texts, Path(folder)))
            console.print(f"{model}: {apart[-1].took:.0f} s, {len(apart[-1].rows):,} rows", highlight=False)
        disturbed = Run(Path(folder) / "disturbed", design_of(file, texts))
        struck = disturbed.disturb(kills)
        again, _, longer = disturbed.end()
        console.print(f"both, killed {struck} times: {longer:.0f} s", highlight=False)
    undisturbed, bare = sum(each.took for each in apart), sum(each.bare for each in apart)
    share, wrong = bare / undisturbed, different(apart, again)
    section = Section(
        "A run of the Lab",
        f"{texts} sentences × {len(METHODS)} methods × {len(MODELS)} models on a server of its own, from request to "
        "the last row, parsing and measuring included, a model after the other; both together again with server and "
        f"worker killed in turn {struck} times ({longer:.0f} s in place of {undisturbed:.0f}); and the different rows "
        "that the models were given, through the bare models in full batches.",
        [
            Rows(
                "",
                ("model", "rows", "evaluations", "wanted for each done", "seconds", "bare", "share"),
                [each.line for each in apart],
            )
        ],
        [
            Target(f"rows that differ after {struck} kills", "0", str(wrong), wrong == 0 and struck == kills),
            Target("a run's share of the bare models' speed", f"≥ {WANTED}", f"{share:.2f}", share >= WANTED),
        ],
    )
    report.show(console, section)
    if texts >= ENOUGH:
        report.write(section, when)
    sys.exit(0 if all(target.met for target in section.targets) else 1)


JSON = {"Content-Type": "application/json"}

if __name__ == "__main__":
    typer.run(main)
