"""What shap, captum, lime and ferret give, as lines that the Lab reads.

None of them is imported: an object needs the attributes that their documentation names, and no more. Every function
gives lines for `to_lines`, or for `espalier.evaluate(…, explanations=…)`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from espalier.problems import BadParameter

Line = dict[str, Any]
FloatArray = NDArray[np.float64]


def from_shap(
    explanation: Any,
    texts: Sequence[str] | str | None = None,
    *,
    target: str | int | None = None,
    model: str | None = None,
    method: str = "shap",
) -> list[Line]:
    """A shap `Explanation` of one text or of several, made with a text masker: `values`, `data` and, where all classes
    are explained, `base_values` and `output_names`.

    Give the texts, too: the masker loses the end of some of them. The class is `target`, by name or place; the one that
    values and base add up highest for when left out.
    """
    alone = len(explanation.data) == 0 or isinstance(explanation.data[0], str)
    data = [explanation.data] if alone else list(explanation.data)
    values = [explanation.values] if alone else list(explanation.values)
    base = getattr(explanation, "base_values", None)
    bases = [base] * len(data) if alone or base is None or np.ndim(base) == 0 else list(base)
    sources = [None] * len(data) if texts is None else [texts] if isinstance(texts, str) else list(texts)
    if len(sources) != len(data):
        raise BadParameter(f"texts do not fit: got {len(sources)} for {len(data)} explained ones, possible are as many")
    lines = []
    for tokens, found, start, source in zip(data, values, bases, sources, strict=True):
        words = [str(token) for token in tokens]
        scores, named = _of_class(_floats(found), start, getattr(explanation, "output_names", None), target)
        text = "".join(words) if source is None else source
        lines.append(_line(text, {"words": words}, scores, method, model, named))
    return lines


def from_captum(
    text: str,
    result: Any,
    tokens: Sequence[str] | None = None,
    *,
    offsets: Sequence[tuple[int, int]] | None = None,
    target: str | None = None,
    model: str | None = None,
    method: str = "captum",
) -> list[Line]:
    """Attributions of captum: a tensor with the `tokens` (or their `offsets`) that it is of, a
    `VisualizationDataRecord` (`word_attributions`, `raw_input_ids`, `attr_class`) or an `LLMAttributionResult`
    (`seq_attr`, `input_tokens`). Attributions of embeddings are added up, as captum's own examples do."""
    scores = next(
        (found for name in ("word_attributions", "seq_attr") if (found := getattr(result, name, None)) is not None),
        result,
    )
    named = next((found for name in ("raw_input_ids", "input_tokens") if (found := getattr(result, name, None))), None)
    found = _floats(scores)
    if found.ndim > 1 and len(found) == 1:  # a batch of one
        found = found[0]
    while found.ndim > 1:
        found = found.sum(axis=-1)
    explained = getattr(result, "attr_class", None)
    where: Line = {"offsets": [list(each) for each in offsets]} if offsets is not None else {"words": tokens or named}
    if offsets is None and not where["words"]:
        raise BadParameter("attributions of nothing: got no tokens and no offsets, possible is one of them")
    return [_line(text, where, found, method, model, target or (explained if isinstance(explained, str) else None))]


def from_lime(
    explanation: Any, *, label: int | None = None, model: str | None = None, method: str = "lime"
) -> list[Line]:
    """A lime `Explanation` of a text: `as_map`, and words and their places from its `domain_mapper`. The class is
    `label`; of those that are explained, the one with the highest of `predict_proba` when left out.

    A word that comes several times is one feature to lime: each of its places has the whole weight.
    """
    weights = explanation.as_map()
    probabilities = getattr(explanation, "predict_proba", None)
    if label is None:
        label = max(weights, key=lambda each: 0.0 if probabilities is None else float(probabilities[each]))
    if label not in weights:
        raise BadParameter(f"no such label: got {label}, possible are {', '.join(map(str, weights))}")
    string = explanation.domain_mapper.indexed_string
    placed = sorted(
        (int(start), int(start) + len(string.word(feature)), float(weight))
        for feature, weight in weights[label]
        for start in np.ravel(string.string_position(feature))
    )
    names = getattr(explanation, "class_names", None)
    offsets = {"offsets": [[start, end] for start, end, _ in placed]}
    scores = np.array([weight for _, _, weight in placed])
    return [_line(string.raw_string(), offsets, scores, method, model, None if names is None else str(names[label]))]


def from_ferret(explanations: Any, *, model: str | None = None, method: str | None = None) -> list[Line]:
    """A ferret `Explanation`, or several: `text`, `tokens`, `scores`, and `explainer`, which names the line."""
    several: list[Any] = [explanations] if hasattr(explanations, "tokens") else list(explanations)
    return [
        _line(
            each.text,
            {"words": list(each.tokens)},
            _floats(each.scores),
            method or str(each.explainer),
            model,
            each.target if isinstance(getattr(each, "target", None), str) else None,
        )
        for each in several
    ]


def _of_class(values: FloatArray, base: Any, names: Any, target: str | int | None) -> tuple[FloatArray, str | None]:
    """One class's scores, and its name where it has one. Names are a list, or one where only one class is left."""
    listed = None if names is None or isinstance(names, str) else [str(name) for name in np.ravel(names)]
    if values.ndim == 1:
        one = listed[0] if listed is not None and len(listed) == 1 else None
        return values, names if isinstance(names, str) else target if isinstance(target, str) else one
    if isinstance(target, str):
        if listed is None or target not in listed:
            raise BadParameter(f"no such class: got {target!r}, possible are {', '.join(listed or ['a place'])}")
        target = listed.index(target)
    if target is None:
        if base is None:
            raise BadParameter("no class is named: got values of several and no base_values, possible is a target")
        target = int(np.argmax(_floats(base) + values.sum(axis=0)))
    return values[:, target], None if listed is None else listed[target]


def _floats(values: Any) -> FloatArray:
    """Of lists, arrays, and tensors wherever they are."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    return np.asarray(values, dtype=np.float64)


def _line(text: str, where: Line, scores: FloatArray, method: str, model: str | None, target: str | None) -> Line:
    line: Line = {"text": text, **where, "scores": scores.tolist(), "method": method}
    return line | ({} if model is None else {"model": model}) | ({} if target is None else {"target": target})
