"""`python -m benchmarks.lab_run sst2_dev.tsv`: a run of the Lab that is killed on its way, and what a run costs.

200 sentences × 6 methods × 2 models on a real server, once undisturbed and once with server and worker killed in turn
ten times: the rows must be the same bytes, but for seconds. Then 40 sentences, a model after the other on a
server of its own, and the very rows that the models were given through the bare models: how much of their speed a run
has. Half an hour and 15 minutes on two quiet cores, each with a section of docs/benchmarks.md; only the second, which
is timed, minds what else the machine does, after it has said so. A few texts show that both work:

    python -m benchmarks.lab_run sst2_dev.tsv --texts 6 --kills 2 --timed 6
    python -m benchmarks.lab_run sst2_dev.tsv --kills 0      # the second alone; --timed 0 is the first
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
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
from espalier.datasets.forms import Samples
from espalier.datasets.uploads import read_file
from espalier.engine.explainer import Explainer
from espalier.engine.gauging import TOGETHER
from espalier.lab.design import EvaluationDesign
from espalier.lab.local import run_here
from espalier.library import parse
from espalier.measure.registry import GAUGE, USUAL
from espalier.models.catalog import catalog
from espalier.models.describe import Shelf
from espalier.models.next_words import LanguageModel
from espalier.models.protocol import HostedModel
from espalier.text import Passage

MODELS = ("sst2-minilm", "sst2-cnn")
METHODS: tuple[dict[str, Any], ...] = (
    {"method": "leave-one-out"},
    {"method": "hedge"},
    {"method": "ls-tree"},
    {"method": "lime", "parameters": {"samples": 200}},
    {"method": "shap", "parameters": {"budget": 200}},
    {"method": "asiv", "parameters": {"budget": 200}},
)
KILLED_MEASURES = ("aopc-delete", "log-odds-pad", "sufficiency-delete")
"""Of the run that is killed: a kill is one whatever is measured, and all of the usual ones would take hours twice."""

WANTED = 0.85
ENOUGH, TIMED = 200, 40
"""Texts of a run that is written down: of one that is killed, and of one that is timed."""


def design_of(
    file: Path, texts: int, models: Sequence[str] = MODELS, measures: Sequence[str] = USUAL
) -> EvaluationDesign:
    given = {"dataset": read_file(file), "models": models, "methods": METHODS, "measures": measures}
    return EvaluationDesign.model_validate(given | {"most_texts": texts, "best_order": False})


class Run:
    """Designs on a server of its own, one after the other."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.server = Server(folder, {"ESPALIER_STOP_SECONDS": "0"})
        self.server.start()
        self.server.wait_until()

    def begin(self, design: EvaluationDesign) -> None:
        self._began = time.perf_counter()
        asked = self.server.client.post("/v1/evaluations", content=design.model_dump_json(), headers=JSON)
        asked.raise_for_status()
        self.path = f"/v1/evaluations/{asked.json()['id']}"

    def load(self, design: EvaluationDesign) -> None:
        """Have all that a design needs read from the disk, by a run of two other texts."""
        self.begin(design.model_copy(update={"dataset": Samples(task="sentiment"), "most_texts": 2}))
        self._wait_for_end()

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
        self._wait_for_end()
        took = time.perf_counter() - self._began
        rows = self.server.client.get(f"{self.path}/rows.json", timeout=600).raise_for_status().json()
        results = self.server.client.get(f"{self.path}/results", timeout=600).raise_for_status().json()
        self.server.stop()
        return [{name: value for name, value in row.items() if name != "seconds"} for row in rows], results, took

    def _wait_for_end(self) -> None:
        found = self._wait(lambda now: now["status"] != "running")
        if found["status"] != "finished":
            raise SystemExit(f"the run ended as {found['status']}: {found['problem']}")

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


class RecordingGauge:
    """The language model that gauges operators, and the texts that it read."""

    def __init__(self, model: HostedModel) -> None:
        assert isinstance(model, LanguageModel)
        self._model = model
        self.read: list[Passage] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def bits(self, passages: Sequence[Passage]) -> list[float]:
        self.read += passages
        return self._model.bits(passages)


@dataclass(frozen=True, slots=True)
class Timed:
    """One model's run on a server of its own, and the same evaluations through the bare models."""

    model: str
    rows: int
    took: float
    evaluations: int
    gauged: int
    bare: float

    @property
    def line(self) -> tuple[str, ...]:
        numbers = count(self.rows), count(self.evaluations), count(self.gauged), seconds(self.took)
        return (self.model, *numbers, seconds(self.bare), f"{self.bare / self.took:.2f}")


