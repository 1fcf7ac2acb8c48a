"""What people see, and what their answers mean."""

import pytest

from espalier.problems import BadParameter
from espalier.studies.checks import attention_items, practice_items
from espalier.studies.design import Gold, StudyDesign
from espalier.studies.items import Feature, ItemContent, Shows
from espalier.studies.screens import expected, judged, screen
from espalier.studies.session import WordShown

BINARY = ("negative", "positive")
COHERENCE = StudyDesign(title="T", protocol="coherence", models=("m",), methods=("hedge", "lime"))
PREFERENCE = StudyDesign(title="T", protocol="preference", models=("m",), methods=("lime", "mahe"))

WORDS = tuple(
    WordShown(text=text, start=start, end=start + len(text)) for text, start in (("not", 0), ("so", 4), ("bad", 7))
)


def shows(method: str, prediction: str, *groups: tuple[tuple[int, ...], float]) -> Shows:
    features = tuple(Feature(words=words, score=score) for words, score in groups)
    return Shows(
        model="m",
        method=method,
        classes=BINARY,
        prediction=prediction,
        probability=0.9,
        top=features[0],
        groups=features,
    )


def item(prediction: str = "positive") -> ItemContent:
    return ItemContent(
        text="not so bad",
        words=WORDS,
        shows=(
            shows("lime", prediction, ((2,), -0.5), ((0,), 0.25), ((1,), 0.0)),
            shows("mahe", prediction, ((0, 2), 0.5), ((1,), 0.1)),
        ),
    )


def show(design: StudyDesign, content: ItemContent, shown: tuple[int, ...]):
    return screen(design, BINARY, content, shown, id="t", kind="task", number=1, of=4)


def test_lines_are_lettered_in_displayed_order_and_name_no_method() -> None:
    task = show(COHERENCE, item(), (1, 0))
    assert [(line.letter, line.phrase) for line in task.lines] == [("A", "not … bad"), ("B", "bad")]
    said = task.model_dump_json()
    assert all(secret not in said for secret in ("lime", "mahe", "hedge", '"m"', "0.9"))


def test_the_screen_is_the_same_whatever_the_model_predicts() -> None:
    assert show(COHERENCE, item("positive"), (0, 1)) == show(COHERENCE, item("negative"), (0, 1))


def test_the_same_colour_means_the_same_class_whatever_is_predicted() -> None:
    for prediction, weight in (("positive", 1.0), ("negative", -1.0)):
        task = show(PREFERENCE, item(prediction), (1, 0))
        assert task.poles == BINARY
        assert task.explanations[0].groups[0].weight == weight
        assert task.prediction is None


def test_the_prediction_is_named_only_if_the_owner_says_so() -> None:
    task = show(PREFERENCE.model_copy(update={"show_prediction": True}), item(), (0, 1))
    assert task.prediction == "positive"


def test_answers_are_read_back_through_the_display() -> None:
    assert judged(COHERENCE, item(), (1, 0), {"A": "positive", "B": "n/a"}, BINARY) == [
        (1, 1, "positive"),
        (2, 0, "n/a"),
    ]
    assert judged(PREFERENCE, item(), (1, 0), {"choice": "B"}, BINARY) == [(2, 0, "B")]


@pytest.mark.parametrize(
    "answers", [{}, {"A": "positive"}, {"A": "positive", "B": "maybe"}, {"A": "n/a", "B": "n/a", "C": "n/a"}]
)
def test_half_answers_and_unknown_ones_are_refused(answers: dict[str, str]) -> None:
    with pytest.raises(BadParameter):
        judged(COHERENCE, item(), (0, 1), answers, BINARY)


def test_attention_checks_look_like_the_tasks_around_them() -> None:
    for check in attention_items(COHERENCE, BINARY):
        assert len(show(COHERENCE, check, (0, 1)).lines) == 2
    for check in attention_items(PREFERENCE, BINARY):
        assert len(show(PREFERENCE, check, (1, 0)).explanations) == 2


def test_the_right_answer_of_a_check_follows_its_display() -> None:
    check = attention_items(PREFERENCE, BINARY)[0]
    assert expected(PREFERENCE, check, (0, 1)) == {"choice": "A"}
    assert expected(PREFERENCE, check, (1, 0)) == {"choice": "B"}


def test_other_classes_have_checks_that_say_what_to_choose() -> None:
    checks = attention_items(COHERENCE, ("World", "Sports"))
    assert "please choose “Sports” here" in checks[1].text
    assert expected(COHERENCE, checks[1], (0, 1)) == {"A": "Sports", "B": "Sports"}


def test_own_gold_must_be_answerable() -> None:
    bad_answer = COHERENCE.model_copy(update={"gold": (Gold(text="Fine.", phrase="Fine", answer="good"),)})
    bad_phrase = COHERENCE.model_copy(update={"gold": (Gold(text="Fine.", phrase="bad", answer="positive"),)})
    for design in (bad_answer, bad_phrase):
        with pytest.raises(BadParameter):
            attention_items(design, BINARY)


def test_practice_has_an_answer_to_every_line() -> None:
    for item in practice_items(COHERENCE, BINARY):
        assert len(item.expected) == len(item.shows)
        assert item.why
