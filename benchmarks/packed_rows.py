"""Rows of a causal transformer, each by itself, in packed batches: what sharing their beginnings is held against.

As `models.packing` runs a classifier's rows: all tokens of a batch are one long row without any padding, and attention,
torch's own, goes on within each row, those of one length together. Nothing is computed once for two rows.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

from espalier.models.causal.model import CausalModel
from espalier.models.causal.words import Continuations
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import FloatArray, TokenRow

BATCH_TOKENS = 768
ATTENTION = "benchmark-packed"

_runs: list[tuple[int, int, int]] = []
"""Rows of one length of the batch under way: where they start, how many they are, how long."""


def _attention(
    module: torch.nn.Module, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, _: Any, **settings: Any
) -> tuple[torch.Tensor, None]:
    answer = torch.empty_like(query.transpose(1, 2))
    for start, number, length in _runs:
        rows = slice(start, start + number * length)
        asks, keys, values = (
            each[0, :, rows].unflatten(1, (number, length)).transpose(0, 1) for each in (query, key, value)
        )
        found = scaled_dot_product_attention(
            asks, keys, values, is_causal=True, scale=settings.get("scaling"), enable_gqa=True
        )
        answer[0, rows].unflatten(0, (number, length)).copy_(found.transpose(1, 2))
    return answer, None


AttentionInterface.register(ATTENTION, _attention)
AttentionMaskInterface.register(ATTENTION, sdpa_mask)


class PackedRows:
    """The network of a language model without its trie, as far as words ask for it."""

    def __init__(self, model: CausalModel) -> None:
        self._network: Any = model.network
        self.logits = model.network.logits

    @torch.inference_mode()
    def ends(self, rows: Sequence[TokenRow]) -> torch.Tensor:
        """Hidden states at the rows' last tokens; rows come sorted by length."""
        lengths = [len(row.ids) for row in rows]
        _runs.clear()
        start = 0
        for length, same in groupby(lengths):
            number = len(list(same))
            _runs.append((start, number, length))
            start += number * length
        hidden = self._network.network.base_model(
            input_ids=torch.as_tensor(np.concatenate([row.ids for row in rows]))[None],
            position_ids=torch.as_tensor(np.concatenate([row.positions for row in rows]))[None],
            attention_mask=torch.ones((1, 1, 1, 1), dtype=torch.bool),
            use_cache=False,
        ).last_hidden_state[0]
        return hidden[torch.as_tensor(np.cumsum(lengths) - 1)]


def outputs(model: CausalModel, rows: Sequence[TokenRow], outcomes: Outcomes) -> FloatArray:
    """What the model says of all rows, none of which knows of another."""
    assert isinstance(outcomes.read, Continuations)
    order = sorted(range(len(rows)), key=lambda index: -len(rows[index].ids))
    found = np.empty((len(rows), len(outcomes.names)))
    with _packed(model) as network:
        while order:
            size = max(1, BATCH_TOKENS // len(rows[order[0]].ids))
            members, order = order[:size], order[size:]
            found[members] = outcomes.read.log_probabilities(network, [rows[each] for each in members])  # type: ignore[arg-type]
    return found


@contextmanager
def _packed(model: CausalModel) -> Iterator[PackedRows]:
    network: Any = model.network.network  # type: ignore[attr-defined]
    usual = network.config._attn_implementation
    network.set_attn_implementation(ATTENTION)
    try:
        yield PackedRows(model)
    finally:
        network.set_attn_implementation(usual)
