"""The results of a diagnosis: means over texts with intervals, and tests, from its rows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from espalier.diagnostics.adversatives import adversatives
from espalier.diagnostics.diagnosis import depths, linearity
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.documents import DiagnosisResults, ModelFindings
from espalier.lab.diagnosis.interactions import signs
from espalier.lab.diagnosis.paragraph import paragraph
from espalier.lab.diagnosis.sentences import heaviest, quantities
from espalier.lab.diagnosis.work import sought_by
from espalier.lab.interactions.fit import FitLine, fit_lines
from espalier.lab.run_design import FEW_TEXTS
from espalier.measure.diagnosis import Diagnosed
from espalier.store.evaluations import Evaluation, StoredRow

MOST_REASONS = 5

Found = Mapping[int, Diagnosed]
"""The rows of a model, by the number of their text."""


def results(
    evaluation: Evaluation,
    design: DiagnosisDesign,
    texts: Sequence[tuple[str, str | None]],
    rows: Iterable[StoredRow],
) -> DiagnosisResults:
    found: dict[str, dict[int, Diagnosed]] = {name: {} for name in design.models}
    for row in rows:
        found[design.models[row.model]][row.text] = Diagnosed.model_validate_json(row.content)
    fits = _fits(design, found)
    looked = sought_by(evaluation)
    models = [
        _scored(name, design, of_model, texts).model_copy(
            update={
                "fit": fits.get(name),
                "context_free": signs(looked, name, of_model, texts, design.seed) if of_model else [],
            }
        )
        for name, of_model in found.items()
    ]
    complete = evaluation.status != "running"
    found_out = DiagnosisResults(
        diagnosis=evaluation.id,
        texts=evaluation.texts,
        complete=complete,
        seed=design.seed,
        models=models,
        warnings=_warnings(models, complete),
        quantities=quantities(design, models),
        paragraph="",
    )
    return found_out.model_copy(update={"paragraph": paragraph(found_out, design)})


def _scored(name: str, design: DiagnosisDesign, rows: Found, texts: Sequence[tuple[str, str | None]]) -> ModelFindings:
    """What LS-Tree's scores say."""
    scored = [row.ls_tree for row in rows.values() if row.ls_tree is not None]
    reasons = [row.problem or row.unfitted for row in rows.values()]
    problems = Counter(reason for reason in reasons if reason is not None)
    asked = set(design.diagnostics) if scored else set()
    contrast = adversatives(scored, design.seed) if "contrast" in asked else None
    return ModelFindings(
        model=name,
        texts=sum(row.problem is None for row in rows.values()),
        problems=dict(problems.most_common(MOST_REASONS)),
        linearity=linearity(scored, design.seed) if "linearity" in asked else None,
        depths=depths(scored, design.seed) if "depth" in asked else [],
        contrast=contrast,
        heaviest=heaviest(contrast, rows, texts),
        fit=None,
        context_free=[],
    )


def _fits(design: DiagnosisDesign, found: Mapping[str, Found]) -> dict[str, FitLine]:
    """Models together: tests are corrected over all of them. Errors of single texts are in the rows."""
    if "fit" not in design.diagnostics:
        return {}
    lines = [(name, [row.fit for row in rows.values()]) for name, rows in found.items() if rows]
    return {line.model: line.model_copy(update={"errors": []}) for line in fit_lines(lines, design.seed)}


def _warnings(found: Sequence[ModelFindings], complete: bool) -> list[str]:
    said = []
    if not complete:
        said.append("The run is not finished: these numbers will change.")
    if any(0 < each.texts < FEW_TEXTS for each in found):
        said.append(f"Fewer than {FEW_TEXTS} texts: intervals are wide, and most differences stay undecided.")
    if any(each.depths for each in found):
        said.append("The p values of the depths are not corrected for there being ten of each model.")
    if any(each.context_free for each in found):
        said.append("A majority is never below one half, and with few texts far above it: compare with random pairs.")
    return said
