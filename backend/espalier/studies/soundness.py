"""What a design must fulfil beyond its form, once its texts and classes are known."""

from collections.abc import Sequence

from espalier.datasets.forms import Row
from espalier.problems import BadParameter
from espalier.studies.design import StudyDesign

MOST_VOTES = 100_000
"""Votes of one study: each is kept as a slot."""


def check_design(design: StudyDesign, rows: Sequence[Row], classes: Sequence[str]) -> None:
    """Refuse what could not work or would mislead."""
    if design.protocol == "preference" and len(classes) > 2 and not design.show_prediction:
        raise BadParameter(
            f"a preference over {len(classes)} classes must name the explained class: got show_prediction = false, "
            "possible is true"
        )
    if design.filters.correctly_classified:
        _check_labels(rows, classes)
    apart = design.protocol == "coherence" and design.screen == "apart"
    screens = len(design.models) * len(design.methods) if apart else len(design.models)
    votes = design.items * design.votes * screens
    if votes > MOST_VOTES:
        raise BadParameter(f"too many votes: got {votes}, possible are up to {MOST_VOTES} (items x votes x screens)")
    check_recruiting(design)


def check_recruiting(design: StudyDesign) -> None:
    if "prolific" in design.recruiting.providers and not design.recruiting.completion_code:
        raise BadParameter("Prolific needs a completion code: got none, possible is the one Prolific shows")
    if design.recruiting.signed and "mturk" in design.recruiting.providers:
        raise BadParameter("MTurk does not sign its links: got signed with mturk, possible are prolific and plain")


def _check_labels(rows: Sequence[Row], classes: Sequence[str]) -> None:
    labels = {row.label for row in rows if row.label is not None}
    if not labels:
        raise BadParameter("correctly_classified needs labels: got texts without any, possible is a label column")
    if not labels & set(classes):
        got = ", ".join(sorted(labels)[:5])
        raise BadParameter(f"no label is a class of the models: got {got}, possible are {', '.join(classes)}")
