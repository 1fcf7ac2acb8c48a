"""LS-Tree's Figure 5 over the epochs of a training: does the spread of scores on new texts tell overfitting?

A folder of checkpoints, as `python -m training.words sst2-cnn --checkpoints FOLDER --epochs 10` keeps them: one for
each epoch, called after the model and the epoch.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.verdicts.claims import MODELS, Claim, Side
from benchmarks.verdicts.evidence import Evidence
from espalier.datasets.forms import Row
from espalier.diagnostics.documents import OverfittingTest
from espalier.diagnostics.overfitting import overfitting, score_variance, spread_of
from espalier.diagnostics.rows import Spread
from espalier.diagnostics.scored import Scores
from espalier.lab.diagnose import Diagnosing
from espalier.lab.matrix import Column
from espalier.library import shared_explainer
from espalier.models.catalog import catalog

LAST, GROWN = "score-variance, last epoch", "score-variance, last minus first epoch"
NEW, KNOWN = "new texts", "training texts"


def _claim(kind: str, says: str, measure: str) -> Claim:
    sides = (Side(name, MODELS[kind], None) for name in (NEW, KNOWN))
    return Claim("LS-Tree, Figure 5", f"{says} ({kind})", measure, *sides, None, "higher", "unpaired")


CLAIMS: tuple[Claim, ...] = (
    *(_claim(kind, "after the last epoch scores vary more on new texts than on known ones", LAST) for kind in MODELS),
    *(_claim(kind, "from the first epoch to the last they grow apart", GROWN) for kind in MODELS),
)


def checkpoints(folder: Path, model: str) -> list[Path]:
    """Of one model, in the order of the epochs."""
    found = {path.name.removeprefix(f"{model}-"): path for path in folder.glob(f"{model}-*") if path.is_dir()}
    return [found[epoch] for epoch in sorted((each for each in found if each.isdigit()), key=int)]


def measured(folder: Path, texts: Sequence[Row], training: Sequence[Row], seed: int = 0) -> Evidence:
    """Every checkpoint is diagnosed; models with fewer than two of them are not measured."""
    evidence = Evidence()
    for kind, model in MODELS.items():
        paths = checkpoints(folder, model)
        if len(paths) < 2:
            continue
        names = [catalog().choose(str(path)) for path in paths]
        scored = Diagnosing(shared_explainer(), names, texts, training)
        for line, of in ((NEW, scored.texts), (KNOWN, scored.training)):
            first, last = (_variances(of[name]) for name in (names[0], names[-1]))
            evidence.columns[model, line] = Column(0, 0, {LAST: last, GROWN: last - first})
        tests = [overfitting(_there(scored.training[name]), _there(scored.texts[name]), seed) for name in names]
        evidence.notes.append(said(kind, tests))
    return evidence


def said(kind: str, tests: Sequence[OverfittingTest]) -> str:
    """Whether the test raises an alarm when the loss on new texts begins to grow, and not before."""
    alarms = [epoch for epoch, each in enumerate(tests, start=1) if each.p < 0.05]
    told = f"first at epoch {alarms[0]} of {len(tests)}" if alarms else f"at none of {len(tests)} epochs"
    losses = [each.test.loss for each in tests]
    if any(loss is None for loss in losses):
        return f"Figure 5 ({kind}): p is below 5 % {told}; without labels nobody knows when overfitting began."
    best = int(np.argmin([loss for loss in losses if loss is not None])) + 1
    return f"Figure 5 ({kind}): p is below 5 % {told}; the loss on new texts is lowest at epoch {best}."


def _there(scores: Scores) -> list[Spread]:
    return [spread_of(text) for text in scores if text is not None]


def _variances(scores: Scores) -> np.ndarray:
    return np.array([np.nan if text is None else score_variance(text) for text in scores])
