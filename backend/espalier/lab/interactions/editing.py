"""Turn an interaction round: teach the model, on the local sample of one text, that its term is (1 - c) times what it
was, and see what became of it in other texts (MAHE, sections 4.2 and 5.3).

All other values stay what the model itself said, not what the explanation made of them. The paper teaches nothing else;
but a recurrent network then forgets much of what it knew (the shipped one a sixth of its accuracy), so that by default
other texts, without these words, are taught beside it to stay as they are.
"""

import re
import shutil
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from pydantic import BaseModel, Field

from espalier.engine.explainer import Explainer
from espalier.lab.interactions.asking import Asking, prepared, target_of
from espalier.lab.interactions.context_free import (
    Occurrence,
    Polarity,
    checked,
    chosen,
    no_match,
    polarity,
    term,
    words_of,
)
from espalier.lab.interactions.places import Words, places
from espalier.measure.interactions import LocalTerm
from espalier.models.catalog import Catalog, kept_edits
from espalier.models.families import load_in_full
from espalier.models.predict import predict_all
from espalier.models.protocol import HostedModel
from espalier.problems import BadParameter, UnknownName
from espalier.statistics.documents import MeanInterval, Share
from espalier.statistics.means import mean_intervals
from espalier.statistics.shares import share

Tell = Callable[[str, int, int], None]
"""What is being done, how much of it is done, and how much there is."""

PREDICTED_TOGETHER = 32


class Recipe(BaseModel):
    """How an edit is made. The paper's c is between 3 and 4."""

    strength: float = Field(default=3.0, gt=1, le=10, description="c: the term becomes 1 - c times what it was.")
    rate: float | None = Field(default=None, gt=0, le=0.1, description="Of Adam; the family's usual when left out.")
    steps: int = Field(default=400, ge=1, le=5_000)
    keep: int = Field(
        default=1000, ge=0, le=5_000, description="Other texts, without the words, that are taught to stay as they are."
    )
    enough: float = Field(default=0.1, ge=0, lt=1, description="Share of the first error at which it is done.")


class Accuracy(BaseModel):
    """Of the same texts before and after, and what was lost: points of a hundred, over texts."""

    before: Share
    after: Share
    lost: MeanInterval


class Edit(BaseModel):
    """An edited model, and what the edit did."""

    name: str
    folder: Path
    of: str
    words: tuple[str, ...]
    text: str
    target: str
    strength: float
    steps: int
    error_before: float = Field(description="Squared error of the taught log-odds on rows that were not taught.")
    error_after: float
    here_before: float = Field(description="The term in the edited text.")
    here_after: float
    held_out: int = Field(description="Other texts with these words that were asked about.")
    before: Share = Field(description="Other texts whose term has the sign that it has in the edited text.")
    after: Share = Field(description="Other texts whose term has the opposite sign in the edited model.")
    turned: Share = Field(description="Of the former, those whose term has the opposite sign in the edited model.")
    accuracy: Accuracy | None
    right_before: list[bool] = Field(description="Of each labelled text, whether the model was right.")
    right_after: list[bool]
    occurrences: list[tuple[Occurrence, Occurrence]]


def edit(
    words: Sequence[str],
    text: str,
    texts: Sequence[str],
    labelled: Sequence[tuple[str, str]],
    explainer: Explainer,
    catalog: Catalog,
    asking: Asking,
    folder: Path,
    *,
    recipe: Recipe | None = None,
    most: int = 40,
    noted: Mapping[str, str] | None = None,
    tell: Tell = lambda what, done, total: None,
) -> Edit:
    """Make the edit in `folder` and measure it on other `texts`, and on `labelled` ones its accuracy. `noted` is kept
    with it."""
    recipe = recipe or Recipe()
    wanted = checked(words)
    if folder.exists():
        raise BadParameter(f"there is an edit of this name: got {folder.name}, possible is another name, or to undo it")
    classes = explainer.host(asking.model).model.classes
    known = [(each, class_of(label, classes)) for each, label in labelled]
    others = [each for each in texts if each != text]
    here = term(wanted, text, explainer, asking)
    if not here.clear:
        raise BadParameter(
            f"nothing to turn round: got a term of {here.contribution:+.4f} ± {here.standard_error:.4f} for "
            f"{' … '.join(wanted)} in this text, possible is a text in which the words interact"
        )
    held_out = chosen(wanted, [words_of(each) for each in others], most, asking.seed)
    if not held_out:
        raise no_match(wanted, len(others))
    kept = drawn(to_keep(wanted, others, labelled), recipe.keep, asking.seed)
    steps, before_error, after_error = _teach(
        here, text, wanted, kept, explainer, catalog, asking, recipe, folder, noted or {}, tell
    )
    edited = asking.model_copy(update={"model": _loaded_anew(folder, explainer, catalog)})
    matched = [others[index] for index in held_out]
    before = polarity(wanted, matched, explainer, asking, lambda done, total: tell("before", done, total))
    after = polarity(wanted, matched, explainer, edited, lambda done, total: tell("after", done, total))
    right_before, right_after = (_right(explainer.host(each.model).model, known, tell) for each in (asking, edited))
    return Edit(
        name=folder.name,
        folder=folder,
        of=asking.model,
        words=wanted,
        text=text,
        target=classes[target_of(asking, classes)],
        strength=recipe.strength,
        steps=steps,
        error_before=before_error,
        error_after=after_error,
        here_before=here.contribution,
        here_after=term(wanted, text, explainer, edited).contribution,
        held_out=len(before.occurrences),
        before=before.share_of(here.sign),
        after=after.share_of(-here.sign),
        turned=_turned(before, after, here.sign),
        accuracy=accuracy(right_before, right_after, asking.seed) if known else None,
        right_before=right_before,
        right_after=right_after,
        occurrences=list(zip(before.occurrences, after.occurrences, strict=True)),
    )


