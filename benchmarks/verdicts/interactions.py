"""What MAHE's claims rest on, measured text by text and kept: errors of levels, signs of pairs of words, an edit."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.verdicts.kept import Lines, place, whole
from espalier.lab.interactions.asking import Asking
from espalier.lab.interactions.context_free import ContextFree, Occurrence, context_free, occurrence
from espalier.lab.interactions.editing import Recipe, edit
from espalier.lab.interactions.fit import errors_of
from espalier.lab.interactions.places import Words
from espalier.lab.interactions.synthetic import synthetic
from espalier.library import shared_explainer
from espalier.models.catalog import catalog
from espalier.problems import Problem


@dataclass(frozen=True, slots=True)
class Kept:
    """Where what is measured of one model stays; its weights are a part of every file's name."""

    folder: Path
    revision: str | None

    def lines(self, name: str, asking: Asking, *settings: Any) -> Lines:
        return Lines(place(self.folder, f"{name}-{asking.model}", asking.model_dump(), self.revision, *settings))

    def place(self, name: str, asking: Asking, *settings: Any) -> Path:
        return place(self.folder, f"{name}-{asking.model}", asking.model_dump(), self.revision, *settings)


def level_errors(texts: Sequence[str], asking: Asking, kept: Kept) -> list[tuple[float, float, float] | None]:
    """Of each text: words alone, one interaction, the last level; None where no interaction was found, or none could
    be looked for."""
    lines = kept.lines("mahe-fit", asking)

    def measured(text: str) -> Any:
        found = errors_of(text, shared_explainer(), asking)
        return None if found is None or found.one is None else (found.linear, found.one, found.last)

    errors = [lines.get(text, partial(measured, text)) for text in texts]
    return [None if each is None else (each[0], each[1], each[2]) for each in errors]


def signs(pair: Words, corpus: Sequence[str], asking: Asking, kept: Kept, most: int, pairs: int) -> ContextFree | None:
    """The pair beside random pairs; None where no text has its words."""
    lines = kept.lines("mahe-signs", asking)

    def look(wanted: Words, text: str) -> Occurrence | None:
        def measured() -> Any:
            found = occurrence(wanted, text, shared_explainer(), asking)
            return None if found is None else found.model_dump()

        held = lines.get(f"{' '.join(wanted)}\t{text}", measured)
        return None if held is None else Occurrence.model_validate(held)

    def told(done: int, total: int) -> None:
        print(f"  {done} of {total} pairs of words", flush=True)

    try:
        return context_free(
            pair, corpus, shared_explainer(), asking, most=most, random_pairs=pairs, advance=told, look=look
        )
    except Problem as problem:
        print(f"  not measured: {problem.message}", flush=True)
        return None


@dataclass(frozen=True, slots=True)
class Edited:
    """Of each other text whether its term has the opposite sign now; of each labelled one whether it was right."""

    opposite: list[bool]
    before: list[bool]
    after: list[bool]
    problem: str | None = None


def edited(
    pair: Words,
    text: str,
    corpus: Sequence[str],
    labelled: Sequence[tuple[str, str]],
    asking: Asking,
    kept: Kept,
    recipe: Recipe,
    most: int,
) -> Edited:
    """The edit of one text, made and measured as a whole: it is taught in minutes."""
    settings = pair, text, list(corpus), list(labelled), recipe.model_dump(), most
    path = kept.place("mahe-edit", asking, *settings)
    folder = path.with_suffix("")

    def measured() -> Any:
        shutil.rmtree(folder, ignore_errors=True)
        try:
            made = edit(
                pair, text, corpus, labelled, shared_explainer(), catalog(), asking, folder, recipe=recipe, most=most
            )
        except Problem as problem:
            return {"opposite": [], "before": [], "after": [], "problem": problem.message}
        sign = 1 if made.here_before > 0 else -1
        return {
            "opposite": [after.sign == -sign for _, after in made.occurrences],
            "before": made.right_before,
            "after": made.right_after,
        }

    return Edited(**whole(path, measured))


def hits(kept: Path, points: int) -> list[bool]:
    """Whether the true interaction was ranked first, at each point of each function."""
    found: list[bool] = whole(
        place(kept, "mahe-functions", points), lambda: [hit for each in synthetic(points) for hit in each.hits]
    )
    return found
