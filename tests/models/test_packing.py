"""Rows of any lengths through one forward pass: the same answers as padded, for architectures that allow it."""

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer
from transformers import models as architectures

from espalier.models.backbone import backbone
from espalier.models.packing import EIGHT, packing
from espalier.models.protocol import TokenRow
from espalier.models.transformer import TransformerModel

CPU = torch.device("cpu")
SMALL = {"vocab_size": 30522, "num_labels": 3, "initializer_range": 0.5}
USUAL = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
CONFIGS = {
    "Bert": USUAL,
    "Electra": USUAL | {"embedding_size": 16},
    "Albert": USUAL | {"embedding_size": 16, "pad_token_id": 0},
    "Roberta": USUAL | {"pad_token_id": 0, "type_vocab_size": 1},
    "DistilBert": {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64},
    "Deberta": USUAL | {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]},
}


def small(name: str, **settings: object) -> TransformerModel:
    torch.manual_seed(1)
    config = getattr(architectures, f"{name}Config")(**SMALL, **CONFIGS[name])
    network = getattr(architectures, f"{name}ForSequenceClassification")(config)
    if settings:
        network.set_attn_implementation(settings["attention"])
    tokenizer = AutoTokenizer.from_pretrained(backbone("sentence-transformers/all-MiniLM-L6-v2").folder)
    return TransformerModel(name, network, tokenizer, ("a", "b", "c"), "r", CPU)


def rows_with_gaps(count: int) -> list[TokenRow]:
    generator = np.random.default_rng(3)
    rows = []
    for length in generator.integers(3, 30, count):
        kept = np.unique([0, *np.flatnonzero(generator.random(length) < 0.6), length - 1])
        rows.append(TokenRow(generator.integers(1000, 9000, len(kept)), kept, int(length)))
    return rows


@pytest.mark.parametrize("name", ["Bert", "Electra", "Albert", "Roberta", "DistilBert"])
def test_packed_rows_have_the_outputs_of_padded_ones(name):
    model, rows = small(name), rows_with_gaps(21)
    assert model._packs
    packed = model.outputs(rows)
    model._packs = False
    np.testing.assert_allclose(packed, model.outputs(rows), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("name", "fewer"), [("Bert", True), ("Roberta", True), ("Electra", True), ("Albert", False)])
def test_the_last_layer_computes_first_tokens_only_where_the_head_reads_no_others(name, fewer):
    model, seen = small(name), []
    if fewer:
        model.network.base_model.encoder.layer[-1].register_forward_hook(lambda *given: seen.append(given[2].shape[1]))
    model.outputs(rows_with_gaps(5))
    assert seen == ([EIGHT] if fewer else [])


def test_a_head_that_reads_another_token_gets_it(monkeypatch):
    def second(self, hidden_states):
        return self.activation(self.dense(hidden_states[:, 1]))

    monkeypatch.setattr("transformers.models.bert.modeling_bert.BertPooler.forward", second)
    model, rows, seen = small("Bert"), rows_with_gaps(6), []
    model.network.bert.encoder.layer[-1].register_forward_hook(lambda *given: seen.append(given[2].shape[1]))
    assert model._packs
    packed = model.outputs(rows)
    assert seen[0] > EIGHT
    model._packs = False
    np.testing.assert_allclose(packed, model.outputs(rows), atol=1e-5)


def test_an_architecture_with_relative_positions_is_padded():
    model = small("Deberta")
    assert not model._packs
    assert model.outputs(rows_with_gaps(3)).shape == (3, 3)


def test_a_network_whose_attention_somebody_chose_is_left_as_it_is():
    model = small("Bert", attention="eager")
    assert not model._packs
    assert model.network.config._attn_implementation == "eager"


def test_an_architecture_that_fails_when_packed_is_left_as_it_was(monkeypatch):
    monkeypatch.setattr("espalier.models.packing.Packing.packed", lambda *_: 1 / 0)
    model = small("Bert")
    assert not model._packs
    assert model.network.config._attn_implementation == "sdpa"
    assert not any(module._forward_pre_hooks or module._forward_hooks for module in model.network.modules())


def test_the_network_still_takes_padded_batches_from_others():
    model, rows = small("Bert"), rows_with_gaps(5)
    with torch.inference_mode():
        padded = model.network(**model.batch(rows)).logits.numpy()
    np.testing.assert_allclose(padded, model.outputs(rows), atol=1e-5)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_packed_row_has_the_same_bits_in_any_company_whatever_the_size_of_its_heads(threads):
    """Torch's own attention adds up differently on its first thread and on the others, for small heads."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        model, rows = small("Bert"), rows_with_gaps(40)
        assert model._packs
        together = model.outputs(rows)
        for company in (rows[:1], rows[3:10], rows[20:33], rows[::-1]):
            wanted = [together[next(index for index, row in enumerate(rows) if row is each)] for each in company]
            np.testing.assert_array_equal(model.outputs(company), wanted)
    finally:
        torch.set_num_threads(before)


def test_tokens_are_filled_up_to_a_multiple_and_the_copies_are_a_run_of_their_own():
    found = packing([1, 1, 4, 5], width=5, device=CPU)
    assert found.runs == [(0, 2, 1), (2, 1, 4), (6, 1, 5), (11, 1, 5)]
    assert len(found.places) == 2 * EIGHT
    assert found.tokens == 11
    assert found.places[:11].tolist() == [0, 5, 10, 11, 12, 13, 15, 16, 17, 18, 19]
    padded = torch.arange(1.0, 21.0).view(4, 5, 1)
    again = found.padded(found.packed(padded))
    assert again[2].flatten().tolist() == [11, 12, 13, 14, 0]
