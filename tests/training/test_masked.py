"""Training masked language models: what is hidden, the order of texts, and that what ships is what was trained."""

import random

import pytest
import torch
from transformers import AutoTokenizer

from espalier.models.masked_network import load_masked_network
from espalier.problems import BadModel
from training import masked
from training.adapters import backbone_folder, collate


@pytest.fixture(scope="module")
def tokenizer():
    return AutoTokenizer.from_pretrained(backbone_folder())


@pytest.fixture(scope="module")
def tokens(tokenizer):
    texts = ["the film is long .", "no"] * 200 + ["a story of two sisters who open a bakery by the sea"] * 200
    return collate(tokenizer(texts)["input_ids"], tokenizer.pad_token_id)["input_ids"]


def test_every_text_has_a_hidden_token_and_special_ones_are_never_hidden(tokens, tokenizer):
    _, chosen = masked.hide(tokens, tokenizer, torch.Generator().manual_seed(1))
    assert chosen.any(1).all()
    assert not chosen[torch.isin(tokens, torch.tensor(tokenizer.all_special_ids))].any()


def test_eight_of_ten_hidden_tokens_are_masked_one_is_another_and_one_stays(tokens, tokenizer):
    shown, chosen = masked.hide(tokens, tokenizer, torch.Generator().manual_seed(1))
    assert torch.equal(shown[~chosen], tokens[~chosen])
    count = int(chosen.sum())
    as_mask = int((shown[chosen] == tokenizer.mask_token_id).sum())
    same = int((shown[chosen] == tokens[chosen]).sum())
    assert as_mask / count == pytest.approx(0.8, abs=0.05)
    assert same / count == pytest.approx(0.1, abs=0.04)


def test_a_longer_run_begins_with_the_batches_of_a_shorter_one():
    lengths = [random.Random(3).randint(3, 40) for _ in range(400)]
    short = masked.in_blocks(lengths[:200], 4, random.Random(1))
    long = masked.in_blocks(lengths, 4, random.Random(1))
    assert long[: len(short)] == short
    assert sorted(index for batch in long for index in batch) == list(range(400))


def test_what_is_saved_and_loaded_guesses_as_what_was_trained(tokens, tokenizer, tmp_path, monkeypatch):
    torch.manual_seed(3)
    network = masked.build(masked.RECIPES["mlm-movies"], [row.tolist() for row in tokens[:20]])
    for parameter in network.parameters():
        if parameter.requires_grad:  # an adapter starts as nothing at all: a lost one would not be seen
            parameter.data += 0.02 * torch.randn_like(parameter)
    monkeypatch.setattr(masked, "MODELS", tmp_path)
    masked.save("tiny", network, tokenizer)
    loaded, _ = load_masked_network(tmp_path / "tiny")
    network.eval()
    shown, chosen = masked.hide(tokens[::100], tokenizer, torch.Generator().manual_seed(1))
    with torch.inference_mode():
        expected = masked.guesses(network, shown, tokenizer.pad_token_id, chosen)
        mask = (shown != tokenizer.pad_token_id).long()
        found = loaded(input_ids=shown, attention_mask=mask).logits[chosen]
        untrained = masked.guesses(
            masked.build(masked.RECIPES["mlm-movies"], [[0, 5, 0]]).eval(), shown, tokenizer.pad_token_id, chosen
        )
    assert (found - expected).abs().max() < 0.05
    assert (untrained - expected).abs().max() > 0.5


def test_a_folder_without_its_head_is_refused(tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr(masked, "MODELS", tmp_path)
    masked.save("tiny", masked.build(masked.RECIPES["mlm-movies"], [[0, 5, 0]]), tokenizer)
    (tmp_path / "tiny" / "head.safetensors").unlink()
    with pytest.raises(BadModel, match=r"without head\.safetensors"):
        load_masked_network(tmp_path / "tiny")
