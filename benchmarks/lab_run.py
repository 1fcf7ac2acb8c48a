"""`python -m benchmarks.lab_run sst2_dev.tsv`: a run of the Lab that is killed on its way, and what it costs.

200 sentences × 6 methods × 2 models on a real server; once undisturbed, once with server and worker killed in turn ten
times. The rows must be the same bytes, but for seconds. Then the very rows that the models were given go through the
bare models: how much of their speed a run has. About 40 minutes on two quiet cores; a few texts show that it works:

    python -m benchmarks.lab_run sst2_dev.tsv --texts 6 --kills 2
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
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


def design_of(file: Path, texts: int) -> EvaluationDesign:
    return EvaluationDesign.model_validate(
        {"dataset": read_file(file), "models": MODELS, "methods": METHODS, "most_texts": texts, "best_order": False}
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


def bare_seconds(design: EvaluationDesign) -> tuple[int, float]:
    """The rows of a run, and how long the models alone take for them, in full batches."""
    models = {name: Recording(catalog().load(name)) for name in MODELS}
    explainer = Explainer(models.__getitem__, parse)  # type: ignore[arg-type]
    run_here(design, explainer, Shelf(catalog()))
    explainer.close()
    rows, took = 0, 0.0
    for recording in models.values():
        batches = full_batches(recording)
        began = time.perf_counter()
        for batch, outcomes in batches:
            recording._model.outputs(batch, outcomes)
        took += time.perf_counter() - began
        rows += sum(len(batch) for batch, _ in batches)
    return rows, took


def main(
    file: Annotated[Path, typer.Argument(help="A table with a column `text` or `sentence`.")],
    texts: Annotated[int, typer.Option(help="How many of them; written down from 200.")] = ENOUGH,
    kills: Annotated[int, typer.Option(help="Of server and worker in turn.")] = 10,
) -> None:
    """Run, run again with kills, compare, and say what it cost."""
    console, when, design = Console(), pages.Run(), design_of(file, texts)
    with tempfile.TemporaryDirectory() as folder:
        rows, results, took = Run(Path(folder) / "undisturbed", design).end()
        console.print(f"undisturbed: {took:.0f} s, {len(rows):,} rows", highlight=False)
        disturbed = Run(Path(folder) / "disturbed", design)
        struck = disturbed.disturb(kills)
        again, _, longer = disturbed.end()
        console.print(f"killed {struck} times: {longer:.0f} s", highlight=False)
    evaluated, bare = bare_seconds(design)
    share, different = bare / took, sum(one != other for one, other in zip(rows, again, strict=True))
    section = Section(
        "A run of the Lab",
        f"{texts} sentences × {len(METHODS)} methods × {len(MODELS)} models on a server of its own, from request to "
        "the last row, parsing and measuring included; again with server and worker killed in turn; and the different "
        "rows that the models were given, through the bare models in full batches.",
        [
            Rows(
                "",
                ("rows", "evaluations", "wanted for each done", "seconds", f"killed {struck} times", "bare", "share"),
                [
                    (
                        count(len(rows)),
                        count(evaluated),
                        times(results["shared"] or 1.0),
                        seconds(took),
                        seconds(longer),
                        seconds(bare),
                        f"{share:.2f}",
                    )
                ],
            )
        ],
        [
            Target(f"rows that differ after {struck} kills", "0", str(different), different == 0 and struck == kills),
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
