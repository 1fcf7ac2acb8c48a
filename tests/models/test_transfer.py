"""Numbers of a batch on their way to the device, and everything of a forward pass on that device alone."""

import numpy as np
import pytest
import torch
from tests.models.causal.conftest import network as causal_network
from tests.models.causal.test_trie import rows_of
from tests.models.masked.made import masked_model
from tests.models.test_packing import rows_with_gaps, small

from espalier.models.causal.transformer import CausalTransformer
from espalier.models.packing import packing
from espalier.models.protocol import TokenRow
from espalier.models.sources import source_of
from espalier.models.transfer import on_device
from espalier.models.word_model import load_word_model
from espalier.text import read

CPU, GPU, NOWHERE = torch.device("cpu"), torch.device("cuda:1"), torch.device("meta")
NUMBERS = np.arange(12, dtype=np.int64).reshape(3, 4)


def test_on_a_processor_nothing_is_copied():
    found = on_device(NUMBERS, CPU)
    assert not found.is_pinned()
    assert found.data_ptr() == NUMBERS.ctypes.data


def test_to_a_gpu_numbers_go_through_pinned_memory_and_nobody_waits(monkeypatch: pytest.MonkeyPatch):
    """What is asked of torch, on a machine that may have no GPU: the copy itself stays on the processor."""
    steps: list[object] = []

    def pinned(self: torch.Tensor) -> torch.Tensor:
        steps.append("pinned")
        return self.clone()

    def sent(self: torch.Tensor, device: torch.device, non_blocking: bool = False) -> torch.Tensor:
        steps.append((device, non_blocking))
        return self

    monkeypatch.setattr(torch.Tensor, "pin_memory", pinned)
    monkeypatch.setattr(torch.Tensor, "to", sent)
    # A view whose numbers do not lie beside each other, as the last column of a table of paths.
    assert on_device(NUMBERS[:, -1], GPU).tolist() == [3, 7, 11]
    assert steps == ["pinned", (GPU, True)]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
def test_on_a_gpu_the_same_numbers_arrive():
    found = on_device(NUMBERS, torch.device("cuda"))
    assert found.device.type == "cuda"
    np.testing.assert_array_equal(found.cpu().numpy(), NUMBERS)


# "meta" is a device without memory. What is computed there has a shape and no numbers, and torch refuses to compute
# with a tensor that was left on the processor, as it would beside a GPU.


@pytest.mark.parametrize("name", ["Bert", "Roberta", "DistilBert"])
@torch.inference_mode()
def test_a_batch_of_a_transformer_is_on_its_device_and_so_is_all_that_is_made_of_it(name):
    model, rows = small(name), sorted(rows_with_gaps(8), key=lambda row: len(row.ids))
    assert model._packs
    model.network.to(NOWHERE)
    model.device = NOWHERE
    batch = model.batch(rows)
    assert {each.device for each in (*batch.values(), *model._with_gaps(rows).values())} == {NOWHERE}
    del batch["attention_mask"]
    where = packing([len(row.ids) for row in rows], batch["input_ids"].shape[1], NOWHERE)
    scores = model.network(**batch, packed_rows=where).logits
    assert (scores.device, scores.shape) == (NOWHERE, (8, 3))


@pytest.mark.parametrize("architecture", ["llama", "gpt2", "gpt-neox"])
@torch.inference_mode()
def test_a_pass_over_a_trie_is_on_its_device(architecture):
    model = CausalTransformer("tiny", causal_network(architecture), CPU, 96)
    assert model.shares
    model.network.to(NOWHERE)
    model.device = NOWHERE
    model._remember(400)
    hidden = model.ends(rows_of(10))
    assert (hidden.device, hidden.shape) == (NOWHERE, (10, 48))
    assert model.logits(hidden).device == NOWHERE


@torch.inference_mode()
def test_a_tensor_that_stays_on_the_processor_is_noticed():
    """What the tests above go by."""
    model = CausalTransformer("tiny", causal_network("llama"), CPU, 96)
    model.network.to(NOWHERE)
    model._remember(400)
    with pytest.raises(RuntimeError, match="device"):
        model.ends(rows_of(4))


@torch.inference_mode()
def test_hidden_states_of_a_masked_model_are_on_its_device():
    model = masked_model("bert")
    row = model.encode(read("the film is ___ good")).row()
    rows = [row, TokenRow(row.ids[1:], row.positions[1:], row.length, row.read_at)]
    assert model._packs
    model.network.to(NOWHERE)
    model.device = model._head._device = NOWHERE
    hidden = model.hidden(rows)
    assert (hidden.device, hidden.shape) == (NOWHERE, (2, 32))
    assert model._head.logits(hidden).device == NOWHERE


@pytest.mark.parametrize("family", ["bow", "cnn"])
def test_a_word_model_is_where_it_was_told_to_be(word_folder, family):
    source = source_of(str(word_folder / family), {})
    model = load_word_model(source.name, source.own_folder(), NOWHERE)
    scores = model.network(*model.batch([TokenRow(np.array([2, 3]), np.array([0, 2]), 4)] * 2))
    assert (scores.device, scores.shape) == (NOWHERE, (2, 2))
