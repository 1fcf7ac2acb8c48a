"""A masked language model as the house sees it: a blank, words that it may stand for, and what is refused."""

import json

import numpy as np
import pytest
import torch
from scipy.stats import chisquare
from tests.models.masked.made import ARCHITECTURES, PIECES, SIX, masked_model, network, tokenizer

from espalier.engine.explainer import Explainer
from espalier.engine.host import ModelHost
from espalier.explain.request import ExplanationRequest
from espalier.models.batches import SharesBeginnings
from espalier.models.families import family_of, load_in_full, load_model
from espalier.models.fillers import Filler
from espalier.models.masked.draw import Drawn, number
from espalier.models.masked.rank import Ranked
from espalier.models.next_words import OTHER, LanguageModel
from espalier.models.predict import predict
from espalier.models.protocol import TokenRow
from espalier.models.sources import Entry, Source
from espalier.problems import BadModel, BadParameter, BadText, NotSupported
from espalier.text import read

CPU = torch.device("cpu")
TEXT = "The film is [MASK] and good."
KNOWN = "the film is [MASK] good"


def source(path) -> Source:
    return Source(Entry(name="tiny", title="Tiny", source=str(path)), path)


def plain(architecture: str, ids, read_at: int, positions=None) -> np.ndarray:
    """The vocabulary's probabilities at a place, by plain transformers: one row, nothing of this project."""
    named = {} if positions is None else {"position_ids": torch.tensor([list(positions)])}
    with torch.inference_mode():
        logits = network(architecture)(input_ids=torch.tensor([list(ids)]), **named).logits[0, read_at]
    return torch.softmax(logits.double(), dim=0).numpy()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("masked")
    network().save_pretrained(path)
    tokenizer().save_pretrained(path)
    return path


def test_a_folder_of_a_masked_model_is_one_of_its_family(folder):
    assert family_of(source(folder)).name == "masked-lm"
    assert family_of(source(folder)).says == "blank"
    model = load_model(source(folder), CPU)
    assert isinstance(model, LanguageModel)
    assert isinstance(model, Filler)
    assert isinstance(model, SharesBeginnings)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_words_at_the_blank_have_the_probabilities_that_plain_transformers_give(architecture):
    model = masked_model(architecture)
    said = predict(model, KNOWN)
    encoding = model.encode(read(KNOWN))
    truth = plain(architecture, encoding.ids, encoding.read_at)
    ids = {word: tokenizer().convert_tokens_to_ids(word) for word in SIX}
    assert set(said.classes) == {*SIX, OTHER}
    for name, probability in zip(said.classes[:-1], said.probabilities, strict=False):
        assert probability == pytest.approx(truth[ids[name]], abs=1e-5)
    assert said.probabilities[-1] == pytest.approx(1 - sum(truth[each] for each in ids.values()), abs=1e-5)


def test_every_coalition_at_the_blank_is_what_plain_transformers_say_of_the_tokens_left(model):
    encoding = model.encode(read(KNOWN))
    outcomes = model.choose(encoding, ("good", "dull"), 0)
    ids, truths, rows = tokenizer().convert_tokens_to_ids(["good", "dull"]), [], []
    for coalition in np.ndindex((2,) * 4):
        present = iter(coalition)
        kept = [at for at, owner in enumerate(encoding.owners) if owner is None or next(present)]
        tokens = np.array(encoding.ids)[kept]
        rows.append(TokenRow(tokens, np.array(kept), len(encoding.ids), encoding.read_at))
        truth = plain("bert", tokens, kept.index(encoding.read_at), kept)
        truths.append([*truth[ids], 1 - truth[ids].sum()])
    np.testing.assert_allclose(np.exp(model.outputs(rows, outcomes)), truths, atol=1e-5)


@pytest.mark.parametrize("written", ["the film is ___ good", "the film is <mask> good", "the film is [mask] good"])
def test_a_blank_may_be_written_in_other_ways(model, written):
    assert model.encode(read(written)).ids == model.encode(read(KNOWN)).ids
    assert [word.text for word in read(written).words][3] == written.split()[3]


