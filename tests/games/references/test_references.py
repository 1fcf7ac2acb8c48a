"""The table of references, what identifies them, and what they say of themselves."""

import json
from importlib.metadata import EntryPoint
from typing import ClassVar

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from espalier import extensions
from espalier.explain.request import ExplanationRequest
from espalier.games.game import make_game
from espalier.games.references import Reference, ReferenceName, Setting, Wish, at_once, reference, references
from espalier.games.references.reference import without_asking
from espalier.models.callable import CallableModel
from espalier.models.protocol import TokenRow
from espalier.problems import BadParameter, NotSupported, UnknownName
from espalier.text import read

TEXT = read("The film is good")


@pytest.fixture
def model():
    return CallableModel(lambda texts: [[0.5, 0.5]] * len(texts), ["a", "b"])


def made(name, model, wish=None):
    return reference(name).of(Setting(model, (TEXT,), model.encode(TEXT)), wish or Wish())


class Backwards(Reference):
    """Absent words become the text's words from behind: a reference of another package."""

    name: ClassVar[str] = "backwards"
    description: ClassVar[str] = "The words from behind."

    @classmethod
    def of(cls, setting, wish):
        return cls(setting.encoding)

    def rows(self, present):
        filled = [np.where(tokens, self.ids, self.ids[::-1]) for tokens in present]
        return without_asking([TokenRow(ids, np.arange(len(ids)), len(ids)) for ids in filled])

    def stand_ins(self):
        return self.ids[::-1][None]


def installed(monkeypatch, offered):
    """As if a package offered these references."""
    points = [EntryPoint(name, f"somewhere:{name}", "espalier.references") for name in offered]
    monkeypatch.setattr(EntryPoint, "load", lambda point: offered[point.name])
    monkeypatch.setattr(extensions, "entry_points", lambda group: points if group == "espalier.references" else [])
    extensions.extensions.cache_clear()
    references.cache_clear()


@pytest.fixture
def _afterwards():
    yield
    extensions.extensions.cache_clear()
    references.cache_clear()


def test_the_references_are_offered_in_their_order():
    assert list(references()) == ["pad", "mask", "delete", "marginal", "conditional", "in-domain"]
    assert all(each.name == name and each.description.endswith(".") for name, each in references().items())


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(UnknownName, match="got 'zero', possible are conditional, delete, in-domain, marginal, mask, p"):
        reference("zero")
    listed = "Input should be 'pad', 'mask', 'delete', 'marginal', 'conditional' or 'in-domain'"
    with pytest.raises(ValidationError, match=listed):
        TypeAdapter(ReferenceName).validate_python("zero")


def test_a_schema_lists_the_names_there_are():
    assert TypeAdapter(ReferenceName).json_schema() == {
        "type": "string",
        "maxLength": 200,
        "enum": ["pad", "mask", "delete", "marginal", "conditional", "in-domain"],
    }


@pytest.mark.usefixtures("_afterwards")
def test_a_reference_of_another_package_is_one_class(monkeypatch, model):
    installed(monkeypatch, {"backwards": Backwards, "nonsense": 7, "twice": references()["pad"]})
    assert list(references()) == ["pad", "mask", "delete", "marginal", "conditional", "in-domain", "backwards"]
    assert TypeAdapter(ReferenceName).validate_python("backwards") == "backwards"
    game = make_game(model, [TEXT], reference="backwards")
    (row,) = game.rows(np.array([[1, 0, 0, 0]], dtype=bool))
    assert row.ids.tolist() == [game.encoding.ids[place] for place in (0, 2, 1, 0)]


def test_only_what_a_reference_draws_from_identifies_it():
    usual, other = Wish(), Wish(("One two.",), 7)
    for name in ("pad", "mask", "delete"):
        assert reference(name).identity(usual) == reference(name).identity(other) == name
    drawn = reference("marginal").identity
    wishes = (usual, Wish(seed=7), other, Wish(("One two.",), 8))
    assert len({drawn(wish) for wish in wishes}) == 4
    assert json.loads(json.dumps(drawn(other))) == ["marginal", 7, ["One two."]]


def test_the_key_of_a_game_takes_of_its_reference_what_identifies_it(model):
    def key(**wish):
        return make_game(model, [TEXT], **wish).key

    assert key(background=["One two."], seed=3) == key(seed=4)
    assert key(reference="pad") != key(reference="delete")
    assert key(reference="marginal", seed=3) != key(reference="marginal", seed=4)


def test_the_same_sentences_stand_in_wherever_none_are_given(model):
    rows = [
        [
            row.ids.tolist()
            for row in make_game(model, [TEXT], reference="marginal", seed=2).rows(np.zeros((1, 4), bool))
        ]
        for _ in range(2)
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 8


def test_no_background_at_all_is_refused(model):
    with pytest.raises(BadParameter, match="needs background sentences: got none"):
        made("marginal", model, Wish(()))


def test_a_model_without_a_mask_or_a_pad_token_says_so(model):
    with pytest.raises(NotSupported, match="has no pad token"):
        made("pad", model).stand_ins()
    model.mask_id = None
    with pytest.raises(NotSupported, match="has no mask token: possible references are pad, delete, marginal"):
        made("mask", model)


@pytest.mark.parametrize(("name", "draws"), [("mask", 1), ("marginal", 2)])
def test_what_stands_in_is_what_the_rows_have_in_the_place_of_absent_words(model, name, draws):
    chosen = made(name, model, Wish(("One two three four", "Red green")))
    rows = at_once(chosen.rows(np.zeros((1, 4), dtype=bool)))
    np.testing.assert_array_equal([row.ids for row in rows], chosen.stand_ins())
    assert chosen.draws == len(rows) == draws


# ---------------------------------------------------------------------------------- nothing is silently left out


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"reference": "pad", "draws": 9}, "reference = pad takes no draws: got 9, possible with draws are marginal, "),
        ({"reference": "mask", "filler": "x"}, "takes no filler: got 'x', possible with filler are conditional, in-d"),
        ({"reference": "delete", "fill": "in-turn"}, "takes no fill: got 'in-turn', possible with fill are condition"),
        ({"reference": "marginal", "fill": "likeliest"}, "reference = marginal takes no fill: got 'likeliest'"),
        ({"reference": "marginal", "filler": "x"}, "reference = marginal takes no filler: got 'x'"),
    ],
)
def test_what_a_reference_takes_no_notice_of_is_refused(fields, said):
    with pytest.raises(BadParameter) as problem:
        ExplanationRequest(text="A film.", model="own", **fields).settings()
    assert said in problem.value.message


def test_requests_of_the_past_say_drawn_whatever_their_reference_is():
    asked = ExplanationRequest(text="A film.", model="own", reference="pad", fill="drawn", draws=None)
    assert asked.settings() == ExplanationRequest(text="A film.", model="own", reference="pad").settings()


def test_more_draws_than_there_are_sentences_to_draw_from_are_refused():
    model = CallableModel(lambda texts: [[0.5, 0.5] for _ in texts], ["no", "yes"])
    wish = Wish(background=("one two three", "four five six"), draws=64)
    with pytest.raises(BadParameter, match="got draws = 64 of 2 sentences, possible are up to 2"):
        make_game(model, [read("A film.")], reference="marginal", wish=wish)
    assert make_game(model, [read("A film.")], reference="marginal", wish=Wish(wish.background)).reference.draws == 2
