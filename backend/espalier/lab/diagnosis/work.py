"""What the runner has to know of a diagnosis: of each text on each model there is one row."""

from espalier.lab.diagnosis.design import DiagnosisDesign, plan
from espalier.lab.diagnosis.interactions import Sought, looks_by_text, terms_in
from espalier.lab.run_design import kept_dataset
from espalier.lab.work import NewRun
from espalier.measure.diagnosis import Diagnosed, DiagnosedUnit, DiagnoseRequest
from espalier.measure.units import FoundUnit, UnitRequest
from espalier.models.describe import Shelf
from espalier.store.evaluations import Evaluation


def new_diagnosis(design: DiagnosisDesign, shelf: Shelf) -> NewRun:
    """What is wrong for all texts, or too much, is refused."""
    planned = plan(design, shelf)
    texts = design.texts()
    kept = design.model_copy(update={"dataset": kept_dataset(design.dataset, len(texts))})
    return NewRun(
        kind="diagnosis",
        kept={
            "design": kept.model_dump(mode="json"),
            "interactions": [each.model_dump(mode="json") for each in design.sought(texts)],
        },
        texts=[(row.text, row.label) for row in texts],
        units=planned.units,
    )


def sought_by(evaluation: Evaluation) -> list[Sought]:
    """The interactions of a diagnosis that was written down."""
    return [Sought.model_validate(each) for each in evaluation.design["interactions"]]


class DiagnosisWork:
    """Nothing is brought to a diagnosis."""

    has_brought = False

    def __init__(self, evaluation: Evaluation) -> None:
        self._design = DiagnosisDesign.model_validate(evaluation.design["design"])
        self._looks = looks_by_text(sought_by(evaluation))

    @property
    def models(self) -> tuple[str, ...]:
        return self._design.models

    def request(self, text: int, content: str, model: str, held: str | None) -> UnitRequest:
        design = self._design
        return DiagnoseRequest(
            text=content,
            model=model,
            ls_tree=design.scores,
            linear=design.compares_with,
            scale=design.scale,
            fit="fit" in design.diagnostics,
            terms=terms_in(content, self._looks.get(text, ())),
            draws=design.draws,
            seed=design.seed,
        )

    def lines(self, model: str) -> list[int]:
        return [0]

    def failed(self, model: str, problem: str) -> FoundUnit:
        return DiagnosedUnit(revision="", rows=(Diagnosed(problem=problem),), seconds=(0.0,), wanted=0, evaluated=0)
