"""MAHE's claims (Tsang et al., 2019): interactions fit, they are free of their context, and they can be turned round.

What was measured is kept, and not measured again.
"""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from benchmarks.verdicts.claims import MODELS, Claim, Side
from espalier.lab.interactions.asking import Asking
from espalier.lab.interactions.context_free import context_free
from espalier.lab.interactions.editing import edit
from espalier.lab.interactions.fit import fit_table
from espalier.lab.interactions.synthetic import synthetic
from espalier.lab.matrix import Column
from espalier.library import shared_explainer
from espalier.models.catalog import catalog
from espalier.problems import Problem

PAIR = ("not", "good")
TEXT = "This is not a good film."
"""What is edited: written for this, and in no corpus."""

FEWEST = 5
"""Texts with the pair below which nothing is said."""

ALLOWED = 0.02
"""Accuracy that an edit may cost: the paper says 1.5 points on average."""

FUNCTIONS = "functions"
"""In the place of a model: F1 to F4."""

WORDS, ONE, LAST = "words-alone", "one-interaction", "last-level"
ERROR, SAME, TURNED, ACCURACY, PRECISION = "squared-error", "same-sign", "opposite-sign", "accuracy", "r-precision"
FOUND, AGAINST = "found", "against"
"""What was found, and what it is held against."""

TABLE_3: dict[str, dict[str, float]] = {"LSTM": {WORDS: 0.101, ONE: 0.056, LAST: 0.024}}
TABLE_8 = {"LSTM": 0.967}
"""(not, good), negative, in the paper's LSTM."""

Better = Literal["higher", "lower"]


def _fits(kind: str, says: str, first: str, second: str) -> Claim:
    published = TABLE_3.get(kind, {})
    sides = (Side(each, MODELS[kind], published.get(each)) for each in (first, second))
    return Claim("MAHE, Table 3", f"{says} ({kind})", ERROR, *sides, None, "lower")


def _found(says: str, measure: str, kind: str | None, published: float | None = None) -> Claim:
    model = FUNCTIONS if kind is None else MODELS[kind]
    paper = "MAHE, Figure 3" if kind is None else "MAHE, section 5.3"
    sides = Side(FOUND, model, published), Side(AGAINST, model, None)
    return Claim(paper, says if kind is None else f"{says} ({kind})", measure, *sides, None, "higher")


CLAIMS: tuple[Claim, ...] = (
    *(_fits(kind, "one interaction fits better than words alone", ONE, WORDS) for kind in MODELS),
    *(_fits(kind, "all levels fit better than one interaction", LAST, ONE) for kind in MODELS),
    *(
        _found("(not, good) has one sign in more texts than random pairs have", SAME, kind, TABLE_8.get(kind))
        for kind in MODELS
    ),
    *(_found("edited in one text, (not, good) has the opposite sign in most others", TURNED, kind) for kind in MODELS),
    *(_found("such an edit costs less than 2 points of accuracy", ACCURACY, kind) for kind in MODELS),
    _found("the true interaction of F1 to F4 is ranked first more often than not", PRECISION, None),
)


def columns(
    texts: Sequence[str], labelled: Sequence[tuple[str, str]], corpus: Sequence[str], kept: Path
) -> dict[tuple[str, str], Column]:
    """Measured, or read from what was measured before."""
    found: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for kind, model in MODELS.items():
        print("MAHE's interactions of", model, flush=True)
        asking = Asking(model=model, draws=1000 if kind == "BERT" else 2000)
        errors = _kept(kept / f"mahe-fit-{model}-{len(texts)}.json", _errors, texts, asking)
        rows = np.array(errors, dtype=np.float64).reshape(-1, 3)
        for column, name in enumerate((WORDS, ONE, LAST)):
            found[model, name] = {ERROR: rows[:, column]}
        # A term needs fewer draws than a search for interactions.
        asking = Asking(model=model, draws=500)
        signs = _kept(kept / f"mahe-signs-{model}-{len(corpus)}.json", _signs, corpus, asking)
        place = kept / f"mahe-edit-{model}-{len(corpus)}-{len(labelled)}.json"
        turned = _kept(place, _edited, corpus, labelled, asking, kept / "edits" / model)
        found[model, FOUND], found[model, AGAINST] = _sides(signs, turned)
    hits = np.array(_kept(kept / "mahe-synthetic.json", _hits), dtype=np.float64)
    found[FUNCTIONS, FOUND] = {PRECISION: hits}
    found[FUNCTIONS, AGAINST] = {PRECISION: np.full(len(hits), 0.5)}
    return {key: Column(0, 0, values) for key, values in found.items()}


def _sides(signs: dict[str, Any], turned: dict[str, Any]) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Of one model: what was found, and what that is held against, text by text."""
    same, opposite, before, after = (
        np.array(each, dtype=np.float64)
        for each in (
            signs.get("same", ()),
            turned.get("opposite", ()),
            turned.get("right_before", ()),
            turned.get("right_after", ()),
        )
    )
    by_chance = signs.get("random")
    first, second = {ACCURACY: after}, {ACCURACY: before - ALLOWED}
    if len(same) >= FEWEST and by_chance is not None:
        first[SAME], second[SAME] = same, np.full(len(same), by_chance)
    if len(opposite) >= FEWEST:
        first[TURNED], second[TURNED] = opposite, np.full(len(opposite), 0.5)
    return first, second


def _errors(texts: Sequence[str], asking: Asking) -> Any:
    (line,) = fit_table(texts, shared_explainer(), [asking])
    return [each for each in line.errors if each is not None]


def _signs(corpus: Sequence[str], asking: Asking) -> Any:
    try:
        found = context_free(PAIR, corpus, shared_explainer(), asking)
    except Problem as problem:
        return {"problem": problem.message}
    return {"same": [each.sign == found.sign != 0 for each in found.occurrences], "random": found.random.mean}


def _edited(corpus: Sequence[str], labelled: Sequence[tuple[str, str]], asking: Asking, folder: Path) -> Any:
    shutil.rmtree(folder, ignore_errors=True)
    try:
        made = edit(PAIR, TEXT, corpus, labelled, shared_explainer(), catalog(), asking, folder)
    except Problem as problem:
        return {"problem": problem.message}
    sign = 1 if made.here_before > 0 else -1
    return {
        "opposite": [after.sign == -sign for _, after in made.occurrences],
        "right_before": made.right_before,
        "right_after": made.right_after,
    }


def _hits() -> Any:
    return [hit for each in synthetic() for hit in each.hits]


def _kept(path: Path, measure: Callable[..., Any], *asked: Any) -> Any:
    if not path.exists():
        path.write_text(json.dumps(measure(*asked)), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))
