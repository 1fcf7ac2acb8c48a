"""The results in words, for a paper: what was measured, on what, how it was tested, and what came out."""

from espalier.lab.design import EvaluationDesign
from espalier.lab.documents import EvaluationResults, MeasureColumn
from espalier.lab.operators import in_words
from espalier.lab.wording import intervals_by, listed, p_value, source_of, span
from espalier.measure.request import RANDOM


def paragraph(results: EvaluationResults, design: EvaluationDesign) -> str:
    if not results.lines:
        return "Nothing has been measured yet."
    explained = f"the predictions of {listed(design.models)} on {results.texts:,} texts ({source_of(design.dataset)})"
    methods = listed([choice.method for choice in design.methods])
    said = [
        f"We explained {explained} with {methods}; absent words: {listed(design.references)}."
        if design.methods
        else f"We measured explanations of {explained}.",
        *_elsewhere(design),
        f"We report means over texts with 95% intervals ({intervals_by(results.texts, results.draws)}) and compare "
        f"methods by paired sign-flip permutation tests with Holm's correction over the {len(results.tests)} tests of "
        f"the table (seed {results.seed}).",
    ]
    columns = {column.name: column for column in results.measures}
    for model in design.models:
        parts = [part for name in columns if (part := _sentence(results, model, columns[name]))]
        parts += in_words(results.operators, model)
        if parts:
            said.append(f"On {model}, {'; '.join(parts)}.")
    return " ".join(said)


def _elsewhere(design: EvaluationDesign) -> list[str]:
    if design.explanations is None:
        return []
    return [f"Explanations by {listed(design.explainers)} were made elsewhere ({design.explanations.name})."]


def _sentence(results: EvaluationResults, model: str, column: MeasureColumn) -> str | None:
    """Who is best by this measure, or that nobody is."""
    tests = [test for test in results.tests if test.model == model and test.measure == column.name]
    if not tests:
        return None
    leader = tests[0].best
    cells = {
        line.method if not line.reference else _line_name(results, line.method, line.reference): cell.interval
        for line in results.lines
        if line.model == model
        for cell in line.cells
        if cell.measure == column.name
    }
    interval = cells.get(leader)
    if interval is None or interval.mean is None:
        return None
    chance = cells.get(RANDOM)
    beside = f" against {chance.mean:.3f} for random orders" if chance is not None and chance.mean is not None else ""
    worse = [test.other for test in tests if test.is_significant and not test.is_won(column.better)]
    beaten = [test for test in tests if test.is_won(column.better)]
    if worse:
        said = f"but over fewer texts: on those that both have it is worse than {listed(worse)}"
    elif len(beaten) == len(tests):
        least = max(test.corrected for test in tests)
        said = f"better than all other methods (corrected p {p_value(least)})"
    elif beaten:
        left = listed([test.other for test in tests if not test.is_won(column.better)])
        said = f"not told apart from {left}"
    else:
        said = "not told apart from any other method"
    mean = f"{interval.mean:.3f}{span(interval)}, n = {interval.n}"
    return f"{leader} has the best mean {column.title}, {mean}{beside}, {said}"


def _line_name(results: EvaluationResults, method: str, reference: str) -> str:
    several = len({line.reference for line in results.lines if line.reference}) > 1
    return f"{method} ({reference})" if several else method
