"""A diagnosis in words, for a paper: what was asked of which models, on what, and what came out."""

from collections.abc import Iterator

from espalier.diagnostics.documents import Depth, Interacting, Linearity, OverfittingTest
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.documents import DiagnosisResults, ModelFindings
from espalier.lab.interactions.context_free import ContextFree
from espalier.lab.interactions.fit import FitLine
from espalier.lab.wording import intervals_by, listed, p_value, source_of, span
from espalier.statistics.bootstrap import DRAWS

SIGNS = {-1: "negative", 1: "positive"}


def paragraph(results: DiagnosisResults, design: DiagnosisDesign) -> str:
    if not any(found.texts for found in results.models):
        return "Nothing has been found out yet."
    said = [
        f"We diagnosed {listed(design.models)} on {results.texts:,} texts ({source_of(design.dataset)})"
        f"{_training(results, design)} by {listed([*_scores(design), *_fits(design)])}.",
        f"We report means over texts with 95% intervals ({intervals_by(results.texts, DRAWS)}; seed {results.seed}).",
    ]
    of_models = [(found.model, list(_parts(found, design))) for found in results.models]
    return " ".join([*said, *(f"On {model}, {'; '.join(parts)}." for model, parts in of_models if parts)])


def _training(results: DiagnosisResults, design: DiagnosisDesign) -> str:
    if design.training is None or not results.training_texts:
        return ""
    return f" and {results.training_texts:,} training texts ({source_of(design.training)})"


def _scores(design: DiagnosisDesign) -> list[str]:
    named = design.scale.replace("_", " ")
    return [f"LS-Tree's scores of the predicted class ({named}, absent words hidden)"] if design.scores else []


def _fits(design: DiagnosisDesign) -> list[str]:
    return [f"MAHE's local fits (at least {design.draws:,} draws a text, log-odds)"] if design.fits else []


def _parts(found: ModelFindings, design: DiagnosisDesign) -> Iterator[str]:
    if found.linearity is not None and found.linearity.words.mean is not None:
        yield _linearity(found.linearity, design.linear or "")
    if found.depths and found.depths[0].depth.mean is not None:
        yield _depth(found.depths[0])
    if found.contrast is not None and (said := _contrast(found.contrast)):
        yield said
    if found.overfitting is not None:
        yield _overfitting(found.overfitting)
    if found.fit is not None:
        yield _fit(found.fit)
    for signs in found.context_free:
        yield _signs(signs)


def _linearity(found: Linearity, linear: str) -> str:
    words, phrases = found.words, found.phrases
    of_phrases = "" if phrases.mean is None else f", and values of phrases by {phrases.mean:.3f}{span(phrases)}"
    return (
        f"values of words correlate with the weights of {linear} by {words.mean:.3f}{span(words)}, n = {words.n}"
        f"{of_phrases}"
    )


def _depth(top: Depth) -> str:
    depth = top.depth
    return (
        f"the strongest node of a text has the mean depth {depth.mean:.2f}{span(depth, 2)}, n = {depth.n}, against "
        f"{top.chance.mean:.2f} for any of its nodes (a word is 1; sign flips, p {p_value(top.p)})"
    )


def _contrast(found: Interacting) -> str | None:
    """Words that have an interval: of those that come in a sentence or two there is nothing to say."""
    said = [
        f"{each.parent.ratio:.2f}{span(each.parent, 2)} for {each.word} (n = {each.parent.sentences})"
        for each in found.words
        if each.parent.ratio is not None and each.parent.low is not None
    ]
    return f"the phrase around a word of contrast scores, through any node, {listed(said)}" if said else None


def _overfitting(found: OverfittingTest) -> str:
    train, test = found.train.variance, found.test.variance
    return (
        f"the variance of a text's scores is {train.mean:.3g}{span(train)} on training texts, n = {train.n}, and "
        f"{test.mean:.3g}{span(test)} on others, n = {test.n} (one-sided permutation test, p {p_value(found.p)})"
    )


def _fit(found: FitLine) -> str:
    share = f"an interaction was found in {found.found.count} of {found.found.of} texts"
    if found.linear.mean is None or found.one.mean is None or found.last.mean is None:
        return share
    return (
        f"{share}, where the mean squared error of the fit falls from {found.linear.mean:.3f}{span(found.linear)} with "
        f"words alone to {found.one.mean:.3f}{span(found.one)} with one interaction (corrected p "
        f"{p_value(found.first_p)}) and {found.last.mean:.3f}{span(found.last)} with all (corrected p "
        f"{p_value(found.further_p)})"
    )


def _signs(found: ContextFree) -> str:
    name = f"“{' … '.join(found.words)}”"
    if found.same.share is None:
        return f"{name} could be asked about in none of {found.texts} texts"
    if not found.sign:
        return f"the interaction {name} has no sign in any of {found.same.of} texts"
    beside = "" if found.random.mean is None else f", against {found.random.mean:.3f} for the signs of random pairs"
    return (
        f"the interaction {name} is {SIGNS[found.sign]} in {found.same.count} of {found.same.of} texts "
        f"({found.same.share:.3f}{span(found.same)}){beside}"
    )
