"""What cannot be explained is refused before any work, with what was got and what is possible."""

import numpy as np
import pytest

from espalier import explain
from espalier.explain.plan import GameShape
from espalier.explain.registry import methods
from espalier.explain.toy import Toy
from espalier.problems import BadModel, BadParameter, BadText, NotSupported, TooLong, UnknownName
from espalier.trees.tree import from_spans


class Judge:
    """Counts its calls: a refusal must come before the first text."""

    __name__ = "judge"

    def __init__(self, answer=None):
        self.texts = 0
        self._answer = answer or (lambda texts: np.tile([0.25, 0.75], (len(texts), 1)))

    def __call__(self, texts):
        self.texts += len(texts)
        return self._answer(texts)


def refused(kind, match, text, method="shap", judge=None, **options):
    judge = judge or Judge()
    with pytest.raises(kind, match=match):
        explain(text, judge, method, classes=["no", "yes"], **options)
    return judge


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_a_text_without_words_is_refused(text):
    assert refused(BadText, "got no words, write at least one", text).texts == 0


ONE_WORD = [name for name, each in methods().items() if each.minimum_players == 1 and not each.inspects]
TWO_WORDS = [name for name, each in methods().items() if each.minimum_players == 2 and not each.inspects]


@pytest.mark.parametrize("name", TWO_WORDS)
def test_one_word_is_refused_by_methods_of_pairs(name):
    judge = refused(BadParameter, f"too few players for {name}: got 1, possible are 2 or more", "Good", name)
    assert judge.texts == 0


@pytest.mark.parametrize("name", ONE_WORD)
def test_one_word_is_explained_by_all_the_others(name):
    chosen = methods()[name]
    shape = GameShape(("good",), ("no", "yes"), 1, from_spans(1, {}))
    result = Toy(lambda rows: np.column_stack([1 - rows[:, 0] * 0.5, rows[:, 0] * 0.5])).run(
        chosen.start(shape, chosen.parameters())
    )
    assert result.method == name


@pytest.mark.parametrize(
    ("name", "words", "limit", "settings"),
    [
        ("asiv", 101, 100, {}),
        ("archipelago", 101, 100, {}),
        ("mahe", 101, 100, {}),
        ("hedge", 401, 400, {}),
        ("ls-tree", 401, 400, {}),
        ("shap", 401, 400, {}),
        ("shap", 19, 18, {"algorithm": "exact"}),
        ("l-shapley", 98, 97, {"radius": 5}),
    ],
)
def test_more_words_than_a_method_can_take_are_refused_with_what_to_do(name, words, limit, settings):
    judge = Judge()
    tree = " ".join(["(TEXT", *["(W word)"] * words]) + ")"
    message = f"too many players for {name}: got {words}, possible are up to {limit}; explain phrases or sentences"
    refused(TooLong, message, " ".join(["word"] * words), name, judge, parameters=settings, tree=tree)
    assert judge.texts == 0


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("asiv", {"budget": 30}, "budget too small for 20 players: got 30 coalitions, possible are 78 or more"),
        ("shap", {"budget": 30}, "budget too small for 20 players: got 30 coalitions, possible are 78 or more"),
        (
            "shap",
            {"budget": 30, "algorithm": "permutation"},
            "budget too small for 20 players: got 30 coalitions, possible are 78 or more",
        ),
        ("shap", {"budget": 1}, "bad parameter for shap: got budget = 1"),
        ("mahe", {"samples": 150}, "too few samples for 20 players: got 150, possible are 210 or more"),
        ("lime", {"samples": 30}, "too few samples for 20 players: got 30, possible are 42 or more"),
        ("hedge", {"window": 9}, "bad parameter for hedge: got window = 9"),
        ("hedge", {"widow": 2}, "bad parameter for hedge: got widow = 2 .* possible parameters are window"),
    ],
)
def test_a_budget_or_setting_that_cannot_work_is_refused(name, settings, message):
    judge = Judge()
    refused(BadParameter, message, " ".join(["word"] * 20), name, judge, parameters=settings)
    assert judge.texts <= 1  # at most the prediction itself


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda texts: np.full((len(texts), 2), np.nan), "not finite: got NaN or infinity"),
        (lambda texts: np.full((len(texts), 2), np.inf), "not finite: got NaN or infinity"),
        (lambda texts: np.full((len(texts), 3), 1 / 3), r"wrong shape: got \(1, 3\) for 1 texts, possible is \(1, 2\)"),
        (lambda texts: np.full((len(texts) + 1, 2), 0.5), "wrong shape"),
        (lambda texts: np.full(len(texts), 0.5), "wrong shape"),
        (lambda texts: np.full((len(texts), 2), 0.9), "must return probabilities"),
    ],
)
def test_a_callable_that_gives_anything_but_probabilities_is_refused(answer, message):
    refused(BadModel, message, "A good film", judge=Judge(answer))


def test_a_callable_that_fails_only_where_all_words_are_absent_is_refused_by_name():
    def answer(texts):
        return np.array([[0.5, 0.5] if text else [np.nan, np.nan] for text in texts])

    refused(BadModel, "judge returned numbers that are not finite", "A good film", judge=Judge(answer))


def test_all_words_absent_is_a_text_like_any_other():
    found = explain("A good film", Judge(), "shap", classes=["no", "yes"])
    assert found.result.base == found.result.full == pytest.approx(0.75)
    assert found.result.values == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("name", [name for name, each in methods().items() if each.inspects])
def test_methods_that_look_inside_say_so_to_a_callable(name):
    judge = refused(NotSupported, "cannot answer .* choose a method that asks only for outputs", "A good film", name)
    assert judge.texts == 0


def test_unknown_names_are_answered_with_the_known_ones():
    refused(UnknownName, "unknown method: got 'magic', possible are acd, archipelago, asiv", "A film", "magic")
    refused(UnknownName, "unknown class of own: got 'maybe', possible are no, yes", "A film", target="maybe")