def test_the_blank_never_leaves_and_is_worth_nothing(model):
    asked = ExplanationRequest(text=KNOWN, model="own", method="shap", reference="pad")
    found = Explainer(lambda _: model, lambda _: pytest.fail("nobody needs a tree")).explain(asked)
    assert found.players[3].text == "[MASK]"
    assert found.result.values[3] == 0
    assert found.evaluations.distinct == 16
    assert found.scale == "log_odds"
    assert found.result.exact


@pytest.mark.parametrize("reference", ["pad", "mask", "delete", "marginal", "conditional", "in-domain"])
def test_every_reference_keeps_the_blank_where_it_is_read(model, reference):
    asked = ExplanationRequest(text=KNOWN, model="own", method="leave-one-out", reference=reference, seed=1)
    found = Explainer(lambda _: model, lambda _: pytest.fail("nobody needs a tree")).explain(asked)
    assert found.result.values[3] == pytest.approx(0, abs=1e-12)
    assert 3 in found.idle
    assert sum(abs(value) for value in found.result.values) > 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the film is good", "got no blank, possible is one [MASK] (or ___) in the text"),
        ("the [MASK] is ___", "got 2 blanks"),
    ],
)
def test_a_text_needs_one_blank(model, text, message):
    with pytest.raises(BadText) as refused:
        model.encode(read(text))
    assert message in refused.value.message


def test_what_is_no_single_word_is_refused_with_the_reason(model):
    encoding = model.encode(read(KNOWN))
    with pytest.raises(BadParameter, match="stands for one token: got 'films', which it writes with 2"):
        model.choose(encoding, ("films",))
    with pytest.raises(BadParameter, match="not a word"):
        model.choose(encoding, (OTHER,))
    with pytest.raises(BadParameter, match="words that are one to tiny"):
        model.choose(encoding, ("good", "Good"))
    with pytest.raises(NotSupported, match="got a running text"):
        model.surprise(read(KNOWN))
    with pytest.raises(NotSupported, match="got a pair"):
        model.encode(read(KNOWN), read("more"))


def test_a_model_without_a_mask_token_is_refused():
    with pytest.raises(BadModel, match="has no mask token"):
        _without_mask()


def _without_mask():
    from espalier.models.masked.model import MaskedModel

    return MaskedModel("tiny", network(), tokenizer(mask=False), "1", CPU)


def test_weights_without_a_head_are_refused(tmp_path):
    network().base_model.save_pretrained(tmp_path)
    tokenizer().save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"architectures": ["BertForMaskedLM"]}))
    with pytest.raises(BadModel, match="is no whole masked language model: got weights without"):
        load_model(source(tmp_path), CPU)


def test_pieces_of_words_and_special_tokens_are_never_drawn(model):
    assert list(model.whole_words.texts.values()) == SIX
    assert not set(PIECES) & set(model.whole_words.texts.values())


# ------------------------------------------------------------------------------------------------------------- drawing


def rows_of(model, text: str) -> list[TokenRow]:
    """A text with blanks, read at each of them."""
    encoding = model.read_words(read(text))
    ids = np.array(encoding.ids)
    places = np.flatnonzero(ids == model.blank_id)
    return [TokenRow(ids, np.arange(len(ids)), len(ids), int(at), place) for place, at in enumerate(places)]


def test_ten_thousand_draws_have_the_distribution_that_enumeration_gives(model):
    rows = rows_of(model, "the [MASK] is [MASK] good")
    draws = model.outputs(rows, model.drawn(10_000, seed=3)).astype(int)
    words = model.whole_words.tokens
    shares = []
    for row in rows:
        truth = plain("bert", row.ids, row.read_at)[words]
        shares.append(truth / truth.sum())
    joint = np.outer(*shares).ravel()
    both = np.searchsorted(words, draws[0]) * len(words) + np.searchsorted(words, draws[1])
    seen = np.bincount(both, minlength=len(joint))
    common = joint * 10_000 >= 5
    assert common.sum() > 10
    observed = [*seen[common], seen[~common].sum()]
    expected = np.array([*joint[common], joint[~common].sum()])
    keep = expected > 0
    assert chisquare(np.array(observed)[keep], expected[keep] / expected[keep].sum() * sum(observed)).pvalue > 0.001


