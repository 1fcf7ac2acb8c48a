"""What stands beside the operators: how far the texts that they make are from what people write."""

from collections.abc import Sequence

import numpy as np

from espalier.games.references import reference
from espalier.lab.design import EvaluationDesign
from espalier.lab.documents import OperatorCell, OperatorLine
from espalier.lab.matrix import Column
from espalier.lab.wording import listed, span
from espalier.measure.gauge import GAUGED_PERCENT, NO_TEXT, leaves_text
from espalier.measure.registry import GAUGE
from espalier.measure.request import BEST, RANDOM
from espalier.statistics.means import mean_intervals


def operator_lines(design: EvaluationDesign, columns: Sequence[Column], draws: int) -> list[OperatorLine]:
    """For each model and operator the gauge of every line of the table. None at all where no row has one: the run is of
    a time before there was a gauge."""
    shown = [column for column in columns if design.labels[column.condition][0] != BEST]
    names = {operator: f"surprise-{operator}" for operator in design.operators if leaves_text(operator)}
    values = [column.values[name] for column in shown for name in names.values()]
    if not values or np.isnan(values).all():
        return []
    intervals = iter(mean_intervals(np.column_stack(values), design.seed, draws))
    cells: dict[tuple[int, str], list[OperatorCell]] = {}
    for column in shown:
        method, stand_in = design.labels[column.condition]
        for operator in names:
            cell = OperatorCell(method=method, reference=stand_in, interval=next(intervals))
            cells.setdefault((column.model, operator), []).append(cell)
    return [
        OperatorLine(
            model=name,
            operator=operator,
            description=reference(operator).description,
            cells=cells.get((model, operator), []),
            reason=None if operator in names else NO_TEXT,
        )
        for model, name in enumerate(design.models)
        for operator in design.operators
    ]


def in_words(lines: Sequence[OperatorLine], model: str) -> list[str]:
    """Of one model, for a paper: a part of a sentence for each operator."""
    own = [line for line in lines if line.model == model]
    found = [said for line in own if (said := _in_words(line)) is not None]
    if without := [line.operator for line in own if line.reason is not None]:
        found.append(f"{listed(without)} {'leaves' if len(without) == 1 else 'leave'} no text to gauge")
    return found


def _in_words(line: OperatorLine) -> str | None:
    chance = next((cell.interval for cell in line.cells if cell.method == RANDOM), None)
    if chance is None or chance.mean is None:
        return None
    means = [cell.interval.mean for cell in line.cells if cell.method != RANDOM and cell.interval.mean is not None]
    beside = ""
    if means:
        low, high = f"{min(means):.2f}", f"{max(means):.2f}"
        beside = f" ({low if low == high else f'{low} to {high}'} where a method chose them)"
    return (
        f"texts without {GAUGED_PERCENT} % of their words ({line.operator}) took {GAUGE} {chance.mean:.2f}"
        f"{span(chance, 2)} bits a word more than whole ones where the words were drawn at random{beside}"
    )