class Recorded:
    """All that the models are asked in a run of one model."""

    def __init__(self, model: str, design: EvaluationDesign) -> None:
        self.model, self.design = model, design
        recording, gauge = Recording(catalog().load(model)), RecordingGauge(catalog().load(GAUGE))
        explainer = Explainer({model: recording, GAUGE: gauge}.__getitem__, parse)  # type: ignore[arg-type]
        run_here(design, explainer, Shelf(catalog()))
        explainer.close()
        self._recording, self._gauge = recording, gauge
        self._batches = full_batches(recording)

    def timed(self, folder: Path) -> Timed:
        """The run on a server, whose models are loaded, and the same evaluations through the bare models."""
        run = Run(folder / self.model)
        run.load(self.design)
        run.begin(self.design)
        rows, _, took = run.end()
        evaluations = sum(len(batch) for batch, _ in self._batches)
        return Timed(self.model, len(rows), took, evaluations, len(self._gauge.read), self._bare_seconds())

    def _bare_seconds(self) -> float:
        """How long the two models alone take, in full batches."""
        model, gauge = self._recording._model, self._gauge
        began = time.perf_counter()
        for batch, outcomes in self._batches:
            model.outputs(batch, outcomes)
        for start in range(0, len(gauge.read), TOGETHER):
            gauge._model.bits(gauge.read[start : start + TOGETHER])
        return time.perf_counter() - began


def different(one: Sequence[dict[str, Any]], other: Sequence[dict[str, Any]]) -> int:
    """Rows that only one of two runs has, or that say something else."""
    return abs(len(one) - len(other)) + sum(a != b for a, b in zip(one, other, strict=False))


def disturbed(file: Path, texts: int, kills: int, folder: Path, console: Console) -> Section:
    """Both models together, twice: undisturbed, and killed in turn."""
    design = design_of(file, texts, measures=KILLED_MEASURES)
    run = Run(folder / "undisturbed")
    run.begin(design)
    rows, results, took = run.end()
    console.print(f"undisturbed: {took:.0f} s, {len(rows):,} rows", highlight=False)
    run = Run(folder / "disturbed")
    run.begin(design)
    struck = run.disturb(kills)
    again, _, longer = run.end()
    wrong = different(rows, again)
    return Section(
        "A run of the Lab, killed on its way",
        f"{texts} sentences × {len(METHODS)} methods × {len(MODELS)} models on a server of its own, once undisturbed "
        "and once with server and worker killed in turn; measured are "
        f"{', '.join(KILLED_MEASURES)}. Rows are compared in everything but their seconds.",
        [
            Rows(
                "",
                ("rows", "wanted for each evaluation done", "kills", "seconds undisturbed", "killed", "differ"),
                [
                    (
                        count(len(rows)),
                        times(results["shared"] or 1.0),
                        str(struck),
                        seconds(took),
                        seconds(longer),
                        str(wrong),
                    )
                ],
            )
        ],
        [Target(f"rows that differ after {kills} kills", "0", str(wrong), wrong == 0 and struck == kills)],
    )


def speed(file: Path, texts: int, folder: Path, console: Console) -> Section:
    """A model after the other, so that each has seconds of its own."""
    recorded, found = [Recorded(model, design_of(file, texts, [model])) for model in MODELS], []
    console.print("recorded; from here on it is timed", highlight=False)
    for each in recorded:
        found.append(each.timed(folder))
        console.print(f"{each.model}: {found[-1].took:.0f} s, bare {found[-1].bare:.0f} s", highlight=False)
    share = sum(each.bare for each in found) / sum(each.took for each in found)
    return Section(
        "The speed of a run of the Lab",
        f"{texts} sentences × {len(METHODS)} methods on a server of its own, from request to the last row, parsing "
        "and measuring included, a model after the other, loaded by a small run before; and the different rows that "
        "the models were given, through the bare models in full batches, with the texts that the gauge's language "
        "model read.",
        [
            Rows(
                "",
                ("model", "rows", "evaluations", "texts gauged", "seconds", "bare", "share"),
                [each.line for each in found],
            )
        ],
        [Target("a run's share of the bare models' speed", f"≥ {WANTED}", f"{share:.2f}", share >= WANTED)],
    )


def main(
    file: Annotated[Path, typer.Argument(help="A table with a column `text` or `sentence`.")],
    texts: Annotated[int, typer.Option(help="How many of them are run twice; written down from 200.")] = ENOUGH,
    kills: Annotated[int, typer.Option(help="Of server and worker in turn; 0 leaves this out.")] = 10,
    timed: Annotated[int, typer.Option(help="How many are timed; written down from 40, 0 leaves this out.")] = TIMED,
) -> None:
    """Run, run again with kills, compare, and say what a run costs."""
    console, met = Console(), True

    def told(measure: Callable[[Path, Console], Section], enough: bool) -> bool:
        when = pages.Run()
        with tempfile.TemporaryDirectory() as folder:
            section = measure(Path(folder), console)
        report.show(console, section)
        if enough:
            report.write(section, when)
        return all(target.met for target in section.targets)

    if kills:
        met = told(partial(disturbed, file, texts, kills), texts >= ENOUGH)
    if timed:
        met = told(partial(speed, file, timed), timed >= TIMED) and met
    sys.exit(0 if met else 1)


JSON = {"Content-Type": "application/json"}

if __name__ == "__main__":
    typer.run(main)
