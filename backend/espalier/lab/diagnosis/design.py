"""A diagnosis: a dataset, models, and what is to be found out about them. And what it will cost."""

from collections.abc import Sequence
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, Field, field_validator

from espalier.datasets.forms import Row
from espalier.engine.scoring import linear_request, ls_tree_request
from espalier.explain.request import ExplanationRequest
from espalier.fields import Name, Several
from espalier.lab.diagnosis.interactions import Sought, looks_by_text, sought
from espalier.lab.interactions.context_free import words_of
from espalier.lab.run_design import Lengths, RunDesign, classifier, each_once
from espalier.measure.interactions import draws_for, local_request
from espalier.models.describe import Described, Shelf
from espalier.problems import BadParameter, TooLong
from espalier.scale import Scale

Diagnostic = Literal["linearity", "depth", "contrast", "fit", "context-free"]
DIAGNOSTICS: tuple[Diagnostic, ...] = get_args(Diagnostic)
OF_LS_TREE: frozenset[Diagnostic] = frozenset(("linearity", "depth", "contrast"))

Interaction = Annotated[Several[Name], Field(min_length=2, max_length=4)]

MOST_INTERACTIONS = 8

MOST_EVALUATIONS = 2_000_000_000
"""As many as a run of measures may take."""

FEW_MATCHING = 10
"""Texts with an interaction's words: of fewer, nearly all signs agree by chance often enough."""

SCORED = ls_tree_request("", "", "log_probability")
FITTED = local_request("", "")
"""What is asked about every text, for the limits of the methods."""


class DiagnosisDesign(RunDesign):
    """Everything that decides a diagnosis. The same design on the same models gives the same rows."""

    diagnostics: Several[Diagnostic] = Field(
        default=("depth", "contrast"),
        min_length=1,
        max_length=len(DIAGNOSTICS),
        description="What is found out: linearity (correlation with the linear model), depth (of top nodes), contrast "
        "(scores of words of contrast), fit (error of local fits by number of interactions), context-free (whether "
        "interactions have the same sign everywhere).",
    )
    linear: Name | None = Field(
        default=None, description="The bag of words that models are compared with, for linearity: such as sst2-bow."
    )
    scale: Scale = Field(default="log_probability", description="What LS-Tree's scores are measured in.")
    interactions: Several[Interaction] = Field(
        default=(),
        max_length=MOST_INTERACTIONS,
        description="For context-free: words in their order, any number of words between them.",
        examples=[[["not", "good"]]],
    )
    most_matching: int = Field(
        default=40, ge=2, le=1_000, description="Texts with an interaction's words that are asked about, at most."
    )
    random_pairs: int = Field(
        default=10, ge=0, le=40, description="Random pairs of words, as frequent, to compare an interaction with."
    )
    draws: int = Field(default=1_000, ge=100, le=20_000, description="Of a local fit, around each text; at least.")

    _several_once = field_validator("diagnostics", "interactions")(each_once)

    @property
    def compares_with(self) -> str | None:
        """The linear model, where it is asked for anything."""
        return self.linear if "linearity" in self.diagnostics else None

    @property
    def scores(self) -> bool:
        """Whether LS-Tree is asked at all."""
        return not OF_LS_TREE.isdisjoint(self.diagnostics)

    @property
    def fits(self) -> bool:
        """Whether something is fitted around texts."""
        return not {"fit", "context-free"}.isdisjoint(self.diagnostics)

    def sought(self, texts: Sequence[Row]) -> list[Sought]:
        """The interactions, and in which of the texts they are asked about."""
        if "context-free" not in self.diagnostics:
            return []
        given = [row.text for row in texts]
        return sought(self.interactions, given, self.most_matching, self.random_pairs, self.seed)


class DiagnosisPlan(BaseModel):
    """What a diagnosis will take, before it is begun."""

    texts: int
    units: int = Field(description="Texts times models: the steps of its progress, and its rows.")
    evaluations: int = Field(description="Texts the models are asked about: at most about so many.")
    words: dict[int, int] = Field(description="Length in words to number of texts.")
    warnings: list[str]


def check(design: DiagnosisDesign, shelf: Shelf) -> None:
    """What is wrong for all texts is refused here."""
    models = [classifier(name, shelf) for name in design.models]
    if "linearity" in design.diagnostics:
        _check_linear(design.linear, models, shelf)
    if "context-free" in design.diagnostics and not design.interactions:
        raise BadParameter("context-free needs words: got no interactions, possible is such as [[not, good]]")


def plan(design: DiagnosisDesign, shelf: Shelf) -> DiagnosisPlan:
    """Refuses what cannot be done, and says what the rest will take."""
    check(design, shelf)
    texts = design.texts()
    lengths = Lengths.of(texts)
    looked = design.sought(texts)
    evaluations = len(design.models) * (_by_scores(design, lengths) + _by_fits(design, texts, lengths, looked))
    if evaluations > MOST_EVALUATIONS:
        raise TooLong(
            f"too much work: got about {evaluations:,} evaluations, possible are up to {MOST_EVALUATIONS:,}; draw "
            "fewer texts (most_texts)"
        )
    return DiagnosisPlan(
        texts=len(texts),
        units=len(texts) * len(design.models),
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
