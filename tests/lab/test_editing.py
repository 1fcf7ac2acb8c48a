"""An edit, made and measured on a real model, against plain computations of the same."""

import numpy as np
import pytest

from espalier.engine.explainer import Explainer
from espalier.lab.interactions.asking import Asking
from espalier.lab.interactions.context_free import term
from espalier.lab.interactions.editing import Edit, Recipe, class_of, drawn, edit, to_keep, undo
from espalier.library import parse
from espalier.models.catalog import Catalog, kept_edits
from espalier.models.predict import predict
from espalier.problems import BadParameter, UnknownName
from espalier.settings import settings

PAIR = ("not", "good")
TEXT = "This is not a good film."
TEXTS = (TEXT, "It was not very good at all.", "The plot is not good.", "The jokes are bad.", "Not half as good.")
LABELLED = (("A lovely, warm film.", "positive"), ("The plot is dull.", "0"), ("Not good at all.", "negative"))
ASKING = Asking(model="sst2-cnn", draws=200)

# Of their own: what is edited by its folder stays in a catalog, and everybody shares the process's one.
CATALOG = Catalog(settings().catalog)
EXPLAINER = Explainer(CATALOG.load, parse)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Edit:
    folder = tmp_path_factory.mktemp("edits") / "turned"
    return edit(PAIR, TEXT, TEXTS, LABELLED, EXPLAINER, CATALOG, ASKING, folder, recipe=Recipe(rate=1e-3, steps=60))


def test_the_edited_text_is_turned_round_and_the_original_is_not(made: Edit) -> None:
    assert made.here_before * made.here_after < 0
    assert term(PAIR, TEXT, EXPLAINER, ASKING).contribution == made.here_before
    edited = ASKING.model_copy(update={"model": CATALOG.choose(str(made.folder))})
    assert term(PAIR, TEXT, EXPLAINER, edited).contribution == made.here_after
    assert made.error_after < made.error_before


def test_what_is_taught_is_the_term_times_one_minus_c(made: Edit) -> None:
    """By hand: in the lesson's values, both words present or not, all others present or not, c times the term less."""
    found = term(PAIR, TEXT, EXPLAINER, ASKING)
    coalitions = found.data.sample.coalitions
    both = coalitions[:, 2] & coalitions[:, 4]
    assert found.term(coalitions) == pytest.approx(np.where(both, made.here_before, 0.0))
    weights, rows = found.data.sample.weights, found.data.split.validation
    off = made.strength * made.here_before * both[rows]
    assert made.error_before == pytest.approx(np.average(off**2, weights=weights[rows]), rel=1e-3)


def test_shares_are_counted_over_the_other_texts(made: Edit) -> None:
    assert [before.text for before, _ in made.occurrences] == [TEXTS[1], TEXTS[2], TEXTS[4]]
    sign = np.sign(made.here_before)
    before = [np.sign(each.contribution) == sign for each, _ in made.occurrences]
    after = [np.sign(each.contribution) == -sign for _, each in made.occurrences]
    assert (made.held_out, made.before.count, made.after.count) == (3, sum(before), sum(after))
    assert made.turned.of == sum(before)
    assert made.turned.count == sum(one and two for one, two in zip(before, after, strict=True))


def test_accuracy_is_that_of_plain_predictions(made: Edit) -> None:
    assert made.accuracy is not None
    meant = ["positive", "negative", "negative"]
    for name, share in (("sst2-cnn", made.accuracy.before), (str(made.folder), made.accuracy.after)):
        model = CATALOG.load(CATALOG.choose(name))
        right = sum(predict(model, text).label == label for (text, _), label in zip(LABELLED, meant, strict=True))
        assert (share.count, share.of) == (right, 3)
    assert made.accuracy.lost.mean == pytest.approx(100 * (made.accuracy.before.count - made.accuracy.after.count) / 3)


def test_what_is_taught_to_stay_has_neither_the_words_nor_a_counted_answer() -> None:
    texts = [*TEXTS, "The plot is dull.", "Good, but not great.", "So so."]
    assert to_keep(PAIR, texts, LABELLED) == ["The jokes are bad.", "Good, but not great.", "So so."]
    assert drawn(["a", "b"], 2, seed=0) == ["a", "b"]
    some = drawn([str(number) for number in range(50)], 10, seed=0)
    assert len(set(some)) == 10
    assert some == sorted(some, key=int)


def test_edits_are_listed_and_undone(made: Edit) -> None:
    parent = made.folder.parent
    ((path, about),) = kept_edits(parent)
    assert (path, about["of"], about["words"]) == (made.folder, "sst2-cnn", ["not", "good"])
    with pytest.raises(BadParameter, match="there is an edit of this name"):
        edit(PAIR, TEXT, TEXTS, (), EXPLAINER, CATALOG, ASKING, made.folder)
    with pytest.raises(UnknownName, match="unknown edit: got 'other', possible are turned"):
        undo(parent, "other")
    undo(parent, "turned")
    assert kept_edits(parent) == []


def test_where_words_do_not_interact_there_is_nothing_to_turn_round(tmp_path) -> None:
    asking = Asking(model="sst2-bow", draws=200)
    with pytest.raises(BadParameter, match="nothing to turn round"):
        edit(PAIR, TEXT, TEXTS, (), EXPLAINER, CATALOG, asking, tmp_path / "none")


def test_a_label_is_a_class_or_its_number_and_anything_else_is_refused() -> None:
    classes = ("negative", "positive")
    assert [class_of(label, classes) for label in ("positive", "0")] == ["positive", "negative"]
    for label in ("2", "-1", "²", "fine", ""):
        with pytest.raises(UnknownName):
            class_of(label, classes)
