"""Which texts become items."""

from collections import Counter

from espalier.datasets.forms import Row
from espalier.studies.design import Filters
from espalier.studies.items import Feature, Shows
from espalier.studies.selection import Selection


def shown(prediction: str = "positive", *groups: tuple[tuple[int, ...], float], model: str = "m") -> Shows:
    features = tuple(Feature(words=words, score=score) for words, score in groups) or (Feature(words=(0,), score=1),)
    return Shows(
        model=model,
        method="x",
        classes=("negative", "positive"),
        prediction=prediction,
        probability=1,
        top=features[0],
        groups=features,
    )


def run(selection: Selection, *explanations: Shows) -> list[str | None]:
    reasons = []
    for row in selection.order:
        if selection.full:
            break
        reasons.append(selection.by_length(row) or selection.by_explanations(row, explanations, preference=True))
        selection.decide(row, reasons[-1])
    return reasons


def test_lengths_outside_the_range_are_out_before_any_model_runs() -> None:
    rows = [Row(text=str(k)) for k in range(20)]
    selection = Selection(rows, list(range(1, 21)), Filters(minimum_words=5, maximum_words=12), wanted=20, seed=0)
    run(selection, shown())
    assert sorted(selection.kept) == list(range(4, 12))
    assert selection.removed == {"length": 12}
    assert "got 8 of 20" in str(selection.note())


def test_uniform_lengths_are_represented_equally() -> None:
    lengths = [5] * 100 + [6] * 10 + [7] * 10
    rows = [Row(text=str(k)) for k in range(len(lengths))]
    filters = Filters(minimum_words=5, maximum_words=7, uniform_lengths=True)
    selection = Selection(rows, lengths, filters, wanted=13, seed=1)
    run(selection, shown())
    assert sorted(Counter(lengths[row] for row in selection.kept).values()) == [4, 4, 5]
    assert selection.note() is None


def test_wrongly_classified_texts_are_out_if_any_model_is_wrong() -> None:
    selection = Selection([Row(text="a", label="positive")], [1], Filters(correctly_classified=True), 1, 0)
    assert run(selection, shown("positive"), shown("negative", model="n")) == ["wrongly classified"]


def test_texts_without_an_interaction_are_out() -> None:
    selection = Selection([Row(text="a")], [2], Filters(has_interaction=True), 1, 0)
    assert run(selection, shown(), shown()) == ["no interaction"]
    selection = Selection([Row(text="a")], [2], Filters(has_interaction=True), 1, 0)
    assert run(selection, shown(), shown("positive", ((0, 1), 1.0))) == [None]


def test_polarity_differs_when_joined_words_turn_what_they_say_one_by_one() -> None:
    alone = shown("positive", ((0,), -0.1), ((1,), 0.8))
    turned, same = shown("positive", ((0, 1), -0.5)), shown("positive", ((0, 1), 0.9))
    for second, reason in ((turned, None), (same, "same polarity")):
        selection = Selection([Row(text="a")], [2], Filters(polarity_differs=True), 1, 0)
        assert run(selection, alone, second) == [reason]


def test_the_seed_decides_the_order() -> None:
    rows, lengths = [Row(text=str(k)) for k in range(50)], [1] * 50
    orders = [Selection(rows, lengths, Filters(), 5, seed).order for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
