"""A diagnosis sentence by sentence: what of a text is in the means, and in which way the workbench shows it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest

from espalier.diagnostics.documents import Interacting
from espalier.games.references import USUAL_REFERENCE
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.documents import HeavyText, ModelFindings, Quantity
from espalier.lab.documents import Points, RowDocument
from espalier.lab.interactions.places import spelled
from espalier.measure.diagnosis import Diagnosed
from espalier.store.evaluations import StoredRow

SCORED, FITTED = "ls-tree", "mahe"
"""The methods that the numbers of a text are from: one that is opened is explained with it."""

HEAVIEST = 5
"""Texts of each word and model that the results name; all are in the rows."""

AROUND = "around "
TERM = "term "


def quantities(design: DiagnosisDesign, found: Sequence[ModelFindings]) -> list[Quantity]:
    """What can be looked at sentence by sentence: of words of contrast, those that come in the texts."""
    asked = set(design.diagnostics)
    shown = []
    if "linearity" in asked:
        shown += [
            Quantity(name="word-correlation", title="Correlation of words", method=SCORED),
            Quantity(name="phrase-correlation", title="Correlation of phrases", method=SCORED),
        ]
    if "depth" in asked:
        shown.append(Quantity(name="top-depth", title="Depth of the top node", method=SCORED))
    if design.spreads:
        shown.append(Quantity(name="score-variance", title="Variance of scores", method=SCORED))
    words = [word for each in found if each.contrast is not None for word in each.contrast.words if word.parent.count]
    shown += [
        Quantity(name=f"{AROUND}{word}", title=f"Score of the phrase around “{word}”", method=SCORED)
        for word in dict.fromkeys(each.word for each in words)
    ]
    if "fit" in asked:
        shown += [
            Quantity(name="error", title="Error with words alone", method=FITTED),
            Quantity(name="gain", title="Gain of all interactions", method=FITTED),
        ]
    if "context-free" in asked:
        shown += [
            Quantity(name=TERM + " ".join(words), title=f"Term of “{' … '.join(words)}”", method=FITTED)
            for words in map(spelled, design.interactions)
        ]
    return shown


def values(row: Diagnosed) -> Iterator[tuple[str, str, float | None]]:
    """The method, the name and the number of each quantity of a text."""
    if (scored := row.ls_tree) is not None:
        yield SCORED, "word-correlation", scored.word_correlation
        yield SCORED, "phrase-correlation", scored.phrase_correlation
        yield SCORED, "top-depth", scored.depths[0] if scored.depths else None
        for word in dict.fromkeys(each.name for each in scored.contrast):
            yield SCORED, f"{AROUND}{word}", _around(word, row)
    if row.spread is not None:
        yield SCORED, "score-variance", row.spread.variance
    if (fit := row.fit) is not None:
        yield FITTED, "error", fit.linear
        yield FITTED, "gain", None if fit.last is None else fit.linear - fit.last
    for term in row.terms:
        yield FITTED, TERM + " ".join(term.words), term.contribution


def heaviest(
    contrast: Interacting | None, rows: Mapping[int, Diagnosed], texts: Sequence[tuple[str, str | None]]
) -> list[HeavyText]:
    """Of one model, in the order of the words; the heaviest first."""
    found: list[HeavyText] = []
    for word in contrast.words if contrast is not None else ():
        scores = [(number, index) for index, row in rows.items() if (number := _around(word.word, row)) is not None]
        top = nlargest(HEAVIEST, scores, key=lambda each: (each[0], -each[1]))
        found += [HeavyText(word=word.word, text=texts[index][0], score=score) for score, index in top]
    return found


def _around(word: str, row: Diagnosed) -> float | None:
    """Of a word that comes twice, where it weighs more."""
    said = row.ls_tree.contrast if row.ls_tree is not None else ()
    return max((each.parent for each in said if each.name == word and each.parent is not None), default=None)


def points(design: DiagnosisDesign, quantity: Quantity, rows: Iterable[StoredRow]) -> Points:
    """One quantity of every text that has it, a line for each model."""
    found: dict[int, list[float | None]] = {}
    for row in rows:
        number = dict(each[1:] for each in values(_read(row))).get(quantity.name)
        if number is not None:
            found.setdefault(row.text, [None] * len(design.models))[row.model] = number
    return Points(
        measure=quantity.name,
        lines=[{"model": name, "method": quantity.method, "reference": USUAL_REFERENCE} for name in design.models],
        texts=sorted(found),
        values=[[found[text][model] for text in sorted(found)] for model in range(len(design.models))],
    )


def documents(design: DiagnosisDesign, row: StoredRow) -> list[RowDocument]:
    """A text on a model, once for each method that something of it is from."""
    read = _read(row)
    by_method: dict[str, dict[str, float | None]] = {
        **({SCORED: {}} if design.scores else {}),
        **({FITTED: {}} if design.fits else {}),
    }
    for method, name, number in values(read):
        by_method[method][name] = number
    problems = {SCORED: read.problem, FITTED: read.problem or read.unfitted}
    return [
        RowDocument(
            text=row.text,
            model=design.models[row.model],
            method=method,
            reference=USUAL_REFERENCE,
            seconds=row.seconds,
            measured={"values": numbers, "problem": problems[method]},
        )
        for method, numbers in by_method.items()
    ]


def _read(row: StoredRow) -> Diagnosed:
    return Diagnosed.model_validate_json(row.content)
