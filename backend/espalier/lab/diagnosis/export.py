"""Rows and numbers of a diagnosis to take home."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from espalier.diagnostics.depth import MOST
from espalier.diagnostics.rows import TextRow
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.documents import DiagnosisResults, ModelFindings
from espalier.measure.diagnosis import Diagnosed
from espalier.statistics.documents import MeanInterval, RatioInterval, Share
from espalier.store.evaluations import StoredRow


def raw_rows(
    design: DiagnosisDesign, texts: Sequence[tuple[str, str | None]], rows: Iterable[StoredRow], training: int = 0
) -> Iterator[dict[str, Any]]:
    """One for each text on each model: nothing is left out. Every row has the same fields. The last texts are for
    training, so many."""
    for row in rows:
        found = Diagnosed.model_validate_json(row.content)
        text, label = texts[row.text]
        yield {
            "text": row.text,
            "sentence": text,
            "label": label,
            "training": row.text >= len(texts) - training,
            "model": design.models[row.model],
            "target": found.target or None,
            "probability": found.probability if found.target else None,
            **_scored(found.ls_tree),
            "score_variance": found.spread and found.spread.variance,
            "loss": found.spread and found.spread.loss,
            "right": found.spread and found.spread.right,
            "error_linear": found.fit and found.fit.linear,
            "error_one_interaction": found.fit and found.fit.one,
            "error_last_level": found.fit and found.fit.last,
            "terms": " ".join(f"{'…'.join(term.words)}={term.contribution:.6g}" for term in found.terms),
            "unfitted": found.unfitted,
            "problem": found.problem,
            "seconds": row.seconds,
        }


def _scored(row: TextRow | None) -> dict[str, Any]:
    depths = () if row is None else row.depths
    return {
        "words": row and row.words,
        "word_correlation": row and row.word_correlation,
        "phrase_correlation": row and row.phrase_correlation,
        **{f"depth_top_{top}": depths[top - 1] if top <= len(depths) else None for top in range(1, MOST + 1)},
        "depth_by_chance": row and row.chance,
        "mean_score": row and row.nodes.scores / row.nodes.number,
        "contrast": None if row is None else " ".join(each.name.replace(" ", "-") for each in row.contrast),
    }


def table_rows(results: DiagnosisResults) -> Iterator[dict[str, Any]]:
    """Every number of the page on a line of its own. `part` says what of the diagnostic it is of."""
    for model in results.models:
        for diagnostic, part, interval, p in _numbers(model):
            value, n = _value(interval)
            yield {
                "model": model.model,
                "diagnostic": diagnostic,
                "part": part,
                "value": value,
                "low": interval.low,
                "high": interval.high,
                "n": n,
                "p": p,
            }


Interval = MeanInterval | RatioInterval | Share


def _value(interval: Interval) -> tuple[float | None, int]:
    match interval:
        case MeanInterval():
            return interval.mean, interval.n
        case RatioInterval():
            return interval.ratio, interval.sentences
        case Share():
            return interval.share, interval.of


def _numbers(model: ModelFindings) -> Iterator[tuple[str, str, Interval, float | None]]:
    if model.linearity is not None:
        yield "linearity", "words", model.linearity.words, None
        yield "linearity", "phrases", model.linearity.phrases, None
    for depth in model.depths:
        yield "depth", f"top {depth.top}", depth.depth, None
        yield "depth", f"top {depth.top}, by chance", depth.chance, None
        yield "depth", f"top {depth.top}, difference", depth.difference, depth.p
    for word in model.contrast.words if model.contrast is not None else ():
        yield "contrast", f"{word.word}, alone", word.alone, None
        yield "contrast", f"{word.word}, parent", word.parent, None
        yield "contrast", f"{word.word}, parent among phrases", word.parent_among_phrases, None
    if (test := model.overfitting) is not None:
        yield "overfitting", "variance on training texts", test.train.variance, None
        yield "overfitting", "variance on other texts", test.test.variance, test.p
    if (fit := model.fit) is not None:
        yield "fit", "texts with an interaction", fit.found, None
        yield "fit", "words alone", fit.linear, None
        yield "fit", "one interaction", fit.one, None
        yield "fit", "last level", fit.last, None
        yield "fit", "gain of the first", fit.first_gain, fit.first_p
        yield "fit", "gain of all further ones", fit.further_gain, fit.further_p
    for found in model.context_free:
        name = " … ".join(found.words)
        yield "context-free", f"{name}, same sign", found.same, None
        yield "context-free", f"{name}, same sign where it is clear", found.clear, None
        yield "context-free", f"{name}, term", found.mean, None
        yield "context-free", f"{name}, same sign of random pairs", found.random, None
