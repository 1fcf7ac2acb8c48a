"""The gauge beside operators: how surprised a language model is by the texts that they make."""

from collections.abc import Sequence

import numpy as np
import pytest

from espalier.engine.gauging import Gauging
from espalier.engine.measuring import Measuring
from espalier.engine.stand_ins import stand_ins
from espalier.library import shared_explainer
from espalier.measure.curves import count_of
from espalier.measure.gauge import gauges_of, texts_read
from espalier.measure.registry import GAUGE
from espalier.measure.request import Condition, MeasuredUnit, MeasureRequest
from espalier.models.catalog import catalog
from espalier.models.next_words import LanguageModel
from espalier.problems import BadModel
from espalier.text import read

TEXT = "A lovely film with a dull end ."


@pytest.fixture(scope="module")
def language_model() -> LanguageModel:
    model = catalog().load(GAUGE)
    assert isinstance(model, LanguageModel)
    return model


def bits_a_word(model: LanguageModel, text: str) -> float:
    """Text by text and word by word."""
    passage = read(text)
    return sum(word.bits for word in model.surprise(passage, 1)) / len(passage.words)


def unit(measures: Sequence[str], text: str = TEXT, model: str = "sst2-bow") -> MeasuredUnit:
    request = MeasureRequest(
        text=text,
        model=model,
        conditions=(Condition(method="leave-one-out"),),
        measures=tuple(measures),
        best_order=False,
    )
    return Measuring(shared_explainer(), request).run()


def test_texts_read_together_are_as_surprising_as_alone(language_model: LanguageModel) -> None:
    texts = [TEXT, "dull", "It is not good , but it isn't dull either ; nobody minds .", "A ."]
    alone = [bits_a_word(language_model, text) * len(read(text).words) for text in texts]
    assert language_model.bits([read(text) for text in texts]) == pytest.approx(alone, abs=1e-6)


@pytest.mark.parametrize(("operator", "model"), [("mask", "sst2-minilm"), ("conditional", "sst2-bow")])
def test_the_gauge_reads_what_the_operator_writes(operator: str, model: str, language_model: LanguageModel) -> None:
    name = f"surprise-{operator}"
    row = unit([name], model=model).rows[0]
    top = row.ranking[: count_of(20, len(TEXT.split()))]
    request = Condition(method="leave-one-out", reference=operator).request(TEXT, model, 0)
    written = [each["text"] for each in stand_ins(shared_explainer(), request, top)["texts"]]
    assert len(written) == (4 if operator == "conditional" else 1)
    expected = np.mean([bits_a_word(language_model, text) for text in written]) - bits_a_word(language_model, TEXT)
    assert row.values[name] == pytest.approx(expected, abs=1e-6)


def test_hidden_places_leave_no_text_and_get_no_number() -> None:
    rows = unit(["surprise-pad", "surprise-delete"]).rows
    assert [row.values["surprise-pad"] for row in rows] == [None, None]
    assert all(row.values["surprise-delete"] is not None for row in rows)
    assert [each.name for each in gauges_of(["pad", "delete"])] == ["surprise-delete"]


def test_a_text_of_which_nothing_is_left_is_not_gauged() -> None:
    assert [row.values["surprise-delete"] for row in unit(["surprise-delete"], "Lovely").rows] == [None, None]


def test_texts_that_the_gauge_reads_are_counted_and_never_more_than_said() -> None:
    without, gauged = unit(["aopc-delete"]), unit(["aopc-delete", "surprise-delete"])
    read_by_gauge = gauged.evaluated - without.evaluated
    assert 2 < read_by_gauge <= texts_read(["delete"], 1) == 7
    assert texts_read(["pad"], 1) == 0
    assert texts_read(["delete", "conditional"], 1) == 1 + 6 * (1 + 4)


def test_the_gauge_changes_no_other_number() -> None:
    without, gauged = unit(["aopc-delete"]), unit(["aopc-delete", "surprise-delete"])
    for plain, row in zip(without.rows, gauged.rows, strict=True):
        assert row.values["aopc-delete"] == plain.values["aopc-delete"]
        assert (row.ranking, row.evaluations) == (plain.ranking, plain.evaluations)


def test_what_was_measured_stands_where_the_gauge_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise BadModel("the language model gave up")

    whole = unit(["aopc-delete", "surprise-delete"])
    monkeypatch.setattr(Gauging, "gauged", fail)
    found = unit(["aopc-delete", "surprise-delete"])
    assert [row.values.get("aopc-delete") for row in found.rows] == [row.values["aopc-delete"] for row in whole.rows]
    assert all(row.values.get("surprise-delete") is None for row in found.rows)
