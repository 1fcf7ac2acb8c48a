"""What the runner has to know of a diagnosis: of each text on each model there is one row."""

from collections.abc import Iterator
from itertools import product

from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.interactions import Sought, looks_by_text, terms_in
from espalier.lab.diagnosis.plan import plan
from espalier.lab.run_design import MOST_MODELS, kept_dataset
from espalier.lab.work import Labelled, NewRun
from espalier.measure.diagnosis import Diagnosed, DiagnosedUnit, DiagnoseRequest
from espalier.measure.units import FoundUnit, UnitRequest
from espalier.models.describe import Shelf
from espalier.store.evaluations import Evaluation


def new_diagnosis(design: DiagnosisDesign, shelf: Shelf) -> NewRun:
    """What is wrong for all texts, or too much, is refused. Training texts stand behind the others."""
    planned = plan(design, shelf)
    texts, training = design.texts(), design.training_texts()
    kept = design.model_copy(
        update={
            "dataset": kept_dataset(design.dataset, len(texts)),
            "training": None if design.training is None else kept_dataset(design.training, len(training)),
        }
    )
    return NewRun(
        kind="diagnosis",
        kept={
            "design": kept.model_dump(mode="json"),
            "interactions": [each.model_dump(mode="json") for each in design.sought(texts)],
            "training_texts": len(training),
        },
        texts=[(row.text, row.label) for row in (*texts, *training)],
        units=planned.units,
    )


def training_texts(evaluation: Evaluation) -> int:
    """How many of a diagnosis' texts, its last ones, are training texts."""
    return int(evaluation.design.get("training_texts", 0))


def sought_by(evaluation: Evaluation) -> list[Sought]:
    """The interactions of a diagnosis that was written down."""
    return [Sought.model_validate(each) for each in evaluation.design["interactions"]]


class DiagnosisWork:
    """Nothing is brought to a diagnosis."""

    has_brought = False

    def __init__(self, evaluation: Evaluation) -> None:
        self._design = DiagnosisDesign.model_validate(evaluation.design["design"])
        self._looks = looks_by_text(sought_by(evaluation))
        self._others = evaluation.texts - training_texts(evaluation)

    @property
    def models(self) -> tuple[str, ...]:
        return self._design.models

    def places(self, texts: int) -> Iterator[tuple[int, int]]:
        """Of more models than a worker keeps in memory each would be loaded anew for every text: then one model comes
        after the other."""
        models = range(len(self.models))
        if len(models) <= MOST_MODELS:
            return product(range(texts), models)
        return ((text, model) for model, text in product(models, range(texts)))

    def request(self, text: int, given: Labelled, model: str, held: str | None) -> UnitRequest:
        design = self._design
        label = given[1] if design.spreads else None
        if text >= self._others:
            return DiagnoseRequest(
                text=given[0], model=model, ls_tree=False, scale=design.scale, spread=True, label=label
            )
        return DiagnoseRequest(
            text=given[0],
            model=model,
            ls_tree=design.scores,
            linear=design.compares_with,
            scale=design.scale,
            fit="fit" in design.diagnostics,
            terms=terms_in(given[0], self._looks.get(text, ())),
            draws=design.draws,
            seed=design.seed,
            spread=design.spreads,
            label=label,
        )

    def lines(self, model: str) -> list[int]:
        return [0]

    def failed(self, model: str, problem: str) -> FoundUnit:
        return DiagnosedUnit(revision="", rows=(Diagnosed(problem=problem),), seconds=(0.0,), wanted=0, evaluated=0)