def undo(folder: Path, name: str) -> Path:
    """Delete an edit. The original was never changed."""
    kept = {path.name: path for path, _ in kept_edits(folder)}
    if name not in kept:
        raise UnknownName("edit", name, kept)
    # Out of the catalog in one step: half of an edit is no model.
    undone = folder / f".undone-{uuid.uuid4().hex}"
    kept[name].rename(undone)
    shutil.rmtree(undone)
    return kept[name]


def usual_name(model: str, words: Sequence[str]) -> str:
    return re.sub(r"[^\w.-]+", "-", "-".join([model, *words]))


def _teach(
    here: LocalTerm,
    text: str,
    wanted: tuple[str, ...],
    kept: Sequence[str],
    explainer: Explainer,
    catalog: Catalog,
    asking: Asking,
    recipe: Recipe,
    folder: Path,
    noted: Mapping[str, str],
    tell: Tell,
) -> tuple[int, float, float]:
    """Change a copy of the model that nobody else uses, and keep what differs."""
    from espalier.models.edited import keep  # torch: seconds to import
    from espalier.models.tuning import Lesson, as_it_is, beside, teach

    game = prepared(explainer, asking, text).game
    target = target_of(asking, game.outcomes.names)
    sample, split = here.data.sample, here.data.split
    wanted_values = here.data.values - recipe.strength * here.term(sample.coalitions)

    def lesson(rows: np.ndarray) -> Lesson:
        return Lesson(game.rows(sample.coalitions[rows]), wanted_values[rows], sample.weights[rows])

    source = catalog.source(asking.model)
    before, copied = (load_in_full(source, catalog.device) for _ in range(2))
    learnt = teach(
        copied,
        beside(lesson(split.training), as_it_is(copied, kept, target)),
        lesson(split.validation),
        target,
        rate=recipe.rate,
        steps=recipe.steps,
        enough=recipe.enough,
        seed=asking.seed,
        advance=lambda done, total: tell("teaching", done, total),
    )
    if learnt.steps == 0:
        raise BadParameter(
            f"nothing was learnt: got a squared error of {learnt.before:.3g} that no step made smaller, "
            "possible is a smaller rate"
        )
    about = {
        "words": list(wanted),
        "text": text,
        "class": game.outcomes.names[target],
        "strength": recipe.strength,
        "steps": learnt.steps,
        "rate": recipe.rate,
        **noted,
    }
    keep(folder, source, before, copied, about)
    return learnt.steps, learnt.before, learnt.after


def to_keep(wanted: Words, texts: Sequence[str], labelled: Sequence[tuple[str, str]]) -> list[str]:
    """Texts that may be taught to stay as they are: without the words, and none whose answer is counted later."""
    tested = {each for each, _ in labelled}
    return [each for each in texts if each not in tested and places(wanted, words_of(each)) is None]


def drawn(texts: Sequence[str], count: int, seed: int) -> list[str]:
    """So many of the texts, drawn by the seed and kept in order; all where there are no more."""
    if len(texts) <= count:
        return list(texts)
    return [texts[index] for index in sorted(np.random.default_rng(seed).choice(len(texts), count, replace=False))]


def _loaded_anew(folder: Path, explainer: Explainer, catalog: Catalog) -> str:
    """The edited model's name: from its folder, as everybody loads it, and not one that was there before."""
    name = catalog.choose(str(folder))
    catalog.forget(name)
    explainer.put_away(name)
    return name


def _turned(before: Polarity, after: Polarity, sign: int) -> Share:
    pairs = [pair for pair in zip(before.occurrences, after.occurrences, strict=True) if pair[0].sign == sign]
    return share(sum(later.sign == -sign for _, later in pairs), len(pairs))


def accuracy(before: Sequence[bool], after: Sequence[bool], seed: int) -> Accuracy:
    """From whether each text was right: the shares, and the points lost with their interval over texts."""
    lost = 100 * (np.array(before, dtype=np.float64) - np.array(after, dtype=np.float64))
    (mean,) = mean_intervals(lost[:, None], seed)
    return Accuracy(before=share(sum(before), len(before)), after=share(sum(after), len(after)), lost=mean)


def _right(model: HostedModel, known: Sequence[tuple[str, str]], tell: Tell) -> list[bool]:
    found: list[bool] = []
    for start in range(0, len(known), PREDICTED_TOGETHER):
        part = known[start : start + PREDICTED_TOGETHER]
        answers = predict_all(model, [(text, None) for text, _ in part])
        found += [each.label == label for each, (_, label) in zip(answers, part, strict=True)]
        tell("accuracy", len(found), len(known))
    return found


def class_of(label: str, classes: Sequence[str]) -> str:
    """A label as the class that it means: its name, or its number."""
    if label in classes:
        return label
    if label.isdecimal() and int(label) < len(classes):
        return classes[int(label)]
    raise UnknownName("class of a labelled text", label, classes)
