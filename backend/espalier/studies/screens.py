"""An item as a person sees it: letters instead of methods, and neither models nor, unless the owner says so, the
prediction."""

from string import ascii_uppercase
from typing import Literal

from espalier.problems import BadParameter
from espalier.studies.checks import label
from espalier.studies.design import NO_GUESS, StudyDesign
from espalier.studies.features import phrase
from espalier.studies.items import ItemContent, Shows
from espalier.studies.session import Group, Highlighted, Line, Option, TaskDocument

CHOICE = "choice"
"""What the answer to a preference is called."""


def options(design: StudyDesign, classes: tuple[str, ...]) -> tuple[Option, ...]:
    """The possible answers, in the order of their keys."""
    if design.protocol == "preference":
        return tuple(Option(value=letter, label=letter) for letter in "AB")
    return tuple(Option(value=each, label=label(each)) for each in (*classes, NO_GUESS))


def screen(
    design: StudyDesign,
    classes: tuple[str, ...],
    content: ItemContent,
    shown: tuple[int, ...],
    *,
    id: str,
    kind: Literal["practice", "task"],
    number: int,
    of: int,
) -> TaskDocument:
    """The conditions in the order of `shown`, as A, B, C."""
    lettered = [(ascii_uppercase[place], content.shows[condition]) for place, condition in enumerate(shown)]
    preference = design.protocol == "preference"
    named = preference and design.show_prediction
    return TaskDocument(
        id=id,
        kind=kind,
        number=number,
        of=of,
        protocol=design.protocol,
        text=content.text,
        words=content.words,
        options=options(design, classes),
        lines=() if preference else tuple(_line(content, letter, each) for letter, each in lettered),
        explanations=tuple(_highlighted(letter, each, classes) for letter, each in lettered) if preference else (),
        poles=_poles(lettered[0][1], classes) if preference else None,
        prediction=lettered[0][1].prediction if named else None,
    )


def judged(
    design: StudyDesign, content: ItemContent, shown: tuple[int, ...], answers: dict[str, str], classes: tuple[str, ...]
) -> list[tuple[int, int, str]]:
    """(position from 1, condition, answer) of each judgement; refuses anything but one possible answer to each line."""
    possible = [option.value for option in options(design, classes)]
    asked = [CHOICE] if design.protocol == "preference" else list(ascii_uppercase[: len(shown)])
    if sorted(answers) != sorted(asked):
        raise BadParameter(
            f"one answer to each is needed: got {', '.join(sorted(answers))}, possible are {', '.join(asked)}"
        )
    for given in answers.values():
        if given not in possible:
            raise BadParameter(f"no such answer: got {given!r}, possible are {', '.join(possible)}")
    if design.protocol == "preference":
        place = ascii_uppercase.index(answers[CHOICE])
        return [(place + 1, shown[place], answers[CHOICE])]
    return [(place + 1, condition, answers[ascii_uppercase[place]]) for place, condition in enumerate(shown)]


def expected(design: StudyDesign, content: ItemContent, shown: tuple[int, ...]) -> dict[str, str]:
    """The right answer to a task that has one, by the letters of this display."""
    if design.protocol == "preference":
        return {CHOICE: ascii_uppercase[shown.index(int(content.expected[0]))]}
    return {ascii_uppercase[place]: content.expected[condition] for place, condition in enumerate(shown)}


def _line(content: ItemContent, letter: str, shows: Shows) -> Line:
    places = [(word.start, word.end) for word in content.words]
    return Line(letter=letter, phrase=phrase(content.text, places, shows.top.words), words=shows.top.words)


def _highlighted(letter: str, shows: Shows, classes: tuple[str, ...]) -> Highlighted:
    """Weights on a scale of one explanation. With two classes a colour stands for a class, whichever is predicted."""
    largest = max((abs(group.score) for group in shows.groups), default=0) or 1.0
    sign = -1 if len(classes) == 2 and shows.prediction == classes[0] else 1
    groups = tuple(Group(words=each.words, weight=sign * each.score / largest) for each in shows.groups)
    return Highlighted(letter=letter, groups=groups)


def _poles(shows: Shows, classes: tuple[str, ...]) -> tuple[str, str]:
    if len(classes) == 2:
        return classes[0], classes[1]
    return f"against {shows.prediction}", f"for {shows.prediction}"
