"""The participant for rehearsals."""

from random import Random

import pytest

from espalier.studies.checks import attention_items
from espalier.studies.design import StudyDesign
from espalier.studies.screens import expected, screen
from espalier.studies.simulated import respond, sign, word_list

BINARY = ("negative", "positive")


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("a lovely film", 1),
        ("tedious mess", -1),
        ("not heartwarming or entertaining", -1),
        ("isn't bad", 1),
        ("the second act", 0),
        ("lovely but boring", 0),
        ("None of the twists", -1),
    ],
)
def test_the_word_list_tells_praise_from_blame(phrase: str, said: int) -> None:
    assert sign(phrase) == said


def test_the_word_list_has_many_words_of_both_kinds() -> None:
    said = list(word_list().values())
    assert said.count(1) > 200
    assert said.count(-1) > 200


@pytest.mark.parametrize("protocol", ["coherence", "preference"])
@pytest.mark.parametrize("classes", [BINARY, ("World", "Sports", "Business")])
def test_without_errors_it_passes_every_attention_check(protocol: str, classes: tuple[str, ...]) -> None:
    design = StudyDesign(title="T", protocol=protocol, methods=("hedge", "mahe"))
    for check in attention_items(design, classes):
        for shown in ((0, 1), (1, 0)) if classes == BINARY else ((0, 1),):
            task = screen(design, classes, check, shown, id="t", kind="task", number=1, of=1)
            assert respond(task, Random(0), 0) == expected(design, check, shown)


def test_it_errs_about_as_often_as_it_is_told_to() -> None:
    design = StudyDesign(title="T", protocol="coherence", methods=("hedge",))
    (check, *_) = attention_items(design, BINARY)
    task = screen(design, BINARY, check, (0,), id="t", kind="task", number=1, of=1)
    random = Random(1)
    right = sum(respond(task, random, 0.2) == {"A": "positive"} for _ in range(2000))
    assert right / 2000 == pytest.approx(0.8, abs=0.03)
