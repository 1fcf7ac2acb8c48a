"""What is written of a new edit, and what can be read from one that was written."""

from collections.abc import Sequence

from espalier.lab.edits.design import EditDesign
from espalier.lab.edits.plan import EditTerms, Work, planned
from espalier.lab.interactions.editing import usual_name
from espalier.lab.run_design import kept_dataset
from espalier.lab.work import Labelled, NewRun
from espalier.models.describe import Shelf
from espalier.store.evaluations import Evaluation

LONGEST_NAME = 100
"""Bytes of a folder's name, without what stands for the run."""

OF_THE_RUN = 8
"""Characters of a run's id that its model is called by."""


def new_edit(design: EditDesign, shelf: Shelf, terms: EditTerms) -> NewRun:
    """What cannot be done is refused. Labelled texts stand behind the others."""
    found = planned(design, shelf, terms)
    kept = design.model_copy(
        update={
            "dataset": kept_dataset(design.dataset, len(found.texts)),
            "test": None if design.test is None else kept_dataset(design.test, len(found.tested)),
        }
    )
    return NewRun(
        kind="edit",
        kept={
            "design": kept.model_dump(mode="json"),
            "tested": len(found.tested),
            "taught": found.plan.kept,
            "matching": found.plan.matching,
            "work": found.work,
        },
        texts=[(row.text, row.label) for row in (*found.texts, *found.tested)],
        units=found.work.total,
    )


def design_of(evaluation: Evaluation) -> EditDesign:
    return EditDesign.model_validate(evaluation.design["design"])


def work_of(evaluation: Evaluation) -> Work:
    return Work(*evaluation.design["work"])


def texts_of(evaluation: Evaluation) -> int:
    """Those that are not there for their labels alone."""
    return evaluation.texts - int(evaluation.design["tested"])


def parted(evaluation: Evaluation, texts: Sequence[Labelled]) -> tuple[list[str], list[tuple[str, str]]]:
    """The texts, and those whose answers are counted."""
    first = texts_of(evaluation)
    return [text for text, _ in texts[:first]], [(text, label or "") for text, label in texts[first:]]


def name_of(evaluation: Evaluation) -> str:
    """What the edited model is called. No two edits are called the same: workers keep a model by its name, also when it
    was undone."""
    design = design_of(evaluation)
    usual = usual_name(design.model, [word.lower() for word in design.words])
    short = usual.encode()[:LONGEST_NAME].decode(errors="ignore")
    return f"{short}-{evaluation.id[:OF_THE_RUN]}"
