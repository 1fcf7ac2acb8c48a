from dataclasses import replace

import numpy as np
import pytest

from espalier.games.game import make_game
from espalier.games.projection import project
from espalier.games.references import Setting, Wish, at_once
from espalier.games.references import reference as reference_class
from espalier.games.scales import to_scale
from espalier.models.callable import CallableModel
from espalier.models.outcomes import Outcomes
from espalier.problems import BadModel, BadParameter, UnknownName
from espalier.text import read
from espalier.trees.tree import flatten

TEXT = "The film is good. The end isn't."
WORDS = ["The", "film", "is", "good", ".", "The", "end", "isn't", "."]


class Recorder:
    """A callable classifier that remembers the texts it was given."""

    __name__ = "recorder"

    def __init__(self):
        self.texts: list[str] = []

    def __call__(self, texts):
        self.texts.extend(texts)
        share = np.array([min(len(text), 90) / 100 for text in texts])
        return np.stack([share, 1 - share], axis=1)


@pytest.fixture
def model():
    return CallableModel(Recorder(), ["long", "short"])


def texts_of(model, game, coalitions):
    model._function.texts.clear()
    model.outputs(game.rows(np.asarray(coalitions, dtype=bool)))
    return model._function.texts


def test_words_are_players_by_default(model):
    game = make_game(model, [read(TEXT)])
    assert [player.text for player in game.players] == WORDS


def test_an_absent_word_is_not_in_the_text(model):
    game = make_game(model, [read(TEXT)])
    present = np.ones((1, 9))
    present[0, 1] = 0
    assert texts_of(model, game, present) == ["The is good. The end isn't."]
    assert texts_of(model, game, np.zeros((1, 9))) == [""]


def test_a_masked_word_is_seen_as_a_mask(model):
    game = make_game(model, [read(TEXT)], reference="mask")
    present = np.ones((1, 9))
    present[0, 3] = 0
    assert texts_of(model, game, present) == ["The film is [MASK]. The end isn't."]


def test_sentences_play_as_a_whole(model):
    game = make_game(model, [read(TEXT)], kind="sentences")
    assert [player.text for player in game.players] == ["The film is good.", "The end isn't."]
    assert texts_of(model, game, [[0, 1]]) == ["The end isn't."]


def test_chosen_spans_play_together_and_other_words_alone(model):
    game = make_game(model, [read(TEXT)], kind="spans", spans=[(0, 2), (5, 9)])
    assert [player.text for player in game.players] == ["The film", "is", "good", ".", "The end isn't."]


@pytest.mark.parametrize("spans", [[(0, 2), (1, 3)], [(3, 3)], [(0, 10)], [(-1, 2)], []])
def test_spans_that_overlap_or_leave_the_text_are_refused(model, spans):
    with pytest.raises(BadParameter, match="spans"):
        make_game(model, [read(TEXT)], kind="spans", spans=spans)


def tree_over_words():
    leaf = [((), index) for index in range(9)]
    first = (("S",), [(("NP",), leaf[:2]), (("VP",), leaf[2:4]), leaf[4]])
    second = (("S",), [(("NP",), leaf[5:7]), (("VP",), [leaf[7]]), leaf[8]])
    return flatten((("TEXT",), [first, second]))


def test_phrases_are_the_largest_constituents_of_at_most_five_words(model):
    game = make_game(model, [read(TEXT)], kind="phrases", tree=tree_over_words())
    assert [player.text for player in game.players] == ["The film is good.", "The end isn't."]
    assert game.tree.spans() == ((0, 2), (0, 1), (1, 2))


def test_phrases_without_a_tree_are_refused(model):
    with pytest.raises(BadParameter, match="needs a tree"):
        make_game(model, [read(TEXT)], kind="phrases")


def test_a_span_that_cuts_a_constituent_dissolves_it(model):
    game = make_game(model, [read(TEXT)], kind="spans", spans=[(1, 3)], tree=tree_over_words())
    labels = {node.label for node in game.tree.nodes}
    assert labels == {"TEXT", "S", "NP", "VP", ""}
    assert (0, 2) not in {span for span in game.tree.spans() if span[1] - span[0] > 1 and span == (0, 2)}
    assert game.tree.size == 8


def test_projection_on_the_words_themselves_changes_nothing(model):
    game = make_game(model, [read(TEXT)])
    assert project(tree_over_words(), game.players).spans() == tree_over_words().spans()


