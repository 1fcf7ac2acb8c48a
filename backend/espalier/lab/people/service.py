"""The items of a study measured by a run of the Lab: one for each study, found by the study's id."""

import asyncio
import hashlib
from collections.abc import Iterable, Iterator

from espalier.datasets.forms import Row, Rows
from espalier.lab.design import EvaluationDesign, MethodChoice, plan
from espalier.lab.people.beside import beside, correlations, found_by, summary
from espalier.lab.people.documents import MeasuringRun, PeopleAndMeasures
from espalier.lab.results import described
from espalier.lab.runner import Runner
from espalier.models.describe import Shelf
from espalier.problems import NotSupported
from espalier.statistics.correlation import FEWEST
from espalier.store.evaluations import Evaluation
from espalier.studies.documents import ItemDocument, StudyDocument
from espalier.studies.office import Office
from espalier.studies.records.owner import WrongStatus
from espalier.studies.results import Rule


def run_of(study: str) -> str:
    """The id of the run that measures a study. Made of the study's, so that neither has to keep the other's, and a
    deleted study leaves nothing that names it."""
    return hashlib.sha256(f"measures of study {study}".encode()).hexdigest()[:32]


class PeopleBeside:
    """Answers of people and measures of the Lab, for the owner of a study."""

    def __init__(self, runner: Runner, shelf: Shelf) -> None:
        self._runner = runner
        self._evaluations = runner.evaluations
        self._shelf = shelf

    async def measure(self, office: Office, study: str) -> None:
        """Begin, in the background as any run. What is under way goes on; what has ended is measured again."""
        document, items = await asyncio.to_thread(_studied, office, study)
        client = await asyncio.to_thread(office.client_of, study)
        there = await asyncio.to_thread(self._evaluations.get, run_of(study))
        if there is not None and there.status != "running":
            await self._runner.delete(there.id)
        await self._runner.add(design_for(document, items), client, run_of(study))

    async def forget(self, study: str) -> None:
        """When the study is deleted."""
        if await asyncio.to_thread(self._evaluations.get, run_of(study)) is not None:
            await self._runner.delete(run_of(study))

    def show(self, office: Office, study: str, simulated: bool = False, keep: Iterable[Rule] = ()) -> PeopleAndMeasures:
        document, shown = _studied(office, study)
        run = self._evaluations.get(run_of(study))
        design, found = design_for(document, shown), {}
        expected = plan(design, self._shelf).evaluations if run is None else None
        if run is not None:
            design = EvaluationDesign.model_validate(run.design["design"])
            texts = [text for text, _ in self._evaluations.texts(run.id)]
            found = found_by(design, texts, self._evaluations.rows(run.id))
        items, unmeasured = beside(office.votes(study, simulated, keep), shown, found)
        ended = run is not None and run.status != "running"
        correlated = correlations(items, design.measured(), document.seed) if ended else []
        return PeopleAndMeasures(
            study=study,
            simulated=simulated,
            run=self._run(run),
            expected_evaluations=expected,
            measures=[described(each) for each in design.measured()],
            items=items,
            unmeasured=unmeasured if run is not None else {},
            correlations=correlated,
            fewest_texts=FEWEST,
            says=summary(correlated, {each.name: each.title for each in design.measured()}),
            seed=document.seed,
        )

    def _run(self, run: Evaluation | None) -> MeasuringRun | None:
        if run is None:
            return None
        return MeasuringRun(
            evaluation=run.id,
            status=run.status,
            done=run.done,
            total=run.total,
            seconds_left=self._runner.seconds_left(run),
        )


def design_for(study: StudyDocument, items: Iterable[ItemDocument]) -> EvaluationDesign:
    """A run that explains a study's texts as the study did: with the usual reference, settings and seed."""
    rows = tuple(Row(text=item.text, label=item.label) for item in items if item.kind == "task")
    return EvaluationDesign(
        title=f"Study: {study.design.title}"[:200],
        dataset=Rows(rows=rows),
        models=study.design.models,
        methods=tuple(MethodChoice(method=method) for method in study.design.methods),
        best_order=False,
        gauge=False,
    )


def table_rows(found: PeopleAndMeasures) -> Iterator[dict[str, object]]:
    """One for each item: what people made of it, and every measure in a column."""
    for item in found.items:
        yield {
            "item": item.item,
            "text": item.text,
            "model": item.model,
            "method": item.method,
            "right": item.right,
            "guesses": item.guesses,
            "share": item.right / item.guesses,
            **{measure.name: item.values.get(measure.name) for measure in found.measures},
        }


def _studied(office: Office, study: str) -> tuple[StudyDocument, list[ItemDocument]]:
    """A study that has items to measure; others are refused."""
    document = office.study(study)
    if document.design.protocol != "coherence":
        raise NotSupported(
            f"measures stand beside guesses: got a {document.design.protocol} study, possible is a coherence study"
        )
    items = office.items(study).items
    if not any(item.kind == "task" for item in items):
        raise WrongStatus(f"nothing to measure yet: got status {document.status}, possible is after preparing")
    return document, items
