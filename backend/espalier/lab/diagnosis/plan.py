"""What a diagnosis will cost, and what of it cannot be done: said before it is begun."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from espalier.datasets.forms import Row
from espalier.engine.scoring import linear_request, ls_tree_request
from espalier.explain.request import ExplanationRequest
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.interactions import Sought, looks_by_text
from espalier.lab.diagnosis.training import check_apart
from espalier.lab.interactions.context_free import words_of
from espalier.lab.run_design import Lengths, classifier
from espalier.measure.interactions import draws_for, local_request
from espalier.models.describe import Described, Shelf
from espalier.problems import BadParameter, TooLong

MOST_EVALUATIONS = 2_000_000_000
"""As many as a run of measures may take."""

FEW_MATCHING = 10
"""Texts with an interaction's words: of fewer, nearly all signs agree by chance often enough."""

SCORED = ls_tree_request("", "", "log_probability")
FITTED = local_request("", "")
"""What is asked about every text, for the limits of the methods."""


class DiagnosisPlan(BaseModel):
    """What a diagnosis will take, before it is begun."""

    texts: int
    training_texts: int
    units: int = Field(description="Texts times models: the steps of its progress, and its rows.")
    evaluations: int = Field(description="Texts the models are asked about: at most about so many.")
    words: dict[int, int] = Field(description="Length in words to number of texts.")
    warnings: list[str]


def check(design: DiagnosisDesign, shelf: Shelf) -> None:
    """What is wrong for all texts is refused here."""
    models = [classifier(name, shelf) for name in design.models]
    if "linearity" in design.diagnostics:
        _check_linear(design.linear, models, shelf)
    if design.spreads and design.training is None:
        raise BadParameter(
            "overfitting needs training texts: got none, possible is a dataset that the models were trained on "
            "(training)"
        )
    if "context-free" in design.diagnostics and not design.interactions:
        raise BadParameter("context-free needs words: got no interactions, possible is such as [[not, good]]")


def plan(design: DiagnosisDesign, shelf: Shelf) -> DiagnosisPlan:
    """Refuses what cannot be done, and says what the rest will take."""
    check(design, shelf)
    texts, training = design.texts(), design.training_texts()
    check_apart(texts, training)
    lengths, of_training = Lengths.of(texts), Lengths.of(training)
    looked = design.sought(texts)
    scored = _by_scores(design, lengths) + _by_scores(design, of_training)
    evaluations = len(design.models) * (scored + _by_fits(design, texts, lengths, looked))
    if evaluations > MOST_EVALUATIONS:
        raise TooLong(
            f"too much work: got about {evaluations:,} evaluations, possible are up to {MOST_EVALUATIONS:,}; draw "
            "fewer texts (most_texts)"
        )
    return DiagnosisPlan(
        texts=len(texts),
        training_texts=len(training),
        units=(len(texts) + len(training)) * len(design.models),
        evaluations=evaluations,
        words=dict(sorted(lengths.words.items())),
        warnings=_warnings(design, lengths, looked, len(texts)),
    )


def _check_linear(linear: str | None, models: list[Described], shelf: Shelf) -> None:
    """It must be linear, and know the classes of all models: correlations are of the same class."""
    asked, _ = linear_request("", "").settings()
    if linear is None:
        possible = [each.entry.name for each in shelf.described() if shelf.suits(asked, each)]
        raise BadParameter(
            f"linearity needs a linear model: got none, possible are {', '.join(possible) or 'none'} (linear)"
        )
    chosen = classifier(linear, shelf)
    shelf.check(asked, chosen)
    for model in models:
        missing = sorted(set(model.classes or ()) - set(chosen.classes or model.classes or ()))
        if missing:
            raise BadParameter(
                f"{linear} cannot be compared with {model.entry.name}: got no class {', '.join(missing)}, possible are "
                f"linear models with the same classes ({', '.join(model.classes or ())})"
            )


def _longest(request: ExplanationRequest) -> int:
    asked, parameters = request.settings()
    return asked.most_players(parameters)


def _by_scores(design: DiagnosisDesign, lengths: Lengths) -> int:
    """A tree over n words has at most 2 n - 1 nodes; the empty text is asked about, too."""
    if not design.scores:
        return 0
    longest, weights = _longest(SCORED), 2 if design.compares_with is not None else 0
    return sum(count * (2 * size + weights) for size, count in lengths.words.items() if size <= longest)


def _by_fits(design: DiagnosisDesign, texts: Sequence[Row], lengths: Lengths, looked: Sequence[Sought]) -> int:
    """All that is fitted around a text shares one sample."""
    longest = _longest(FITTED)
    if "fit" in design.diagnostics:
        sizes = [size for size, count in lengths.words.items() for _ in range(count)]
    else:
        sizes = [len(words_of(texts[index].text)) for index in looks_by_text(looked)]
    return sum(draws_for(size, design.draws) for size in sizes if size <= longest)


def _warnings(design: DiagnosisDesign, lengths: Lengths, looked: Sequence[Sought], texts: int) -> list[str]:
    found = lengths.warnings(texts)
    for asked, request, what in ((design.scores, SCORED, "scored"), (design.fits, FITTED, "fitted")):
        longest = _longest(request)
        if asked and (beyond := lengths.above(longest)):
            found.append(f"{beyond} texts have more than {longest} words and cannot be {what}; their rows will say so")
    for each in looked:
        if each.matching < FEW_MATCHING:
            found.append(f"{' … '.join(each.words)} stands in {each.matching} texts: few to say how often a sign holds")
    return found
