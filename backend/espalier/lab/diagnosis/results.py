"""The results of a diagnosis: means over texts with intervals, and tests, from its rows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from espalier.diagnostics.adversatives import adversatives
from espalier.diagnostics.diagnosis import depths, linearity
from espalier.diagnostics.documents import OverfittingTest
from espalier.diagnostics.overfitting import overfitting
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.documents import DiagnosisResults, ModelFindings
from espalier.lab.diagnosis.interactions import signs
from espalier.lab.diagnosis.paragraph import paragraph
from espalier.lab.diagnosis.sentences import heaviest, quantities
from espalier.lab.diagnosis.work import sought_by, training_texts
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
    training = training_texts(evaluation)
    sides = {name: _sides(of_model, evaluation.texts - training) for name, of_model in found.items()}
    fits = _fits(design, {name: others for name, (others, _) in sides.items()})
    looked = sought_by(evaluation)
    models = [
        _scored(name, design, others, texts).model_copy(
            update={
                "problems": _problems(found[name]),
                "overfitting": _overfitting(known, others, design.seed),
                "fit": fits.get(name),
                "context_free": signs(looked, name, others, texts, design.seed) if others else [],
            }
        )
        for name, (others, known) in sides.items()
    ]
    complete = evaluation.status != "running"
    found_out = DiagnosisResults(
        diagnosis=evaluation.id,
        texts=evaluation.texts - training,
        training_texts=training,
        complete=complete,
        seed=design.seed,
        models=models,
        warnings=_warnings(models, complete),
        quantities=quantities(design, models),
        paragraph="",
    )
    return found_out.model_copy(update={"paragraph": paragraph(found_out, design)})


def _sides(rows: Found, others: int) -> tuple[Found, Found]:
    """Texts, and behind them training texts, which only the test of overfitting knows."""
    return (
        {index: row for index, row in rows.items() if index < others},
        {index: row for index, row in rows.items() if index >= others},
    )


def _overfitting(known: Found, others: Found, seed: int) -> OverfittingTest | None:
    train, test = ([row.spread for row in side.values() if row.spread is not None] for side in (known, others))
    return overfitting(train, test, seed) if train and test else None


def _problems(rows: Found) -> dict[str, int]:
    reasons = [row.problem or row.unfitted for row in rows.values()]
    return dict(Counter(reason for reason in reasons if reason is not None).most_common(MOST_REASONS))


def _scored(name: str, design: DiagnosisDesign, rows: Found, texts: Sequence[tuple[str, str | None]]) -> ModelFindings:
    """What LS-Tree's scores say."""
    scored = [row.ls_tree for row in rows.values() if row.ls_tree is not None]
    asked = set(design.diagnostics) if scored else set()
    contrast = adversatives(scored, design.seed) if "contrast" in asked else None
    return ModelFindings(
        model=name,
        texts=sum(row.problem is None for row in rows.values()),
        problems={},
        linearity=linearity(scored, design.seed) if "linearity" in asked else None,
        depths=depths(scored, design.seed) if "depth" in asked else [],
        contrast=contrast,
        heaviest=heaviest(contrast, rows, texts),
        overfitting=None,
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
    if sum(each.overfitting is not None for each in found) > 1:
        said.append("The p values of overfitting are not corrected for the number of models.")
    if any(each.context_free for each in found):
        said.append("A majority is never below one half, and with few texts far above it: compare with random pairs.")
    return said
