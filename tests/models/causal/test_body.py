"""Layers that are written out for nodes: the numbers of the network's own code, and the same bits in any company."""

import numpy as np
import pytest
import torch
from tests.models.causal.conftest import ARCHITECTURES, network
from tests.models.causal.test_trie import rows_of, threads
from transformers import (
    GraniteConfig,
    GraniteForCausalLM,
    OlmoConfig,
    OlmoForCausalLM,
    PreTrainedModel,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from espalier.models.causal.transformer import CausalTransformer

__all__ = ["threads"]

OF_LLAMAS_KIND = {"llama", "qwen2"}

TINY = {
    "vocab_size": 300,
    "hidden_size": 48,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "max_position_embeddings": 96,
}


def laid_out(plain: PreTrainedModel) -> CausalTransformer:
    model = CausalTransformer("tiny", plain, torch.device("cpu"), 96)
    assert model.shares
    model.lay_out()
    return model


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_networks_of_llamas_kind_are_written_out_and_say_the_same(architecture: str) -> None:
    rows = rows_of(40)
    expected = CausalTransformer("tiny", network(architecture), torch.device("cpu"), 96).ends(rows)
    model = laid_out(network(architecture))
    assert (model._body is not None) == (architecture in OF_LLAMAS_KIND)
    torch.testing.assert_close(model.ends(rows), expected, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("architecture", sorted(OF_LLAMAS_KIND))
def test_a_row_has_the_same_bits_in_any_company(architecture: str, threads: int) -> None:
    model, rows = laid_out(network(architecture)), rows_of(60)
    together = model.ends(rows)
    for number in range(0, len(rows), 7):
        model.forget()
        assert torch.equal(model.ends([rows[number]])[0], together[number])
    model.forget()
    mixed = np.random.default_rng(1).permutation(len(rows))
    for some in np.array_split(mixed, 5):  # each batch after those before it, whose tokens are remembered
        assert torch.equal(model.ends([rows[each] for each in some]), together[some])


@pytest.mark.parametrize(
    "other",
    [
        # More parts than Llama's.
        lambda: Qwen3ForCausalLM(Qwen3Config(**TINY, head_dim=8)),
        # The same parts, put together in another way.
        lambda: GraniteForCausalLM(GraniteConfig(**TINY, residual_multiplier=0.3, embedding_multiplier=2.0)),
        # Norms of the same names without weights.
        lambda: OlmoForCausalLM(OlmoConfig(**TINY)),
    ],
)
def test_a_network_that_does_more_keeps_its_own_code(other) -> None:
    networks = []
    for _ in range(2):
        torch.manual_seed(3)
        networks.append(other().eval())
    rows = rows_of(20)
    expected = CausalTransformer("tiny", networks[0], torch.device("cpu"), 96).ends(rows)
    model = laid_out(networks[1])
    assert model._body is None
    torch.testing.assert_close(model.ends(rows), expected, atol=2e-5, rtol=1e-4)