def test_the_likeliest_word_is_the_one_with_the_highest_probability(model):
    rows = rows_of(model, "the [MASK] is [MASK] good")
    found = model.outputs(rows, model.drawn(1, likeliest=True)).astype(int)[:, 0]
    words = model.whole_words.tokens
    assert found.tolist() == [words[plain("bert", row.ids, row.read_at)[words].argmax()] for row in rows]


def test_a_draw_does_not_depend_on_how_many_there_are_nor_on_its_company(model):
    rows = rows_of(model, "the [MASK] is [MASK] good") + rows_of(model, "[MASK] [MASK] [MASK] not dull [MASK]")
    few, many = (model.outputs(rows, model.drawn(draws, seed=5)) for draws in (3, 11))
    np.testing.assert_array_equal(few, many[:, :3])
    alone = np.concatenate([model.outputs([row], model.drawn(3, seed=5)) for row in rows])
    np.testing.assert_array_equal(alone, few)
    with ModelHost(model, batch_tokens=9) as host:
        np.testing.assert_array_equal(host.evaluate(rows[::-1], model.drawn(3, seed=5))[::-1], few)


def test_hidden_states_are_the_same_bits_in_any_company(model):
    rows = [row for text in (KNOWN, TEXT, "[MASK] dull [MASK]", "good [MASK]") for row in rows_of(model, text)]
    together = model.hidden(rows)
    for row, own in zip(rows, together, strict=True):
        assert torch.equal(model.hidden([row])[0], own)


def test_numbers_are_counted():
    assert number(1, 2, 3) == number(1, 2, 3)
    assert len({number(seed, draw, place) for seed in range(9) for draw in range(9) for place in range(9)}) == 9**3
    # Fixed for good: another machine, another version, the same draws.
    assert (number(0, 0, 0), number(7, 2, 5)) == (0.011546754286331562, 0.2501266700130014)


def test_the_head_of_whole_words_says_what_the_whole_one_does_of_them(folder):
    """As it is made, and with its weights laid out."""
    for model in (load_in_full(source(folder), CPU), load_model(source(folder), CPU)):
        hidden = torch.randn(8, model.network.config.hidden_size)
        whole, words = model._head.logits(hidden), model._words.logits(hidden)
        assert model._words.is_narrow
        assert words.shape[1] == len(model.whole_words.tokens) < whole.shape[1]
        torch.testing.assert_close(words, whole[:, model.whole_words.tokens], atol=1e-5, rtol=1e-5)


def test_a_word_at_the_edge_of_a_block_is_found():
    scores = np.full((1, 1000), -30.0, dtype=np.float32)
    words = np.arange(1000)
    row = TokenRow(np.array([0]), np.array([0]), 1, 0, 0)
    for only in (0, 255, 256, 999):
        own = scores.copy()
        own[0, only] = 30.0
        assert set(Drawn(20).read(torch.as_tensor(own), words, [row]).ravel()) == {only}


def test_a_word_has_the_rank_of_its_score_and_what_is_no_whole_word_has_none():
    scores, words = torch.tensor([[0.5, 2.0, -1.0], [3.0, 1.0, 2.0]]), np.array([4, 7, 9])
    ids = np.array([1])
    rows = [TokenRow(ids, ids, 1, 0, place) for place in (0, 1)]
    assert Ranked(((0, 4), (1, 7))).read(scores, words, rows).tolist() == [[1.0], [2.0]]
    assert Ranked(((0, 5), (1, 10))).read(scores, words, rows).tolist() == [[np.inf], [np.inf]]
    assert Ranked(((0, 5), (1, 10))).read(scores[:, :0], words[:0], rows).tolist() == [[np.inf], [np.inf]]
