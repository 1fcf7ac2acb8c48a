"""A run without a server: the same design, the same rows, in this process, kept in a file where one is named."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from espalier.engine.explainer import Explainer
from espalier.lab.design import EvaluationDesign, check, settled
from espalier.lab.documents import EvaluationResults
from espalier.lab.export import raw_rows
from espalier.lab.foreign.brought import brought, packed
from espalier.lab.results import results
from espalier.lab.work import EvaluationWork
from espalier.lab.working import Advance, worked_through
from espalier.models.describe import Shelf
from espalier.store.base import now
from espalier.store.evaluations import Evaluation, StoredRow


@dataclass(slots=True)
class LocalRun:
    """What was measured: `results` has tables, tests and a paragraph; `rows` every text under every condition."""

    design: EvaluationDesign
    evaluation: Evaluation
    texts: list[tuple[str, str | None]]
    stored: list[StoredRow] = field(default_factory=list)

    @property
    def rows(self) -> list[dict[str, Any]]:
        ordered = sorted(self.stored, key=lambda row: (row.text, row.model, row.condition))
        return list(raw_rows(self.design, self.texts, ordered))

    @property
    def results(self) -> EvaluationResults:
        return results(self.evaluation, self.design, self.stored)


def run_here(
    design: EvaluationDesign,
    explainer: Explainer,
    shelf: Shelf,
    out: Path | None = None,
    advance: Advance = lambda done, total: None,
) -> LocalRun:
    """To its end. Limits on the work of a run are a server's, and do not hold here."""
    design = settled(design, shelf)
    suited, left_out = check(design, shelf)
    texts = [(row.text, row.label) for row in design.texts()]
    given = brought(design.explanations, [text for text, _ in texts], design.models).of_texts
    kept = {
        "design": design.model_dump(mode="json"),
        "suited": suited,
        "left_out": [each.model_dump() for each in left_out],
    }
    evaluation = Evaluation("local", "", kept, len(texts), len(texts) * len(design.models), now())
    held = [packed(each) for each in given]
    work = EvaluationWork(evaluation)
    ended, stored = worked_through(evaluation, design, work, texts, held, explainer, out, advance)
    return LocalRun(design, ended, texts, stored)
