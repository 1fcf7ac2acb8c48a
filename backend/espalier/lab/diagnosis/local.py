"""A diagnosis without a server: the same design, the same rows, in this process."""

from dataclasses import dataclass
from pathlib import Path

from espalier.engine.explainer import Explainer
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.documents import DiagnosisResults
from espalier.lab.diagnosis.results import results
from espalier.lab.diagnosis.work import DiagnosisWork, new_diagnosis
from espalier.lab.working import Advance, worked_through
from espalier.models.describe import Shelf
from espalier.store.base import now
from espalier.store.evaluations import Evaluation, StoredRow


@dataclass(slots=True)
class LocalDiagnosis:
    design: DiagnosisDesign
    evaluation: Evaluation
    texts: list[tuple[str, str | None]]
    stored: list[StoredRow]

    @property
    def results(self) -> DiagnosisResults:
        return results(self.evaluation, self.design, self.texts, self.stored)


def diagnose_here(
    design: DiagnosisDesign,
    explainer: Explainer,
    shelf: Shelf,
    out: Path | None = None,
    advance: Advance = lambda done, total: None,
) -> LocalDiagnosis:
    """To its end."""
    new = new_diagnosis(design, shelf)
    # Resumed only with the same texts, so the whole design is kept.
    kept = new.kept | {"design": design.model_dump(mode="json")}
    evaluation = Evaluation("local", "", kept, len(new.texts), new.units, now(), kind=new.kind)
    texts, held = list(new.texts), [None] * len(new.texts)
    work = DiagnosisWork(evaluation)
    ended, stored = worked_through(evaluation, design, work, texts, held, explainer, out, advance)
    return LocalDiagnosis(design, ended, texts, stored)