def test_marginal_draws_are_fixed_by_the_seed(model):
    background = ["One two three four five six seven eight nine ten.", "Red green.", "Cats sleep all day."]
    games = [
        make_game(model, [read(TEXT)], reference="marginal", background=background, seed=seed) for seed in (1, 1, 2)
    ]
    rows = [[tuple(row.ids) for row in game.rows(np.zeros((1, 9), dtype=bool))] for game in games]
    assert rows[0] == rows[1]
    assert rows[0] != rows[2]
    assert len(rows[0]) == 3
    assert games[0].key != games[2].key


def test_marginal_keeps_present_words_and_replaces_absent_ones(model):
    game = make_game(model, [read("The film is good")], reference="marginal", background=["One two three four"])
    assert texts_of(model, game, [[1, 0, 0, 1]]) == ["The two three good"]
    game = make_game(model, [read("The film is good")], reference="marginal", background=["One two"])
    assert texts_of(model, game, [[0, 0, 0, 0]]) == ["One two One two".replace(" One", "One")]


def test_an_unknown_reference_or_kind_is_answered_with_the_known_ones(model):
    with pytest.raises(UnknownName, match="conditional, delete, in-domain, marginal, mask, pad"):
        make_game(model, [read(TEXT)], reference="zero")
    with pytest.raises(UnknownName, match="phrases, sentences, spans, tokens, words"):
        make_game(model, [read(TEXT)], kind="letters")


def test_a_callable_of_the_wrong_shape_is_refused():
    with pytest.raises(BadModel, match=r"got \(1,\) for 1 texts"):
        CallableModel(lambda texts: [0.5 for _ in texts])
    with pytest.raises(BadModel, match="two classes or more"):
        CallableModel(lambda texts: [[1.0] for _ in texts])
    with pytest.raises(BadModel, match="sum to 1"):
        CallableModel(lambda texts: [[1.0, 1.0] for _ in texts])
    with pytest.raises(BadModel, match="not finite"):
        CallableModel(lambda texts: [[np.nan, 1.0] for _ in texts])


def test_values_are_the_callables_probabilities(model):
    game = make_game(model, [read(TEXT)])
    rows = game.rows(np.ones((1, 9), dtype=bool))
    values = to_scale(game.summaries(model.outputs(rows)), "probability")
    np.testing.assert_allclose(values, [[len(TEXT) / 100, 1 - len(TEXT) / 100]])


def test_a_class_that_is_not_there_is_refused(model):
    with pytest.raises(BadParameter, match="possible are 0 to 1"):
        make_game(model, [read(TEXT)]).shape(2)


def test_what_is_explained_is_chosen_by_the_game(model):
    usual = make_game(model, [read(TEXT)])
    chosen = make_game(model, [read(TEXT)], outcomes=Outcomes(("one", "two", "any other"), read=(7, 9)))
    assert usual.shape(0).classes == ("long", "short")
    assert chosen.shape(2).classes == ("one", "two", "any other")
    assert chosen.summaries(np.zeros((4, 3))).shape == (4, 3, 3)
    with pytest.raises(BadModel, match=r"possible is \(rows, 3\)"):
        chosen.summaries(np.zeros((4, 2)))


def test_games_that_explain_other_outcomes_share_no_pool(model):
    keys = {
        make_game(model, [read(TEXT)], outcomes=outcomes).key
        for outcomes in (None, Outcomes(("long", "short")), Outcomes(("long", "short"), read=1), Outcomes(("a", "b")))
    }
    assert len(keys) == 3


@pytest.mark.parametrize(
    ("reference", "read_at"), [("pad", [4, 4]), ("mask", [4, 4]), ("marginal", [4, 4]), ("delete", [4, 2])]
)
def test_a_row_is_read_at_the_same_token_whatever_is_absent(model, reference, read_at):
    encoding = replace(model.encode(read("The film is good _")), read_at=4, owners=(0, 1, 2, 3, None))
    stand_in = reference_class(reference).of(Setting(model, (), encoding), Wish(("One two three four five",)))
    rows = at_once(stand_in.rows(np.array([[1, 1, 1, 1, 1], [0, 1, 0, 1, 1]], dtype=bool)))
    assert [row.read_at for row in rows] == read_at
    assert all(row.ids[list(row.positions).index(row.read_at)] == encoding.ids[4] for row in rows)
