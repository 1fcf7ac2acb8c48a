"""What an edit will cost, and what of it cannot be done: said before it is begun."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel, Field

from espalier.datasets.forms import Row
from espalier.lab.edits.design import EditDesign
from espalier.lab.interactions.context_free import checked, no_match, words_of
from espalier.lab.interactions.editing import class_of, to_keep
from espalier.lab.interactions.places import Words, matching, places
from espalier.measure.interactions import draws_for, local_request
from espalier.models.describe import Described, Shelf, editable
from espalier.problems import BadParameter, NotSupported, TooLong, UnknownName, quoted
from espalier.text import read

MOST_EVALUATIONS = 20_000_000
"""Hours of one process that computes with a part of the processor."""

STEP_EVALUATIONS = 256
"""What a step of the teaching costs, in texts that the model is asked about: 64 forward, and back, which takes twice as
long, and every fifth time a look at the rows that decide when to stop."""

FEW_MATCHING, FEW_KEPT = 10, 100

LONGEST = local_request("", "")


@dataclass(frozen=True, slots=True)
class EditTerms:
    """What an edit may take of this server, and why none can be made here, where that is so."""

    bytes: int = 9_000_000_000
    seconds: float = 4 * 3600.0
    refused: str | None = None


class Work(NamedTuple):
    """What an edit is made of, in the order in which it is done: each part in evaluations of the model."""

    beginning: int
    teaching: int
    before: int
    after: int
    accuracy: int

    @property
    def total(self) -> int:
        return sum(self)


class EditPlan(BaseModel):
    """What an edit will take, before it is begun."""

    texts: int
    matching: int = Field(description="Other texts with the words.")
    asked: int = Field(description="So many of them are asked about, before and after.")
    kept: int = Field(description="Texts that are taught to stay as they are.")
    labelled: int = Field(description="Texts whose answers are counted.")
    evaluations: int = Field(description="Texts the model is asked about or taught: at most about so many.")
    most_megabytes: int = Field(description="Memory that the process gets, and no more.")
    most_seconds: float = Field(description="When it has not ended by then, it is given up.")
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, and what it was made of."""

    plan: EditPlan
    work: Work
    texts: Sequence[Row]
    tested: Sequence[Row]


def planned(design: EditDesign, shelf: Shelf, terms: EditTerms) -> Planned:
    """Refuses what cannot be done, and says what the rest will take."""
    if terms.refused is not None:
        raise NotSupported(terms.refused)
    model = _editable(design.model, shelf)
    words = _standing(design)
    classes = model.classes
    if classes is not None and design.target is not None and design.target not in classes:
        raise UnknownName("class", design.target, classes)
    texts = design.texts()
    tested = design.tested(texts)
    for label in {row.label for row in tested if row.label is not None} if classes is not None else ():
        class_of(label, classes or ())
    others = [row.text for row in texts if row.text != design.text]
    spelled = [words_of(each) for each in others]
    having = matching(words, spelled)
    if not having:
        raise no_match(words, len(others))
    staying = to_keep(words, others, [(row.text, row.label or "") for row in tested])
    kept = min(design.keep, len(staying))
    asked = min(design.most_matching, len(having))
    longest = sorted((len(spelled[index]) for index in having), reverse=True)[:asked]
    around = sum(draws_for(size, design.draws) for size in longest)
    here = draws_for(len(words_of(design.text)), design.draws)
    work = Work(2 * here, kept + design.steps * STEP_EVALUATIONS, around, around + here, 2 * len(tested))
    if work.total > MOST_EVALUATIONS:
        raise TooLong(
            f"too much work: got about {work.total:,} evaluations, possible are up to {MOST_EVALUATIONS:,}; take fewer "
            "draws, steps or texts with the words"
        )
    plan = EditPlan(
        texts=len(texts),
        matching=len(having),
        asked=asked,
        kept=kept,
        labelled=len(tested),
        evaluations=work.total,
        most_megabytes=terms.bytes // 10**6,
        most_seconds=terms.seconds,
        warnings=list(_warnings(asked, kept, len(tested))),
    )
    return Planned(plan, work, texts, tested)


def _editable(name: str, shelf: Shelf) -> Described:
    """A model whose weights can be taught and in which words interact; others are refused."""
    model = shelf.get(name)
    if not editable(model):
        possible = [each.entry.name for each in shelf.described() if editable(each)]
        reason = "adds up its words, so that none of them interact" if model.family == "bow" else "cannot be taught"
        raise NotSupported(
            f"{name} cannot be edited: got a model of the family {model.family}, which {reason}; possible are "
            f"{', '.join(possible) or 'none'}"
        )
    return model


def _standing(design: EditDesign) -> Words:
    """The words, which must stand in the text that is taught, which must be one that can be fitted."""
    words, size = checked(design.words), len(read(design.text).words)
    if places(words, words_of(design.text)) is None:
        raise BadParameter(
            f"the text does not have {' … '.join(words)}: got {quoted(design.text)}, possible are words that stand in "
            "it in this order (as they are split: isn't is one word)"
        )
    method, parameters = LONGEST.settings()
    if size > (most := method.most_players(parameters)):
        raise TooLong(f"the text is too long to be taught: got {size} words, possible are up to {most}")
    return words


def _warnings(asked: int, kept: int, labelled: int) -> list[str]:
    found = []
    if asked < FEW_MATCHING:
        found.append(
            f"{asked} other {'text has' if asked == 1 else 'texts have'} these words: the share that is turned round "
            "will have a wide interval"
        )
    if kept < FEW_KEPT:
        found.append(f"{kept} texts are taught to stay as they are: of few the model mostly forgets much else")
    if not labelled:
        found.append("no labelled texts: what the edit costs in accuracy will not be known")
    return found
