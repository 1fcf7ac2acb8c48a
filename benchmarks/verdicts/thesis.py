"""What "Explanation of neural language models using SHAP" reads out of its tables, decided over many passages."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from benchmarks.thesis.claims import share_of_last, zeros
from benchmarks.thesis.measured import Explained, Run
from benchmarks.thesis.passages import CONTEXT, passages
from benchmarks.verdicts.claims import Claim, Side, Test
from benchmarks.verdicts.evidence import Evidence
from espalier.commands.first_use import wait_until_ready
from espalier.lab.matrix import Column
from espalier.models.catalog import catalog

RUNS = (Run("word-lstm-lm", 192, 0.2), Run("smollm2", 192, 7.0))
KINDS = {"LSTM": "word-lstm-lm", "GPT-2": "smollm2"}
"""SmolLM2 is a small transformer that goes on with texts, as GPT-2 is."""

VALUES, CHANCE = "shap", "chance"
LAST_TWO, ZEROS, AGAINST = "share of the last two words", "values of exactly zero", "last word against the real one"

_TESTS: dict[str, Test] = {LAST_TWO: "constant", ZEROS: "constant", AGAINST: "half"}

_MEASURES: dict[str, tuple[Callable[[Explained], float], float]] = {
    LAST_TWO: (lambda each: share_of_last(each.predicted, 2), 2 / CONTEXT),
    ZEROS: (lambda each: zeros(each.left_out), 0.5),
    AGAINST: (lambda each: float(each.real[-1] < 0) if each.real and not each.right else float("nan"), 0.5),
}
"""A number for each passage, and what it is held against: all words alike, one half, one half."""


def _claim(says: str, measure: str, kind: str, better: Literal["higher", "lower"] = "higher") -> Claim:
    sides = (Side(name, KINDS[kind], None) for name in (VALUES, CHANCE))
    return Claim("SHAP thesis", f"{says} ({kind})", measure, *sides, None, better, _TESTS[measure])


CLAIMS: tuple[Claim, ...] = (
    *(_claim("the last two words matter more than any two of 35", LAST_TWO, kind) for kind in KINDS),
    _claim("most values are exactly zero", ZEROS, "LSTM"),
    _claim("most values are not exactly zero", ZEROS, "GPT-2", "lower"),
    *(_claim("where the model is wrong, the last word speaks against the real one", AGAINST, kind) for kind in KINDS),
)


def measured(count: int) -> dict[Run, list[Explained]]:
    """What is known already is not measured again: see `benchmarks.thesis`."""
    texts = passages(count)
    for run in RUNS:
        wait_until_ready(catalog().source(run.model))
    return {run: run.measure(texts, lambda: None) for run in RUNS}


def of_passages(found: Mapping[Run, Sequence[Explained]]) -> Evidence:
    """A number for each passage, and the same constant for each to hold it against."""
    made: dict[tuple[str, str], Column] = {}
    for run, texts in found.items():
        values = {name: np.array([measure(each) for each in texts]) for name, (measure, _) in _MEASURES.items()}
        chance = {name: np.full(len(texts), against) for name, (_, against) in _MEASURES.items()}
        made[(run.model, VALUES)], made[(run.model, CHANCE)] = Column(0, 0, values), Column(0, 0, chance)
    return Evidence(made)
