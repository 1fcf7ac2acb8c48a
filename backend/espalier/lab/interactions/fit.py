"""How much of a model's behaviour around a text its explanation catches, by the number of interactions (Table 3)."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from pydantic import BaseModel, Field

from espalier.engine.explainer import Explainer
from espalier.explain.mahe.method import MaheParameters
from espalier.explain.plan import FloatArray
from espalier.lab.interactions.asking import Asking, answer
from espalier.measure.interactions import LevelErrors, level_errors
from espalier.problems import Problem
from espalier.statistics.documents import MeanInterval, Share
from espalier.statistics.means import mean_intervals, sign_flips
from espalier.statistics.paired import holm
from espalier.statistics.shares import share


class FitLine(BaseModel):
    """Mean squared errors of one model's local explanations, over the texts in which an interaction was found."""

    model: str
    found: Share = Field(description="Texts in which an interaction made the fit better by enough.")
    left_out: int = Field(description="Texts that the model cannot be asked about.")
    linear: MeanInterval
    one: MeanInterval
    last: MeanInterval
    first_gain: MeanInterval = Field(description="Linear minus one interaction, text by text.")
    further_gain: MeanInterval = Field(description="One interaction minus the last level, text by text.")
    first_p: float = Field(description="That the first gain is chance: sign flips, Holm over the table.")
    further_p: float
    errors: list[tuple[float, float, float] | None] = Field(description="Of every text; none without interactions.")


def fit_table(
    texts: Sequence[str],
    explainer: Explainer,
    askings: Sequence[Asking],
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> list[FitLine]:
    """One line for each model."""
    lines: list[tuple[str, list[LevelErrors | None]]] = []
    done = 0
    for asking in askings:
        errors: list[LevelErrors | None] = []
        for text in texts:
            errors.append(errors_of(text, explainer, asking))
            advance(done := done + 1, len(texts) * len(askings))
        lines.append((asking.model, errors))
    return fit_lines(lines, askings[0].seed if askings else 0)


def fit_lines(lines: Sequence[tuple[str, Sequence[LevelErrors | None]]], seed: int) -> list[FitLine]:
    """The same from errors that are there already, of each model those of every text."""
    gains = [_gains(rows(errors)) for _, errors in lines]
    p = holm([each for gain in gains for each in sign_flips(gain, seed)])
    return [_line(model, errors, p[2 * number : 2 * number + 2], seed) for number, (model, errors) in enumerate(lines)]


def errors_of(text: str, explainer: Explainer, asking: Asking) -> LevelErrors | None:
    """Of one text; None where the model cannot be asked about it."""
    parameters = MaheParameters(samples=asking.draws, vicinity=asking.vicinity, seed=asking.seed)
    try:
        return answer(explainer, asking, text, partial(level_errors, parameters=parameters))
    except Problem:
        return None


def rows(errors: Sequence[LevelErrors | None]) -> FloatArray:
    """float[texts with an interaction, 3]: linear, one interaction, last level."""
    found = [(each.linear, each.one, each.last) for each in errors if each is not None and each.one is not None]
    return np.array(found, dtype=np.float64).reshape(-1, 3)


def _gains(found: FloatArray) -> FloatArray:
    gains: FloatArray = found[:, :2] - found[:, 1:]
    return gains


def _line(model: str, errors: Sequence[LevelErrors | None], p: Sequence[float], seed: int) -> FitLine:
    found = rows(errors)
    linear, one, last, first, further = mean_intervals(np.hstack([found, _gains(found)]), seed)
    asked = [each for each in errors if each is not None]
    return FitLine(
        model=model,
        found=share(len(found), len(asked)),
        left_out=len(errors) - len(asked),
        linear=linear,
        one=one,
        last=last,
        first_gain=first,
        further_gain=further,
        first_p=p[0],
        further_p=p[1],
        errors=[
            None if each is None or each.one is None or each.last is None else (each.linear, each.one, each.last)
            for each in errors
        ],
    )
