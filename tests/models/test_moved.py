import numpy as np
import pytest
import torch

from espalier.games.game import make_game
from espalier.games.scales import to_scale
from espalier.models.transformer import load_transformer
from espalier.models.word_model import load_word_model
from espalier.problems import NotSupported
from espalier.text import read

CPU = torch.device("cpu")


@pytest.fixture(params=["bert", "lstm"])
def game(request, bert_folder, word_folder):
    model = (
        load_transformer("m", str(bert_folder), CPU)
        if request.param == "bert"
        else load_word_model("m", word_folder / "lstm", CPU)
    )
    return make_game(model, [read("the film is not good .")])


def test_a_word_moved_to_its_own_place_has_not_moved(game):
    before = np.array([[1, 0, 0, 1, 0, 0], [0, 1, 1, 0, 0, 1]], dtype=bool)
    words = np.array([4, 0])
    after = before.copy()
    after[[0, 1], words] = True
    truth = to_scale(game.summaries(game.model.outputs(game.rows(after))), "log_odds")
    moved = game.model.inspect("moved", game=game, scale="log_odds", coalitions=before, words=words, places=words)
    np.testing.assert_allclose(moved, truth, atol=1e-5)


def test_a_moved_word_is_read_at_the_other_place(game):
    alone = np.zeros((1, 6), dtype=bool)
    swapped = game.model.inspect("moved", game=game, scale="logit", coalitions=alone, words=[4], places=[1])
    row = game.rows(np.array([[0, 1, 0, 0, 0, 0]], dtype=bool))[0]
    (token,), (spot,) = game.players[4].tokens, game.players[1].tokens
    truth = game.model.outputs([row._replace(ids=np.where(row.positions == spot, game.encoding.ids[token], row.ids))])
    np.testing.assert_allclose(swapped, truth, atol=1e-5)


def test_a_word_cannot_move_where_places_are_not_kept(game):
    other = make_game(game.model, [read("the film is not good .")], reference="delete")
    with pytest.raises(NotSupported, match="possible is pad"):
        game.model.inspect(
            "moved", game=other, scale="logit", coalitions=np.zeros((1, 6), dtype=bool), words=[0], places=[1]
        )
