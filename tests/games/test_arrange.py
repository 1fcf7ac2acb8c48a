import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

from espalier.games.arrange import arranged
from espalier.games.game import make_game
from espalier.games.references import at_once
from espalier.games.scales import to_scale
from espalier.models.backbone import backbone
from espalier.models.networks import BidirectionalLSTM
from espalier.models.transformer import TransformerModel
from espalier.models.vocabulary import Vocabulary
from espalier.models.word_model import WordModel
from espalier.problems import BadParameter
from espalier.text import read

CPU = torch.device("cpu")


WORDS = ("the", "film", "is", "not", "good", ".")


def small_transformer():
    torch.manual_seed(1)
    tokenizer = AutoTokenizer.from_pretrained(backbone("sentence-transformers/all-MiniLM-L6-v2").folder)
    shape = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    network = BertForSequenceClassification(BertConfig(**shape, initializer_range=0.5, num_labels=3))
    return TransformerModel("m", network, tokenizer, ("red", "green", "blue"), "1", CPU)


def small_lstm():
    torch.manual_seed(3)
    network = BidirectionalLSTM(len(WORDS) + 2, 2)
    return WordModel("m", "lstm", network, Vocabulary(WORDS), ("negative", "positive"), "1", CPU, 50)


@pytest.fixture(params=[small_transformer, small_lstm])
def game(request):
    return make_game(request.param(), [read("the film is not good .")])


def test_a_word_moved_to_its_own_place_has_not_moved(game):
    before = np.array([[1, 0, 0, 1, 0, 0], [0, 1, 1, 0, 0, 1]], dtype=bool)
    words = np.array([4, 0])
    after = before.copy()
    after[[0, 1], words] = True
    truth = to_scale(game.summaries(game.model.outputs(game.rows(after))), "log_odds")
    rows = at_once(arranged(game, before, words, words))
    moved = to_scale(game.summaries(game.model.outputs(rows)), "log_odds")
    np.testing.assert_allclose(moved, truth, atol=1e-5)


def test_a_moved_word_is_read_at_the_other_place(game):
    alone = np.zeros((1, 6), dtype=bool)
    swapped = game.model.outputs(at_once(arranged(game, alone, np.array([4]), np.array([1]))))
    row = game.rows(np.array([[0, 1, 0, 0, 0, 0]], dtype=bool))[0]
    (token,), (spot,) = game.players[4].tokens, game.players[1].tokens
    truth = game.model.outputs([row._replace(ids=np.where(row.positions == spot, game.encoding.ids[token], row.ids))])
    np.testing.assert_allclose(swapped, truth, atol=1e-5)


def test_a_word_cannot_move_where_places_are_not_kept(game):
    other = make_game(game.model, [read("the film is not good .")], reference="delete")
    with pytest.raises(BadParameter, match="got reference = delete, possible is pad"):
        at_once(arranged(other, np.zeros((1, 6), dtype=bool), np.array([0]), np.array([1])))
