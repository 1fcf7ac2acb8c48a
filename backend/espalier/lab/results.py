"""The results of a run: means with intervals, curves with bands, agreement, tests, and who may be called best."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from espalier.lab.design import EvaluationDesign, LeftOut
from espalier.lab.documents import (
    AgreementLine,
    Cell,
    Curve,
    CurvePoint,
    EvaluationResults,
    MeasureColumn,
    PairComparison,
    Points,
    TableLine,
)
from espalier.lab.matrix import Column, columns_of
from espalier.lab.operators import operator_lines
from espalier.lab.paragraph import paragraph
from espalier.measure.agreement import kendall, overlap
from espalier.measure.curves import PERCENTS
from espalier.measure.registry import Measure
from espalier.statistics.bootstrap import DRAWS
from espalier.statistics.documents import MeanInterval
from espalier.statistics.means import mean_intervals, sign_flips
from espalier.statistics.paired import holm
from espalier.store.evaluations import Evaluation, StoredRow

FloatArray = NDArray[np.float64]

DRAWS_UNDER_WAY = 1_000
"""While rows still come a look need not be good to the last digit."""

RUN_AGAIN = "the method would have to be run here"
NO_PHRASE = "the file has no spans"
REASONS = {"stability": RUN_AGAIN, "phrase-deletion": NO_PHRASE, "cohesion": NO_PHRASE}
"""Why a measure is missing of explanations that were made elsewhere, by its kind."""


def results(
    evaluation: Evaluation, design: EvaluationDesign, rows: Iterable[StoredRow], left_out: Sequence[LeftOut] = ()
) -> EvaluationResults:
    return results_of(evaluation, design, columns_of(design, evaluation.texts, rows), left_out)


def results_of(
    evaluation: Evaluation, design: EvaluationDesign, columns: Sequence[Column], left_out: Sequence[LeftOut] = ()
) -> EvaluationResults:
    """The same from numbers that are there already."""
    complete = evaluation.status != "running"
    draws = DRAWS if complete else DRAWS_UNDER_WAY
    tests = _tests(design, columns)
    lines = _lines(design, columns, tests, draws)
    found = EvaluationResults(
        evaluation=evaluation.id,
        texts=evaluation.texts,
        complete=complete,
        draws=draws,
        seed=design.seed,
        measures=[described(measure) for measure in design.measured()],
        lines=lines,
        operators=operator_lines(design, columns, draws),
        agreement=_agreement(design, columns, draws),
        tests=tests,
        shared=evaluation.wanted / evaluation.evaluated if evaluation.evaluated else None,
        left_out=list(left_out),
        warnings=_warnings(design, lines, complete),
        paragraph="",
    )
    return found.model_copy(update={"paragraph": paragraph(found, design)})


def points(design: EvaluationDesign, texts: int, columns: Sequence[Column], measure: str) -> Points:
    """One measure of every sentence."""
    there = [index for index in range(texts) if any(not np.isnan(column.values[measure][index]) for column in columns)]
    return Points(
        measure=measure,
        lines=[_name(design, column) for column in columns],
        texts=there,
        values=[[_number(column.values[measure][index]) for index in there] for column in columns],
    )


def _name(design: EvaluationDesign, column: Column) -> dict[str, str]:
    method, reference = design.labels[column.condition]
    return {"model": design.models[column.model], "method": method, "reference": reference}


def described(measure: Measure) -> MeasureColumn:
    """What a table says of a measure."""
    kind = measure.kind
    return MeasureColumn(
        name=measure.name,
        title=measure.title,
        description=kind.description,
        better=kind.better,
        operator=measure.operator,
        has_curve=kind.has_curve,
    )


def _lines(
    design: EvaluationDesign, columns: Sequence[Column], tests: Sequence[PairComparison], draws: int
) -> list[TableLine]:
    """All means of the table share their draws: two lines of a column move together, as they should."""
    if not columns:
        return []
    measures = [measure.name for measure in design.measured()]
    curves = [measure.name for measure in design.measured() if measure.kind.has_curve]
    wanted = [
        np.column_stack(
            [
                *(column.values[name] for name in measures),
                column.evaluations,
                *(column.curves[name] for name in curves),
            ]
        )
        for column in columns
    ]
    intervals = iter(mean_intervals(np.concatenate(wanted, axis=1), design.seed, draws))
    winners = {
        (model, each.name): _winner(
            [test for test in tests if (test.model, test.measure) == (model, each.name)], each.kind.better
        )
        for model in design.models
        for each in design.measured()
    }
    lines: list[TableLine] = []
    for column in columns:
        name = _name(design, column)
        said = condition_name(design, name["method"], name["reference"])
        cells = [
            Cell(measure=each, interval=next(intervals), best=winners.get((name["model"], each)) == said)
            for each in measures
        ]
        evaluations = next(intervals)
        drawn = [
            Curve(measure=each, points=[p for percent in PERCENTS if (p := _point(percent, next(intervals)))])
            for each in curves
        ]
        known = column.seconds[~np.isnan(column.seconds)]
        lines.append(
            TableLine(
                model=name["model"],
                method=name["method"],
                reference=name["reference"],
                baseline=column.condition >= design.compared,
                cells=cells,
                curves=[curve for curve in drawn if curve.points],
                evaluations=evaluations,
                seconds=round(float(known.mean()), 4) if len(known) else None,
                problems=dict(column.problems.most_common(5)),
                brought=(brought := len(design.conditions) <= column.condition < design.compared),
                not_measured=_not_measured(design, cells) if brought and column.rankings else {},
            )
        )
    return lines


def _not_measured(design: EvaluationDesign, cells: Sequence[Cell]) -> dict[str, str]:
    """What a file of explanations cannot have, and why."""
    empty = {cell.measure for cell in cells if cell.interval.mean is None}
    reasons = {measure.name: REASONS.get(measure.kind.name) for measure in design.measured()}
    found = {name: reason for name, reason in reasons.items() if reason is not None and name in empty}
    return found | {"evaluations": RUN_AGAIN, "seconds": RUN_AGAIN}


def _point(percent: int, interval: MeanInterval) -> CurvePoint | None:
    if interval.mean is None:
        return None
    return CurvePoint(percent=percent, mean=interval.mean, low=interval.low, high=interval.high)


def condition_name(design: EvaluationDesign, method: str, reference: str) -> str:
    """As tables call it: the reference only where there are several."""
    return f"{method} ({reference})" if len(design.references) > 1 and reference else method


def _tests(design: EvaluationDesign, columns: Sequence[Column]) -> list[PairComparison]:
    """For each model and measure the line with the best mean against every other method; Holm over all of them.

    To be called the best, a method must beat all others, not only the next: which one is next is itself a matter of
    chance.
    """
    found: list[PairComparison] = []
    for model in range(len(design.models)):
        lines = [column for column in columns if column.model == model and column.condition < design.compared]
        for measure in design.measured():
            found += _against_others(design, lines, measure)
    corrected = holm([test.p for test in found])
    return [test.model_copy(update={"corrected": p}) for test, p in zip(found, corrected, strict=True)]


def _against_others(design: EvaluationDesign, lines: Sequence[Column], measure: Measure) -> list[PairComparison]:
    if measure.kind.is_gauge:
        return []
    sign = 1.0 if measure.kind.better == "higher" else -1.0
    measured = [line for line in lines if not np.isnan(line.values[measure.name]).all()]
    if len(measured) < 2:
        return []
    best = max(measured, key=lambda line: sign * float(np.nanmean(line.values[measure.name])))
    found = []
    for other in measured:
        if other is best:
            continue
        both = best.values[measure.name] - other.values[measure.name]
        both = both[~np.isnan(both)]
        first, second = _name(design, best), _name(design, other)
        found.append(
            PairComparison(
                model=first["model"],
                measure=measure.name,
                best=condition_name(design, first["method"], first["reference"]),
                other=condition_name(design, second["method"], second["reference"]),
                difference=float(both.mean()) if len(both) else 0.0,
                n=len(both),
                p=sign_flips(both[:, None], design.seed)[0],
                corrected=1.0,
            )
        )
    return found


def _winner(tests: Sequence[PairComparison], better: str) -> str | None:
    return tests[0].best if tests and all(test.is_won(better) for test in tests) else None


def _agreement(design: EvaluationDesign, columns: Sequence[Column], draws: int) -> list[AgreementLine]:
    found: list[AgreementLine] = []
    for first, second in combinations([each for each in columns if each.rankings], 2):
        names = _name(design, first), _name(design, second)
        references = {name["reference"] for name in names if name["reference"]}  # none of what was brought
        if first.model != second.model or len(references) > 1:
            continue
        both = sorted(first.rankings.keys() & second.rankings.keys())
        values = np.full((len(both), 2), np.nan)
        for row, text in zip(values, both, strict=True):
            tau = kendall(first.rankings[text], second.rankings[text])
            row[:] = (np.nan if tau is None else tau), overlap(first.rankings[text], second.rankings[text])
        taus, shares = mean_intervals(values, design.seed, draws)
        found.append(
            AgreementLine(
                model=names[0]["model"],
                first=names[0]["method"],
                second=names[1]["method"],
                reference=next(iter(references), ""),
                kendall=taus,
                overlap=shares,
            )
        )
    return found


def _warnings(design: EvaluationDesign, lines: Sequence[TableLine], complete: bool) -> list[str]:
    found = []
    if not complete:
        found.append("The run is not finished: these numbers will change.")
    measured = {measure.kind.name for measure in design.measured()}
    if len(design.models) > 1 and measured & {"aopc", "log-odds", "log-odds-clipped", "sufficiency"}:
        found.append(
            "Do not compare AOPC, log-odds or sufficiency of two models: how far they can go differs by model. "
            "Normalised AOPC may be compared."
        )
    if "log-odds" in measured:
        found.append(
            "Log-odds as published have no floor: a few texts in which the class all but vanishes can rule the mean. "
            "Clipped log-odds take what is below one in a million for one in a million."
        )
    if lines and max(cell.interval.n for line in lines for cell in line.cells) < 30:
        found.append("Fewer than 30 sentences: intervals are wide, and most differences stay undecided.")
    return found


def _number(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 6)
