"""Attention in a trie: each node among its ancestors.

All of a transformer but its attention treats every token alone, so the new nodes of a trie go through it as one long
row, in any order. Attention alone is told who may see whom: keys and values of every node are kept under its place,
and a node's own ancestors are gathered from there. Nodes of similar depths go together, filled up to the next multiple
of eight with places that count for nothing: each depth by itself would be many small products.

The other way, one masked pass in which everybody sees everybody or minus infinity, costs the square of the nodes and
adds up in an order that depends on the company. Here the shapes of a node's sums are decided by its depth alone, so
that its numbers are the same bits in any company (see `models.batches`).

It uses the place transformers offers for attention functions, in the way of `models.packing`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import groupby
from typing import Any

import numpy as np
import torch
from transformers import AttentionInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

from espalier.models.causal.next_tokens import EIGHT
from espalier.models.causal.trie import Growth
from espalier.models.protocol import IntArray
from espalier.models.transfer import on_device

ATTENTION = "espalier-trie"


class Memory:
    """Keys and values of a trie's nodes, for every attention module of a network."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._kept: dict[torch.nn.Module, torch.Tensor] = {}

    @property
    def bytes_per_node(self) -> int:
        return sum(kept[0].nbytes for kept in self._kept.values())

    def keep(
        self, module: torch.nn.Module, places: torch.Tensor, keys: torch.Tensor, values: torch.Tensor
    ) -> torch.Tensor:
        """Keep the keys and values of new nodes, each float[nodes, heads, size], and give those of all places,
        float[places, 2, heads, size]."""
        kept = self._kept.get(module)
        if kept is None:
            _, heads, size = keys.shape
            # Reserved, not touched: an operating system gives the memory as it is filled.
            kept = self._kept[module] = keys.new_empty((self.capacity, 2, heads, size))
        for part, found in enumerate((keys, values)):
            kept[:, part].index_copy_(0, places, found)
        return kept


class Band:
    """New nodes of depths that are filled up to one width: where they lie in the long row, and whom they see."""

    def __init__(self, start: int, levels: Sequence[IntArray], width: int, device: torch.device) -> None:
        self.rows = slice(start, start + sum(map(len, levels)))
        # A node itself stands in for those that it does not have: its own key is finite, and not counted twice.
        paths = np.concatenate([np.pad(level, ((0, 0), (0, width - level.shape[1])), mode="edge") for level in levels])
        depths = np.concatenate([np.full(len(level), level.shape[1]) for level in levels])
        # In multiples of eight, the missing ones being copies: fewer choose other kernels.
        copies = -len(paths) % EIGHT
        paths, depths = np.pad(paths, ((0, copies), (0, 0)), mode="edge"), np.pad(depths, (0, copies), mode="edge")
        hidden = np.where(np.arange(width) < depths[:, None], np.float32(0), np.float32(-np.inf))
        self.asking = on_device(np.minimum(start + np.arange(len(paths)), self.rows.stop - 1), device)
        self._paths = on_device(paths, device)
        self._hidden = on_device(hidden, device)
        self._seen: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def seen(self, kept: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Keys and values that the nodes see, each float[nodes * heads, width, size], and what to add to their scores,
        float[nodes * heads, 1, width]: nothing, or minus infinity for a place that only fills up."""
        _, _, heads, size = kept.shape
        if heads not in self._seen:
            parts = torch.arange(2, device=kept.device)[:, None, None, None] * heads
            head = torch.arange(heads, device=kept.device)[None, None, :, None]
            where = (self._paths[None, :, None, :] * (2 * heads) + parts + head).flatten()
            self._seen[heads] = where, self._hidden.repeat_interleave(heads, dim=0)[:, None]
        where, hidden = self._seen[heads]
        keys, values = kept.view(-1, size).index_select(0, where).view(2, -1, self._paths.shape[1], size)
        return keys, values, hidden


class Pass:
    """One forward pass over the new nodes of a trie."""

    def __init__(self, growth: Growth, memory: Memory, device: torch.device) -> None:
        self.memory = memory
        self.places = on_device(growth.places, device)
        self.bands: list[Band] = []
        start = 0
        # Levels come by depth, so that those of one width are neighbours.
        for width, levels in groupby(growth.levels, lambda level: -(-level.shape[1] // EIGHT) * EIGHT):
            self.bands.append(Band(start, list(levels), width, device))
            start = self.bands[-1].rows.stop


_under_way: ContextVar[Pass | None] = ContextVar("pass", default=None)


@contextmanager
def among_ancestors(this: Pass) -> Iterator[None]:
    """Inside, networks whose attention is `ATTENTION` take their one long row for the nodes of this pass."""
    token = _under_way.set(this)
    try:
        yield
    finally:
        _under_way.reset(token)


def attention(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    **settings: Any,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Each node among its ancestors. Outside of a pass rows are attended to as usual."""
    this = _under_way.get()
    if this is None:
        return sdpa_attention_forward(module, query, key, value, attention_mask, **settings)
    asks, keys, values = (each[0].transpose(0, 1) for each in (query, key, value))
    count = len(this.places)
    scaling = settings.get("scaling") or query.shape[-1] ** -0.5
    return among(this, module, asks, keys[:count], values[:count], scaling)[None], None


def among(
    this: Pass,
    module: torch.nn.Module,
    asks: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
    scaling: float,
) -> torch.Tensor:
    """What the rows of a pass hear, each from its ancestors and itself, float[rows, heads, size]. Rows beyond the
    nodes, copies that fill up, see nothing, and nobody sees them: they have no keys and values."""
    kept = this.memory.keep(module, this.places, keys, values)
    heads, groups = keys.shape[1], asks.shape[1] // keys.shape[1]
    # A processor's products in half precision notice their company; those in single precision do not.
    within = torch.promote_types(asks.dtype, torch.float32) if asks.device.type == "cpu" else asks.dtype
    answer = torch.empty_like(asks)
    answer[len(this.places) :] = 0
    # In half precision sums of products that are not scaled yet may be beyond all numbers.
    asks = asks.to(within) * scaling
    for band in this.bands:
        known_keys, known_values, hidden = (each.to(within) for each in band.seen(kept))
        # Heads that share keys ask as if they were tokens of one text. Keys come first in the product, and queries are
        # laid out for it: the other way round it takes two to three times as long.
        own = asks.index_select(0, band.asking).reshape(len(known_keys), groups, -1).transpose(1, 2).contiguous()
        # Written out: torch's own attention adds up differently on its first thread and on the others.
        said = torch.bmm(known_keys, own).transpose(1, 2)
        scores = torch.add(hidden, said, out=said.new_empty(said.shape))
        weights = torch.softmax(scores, dim=-1, dtype=torch.promote_types(scores.dtype, torch.float32))
        found = torch.bmm(weights.to(known_values.dtype), known_values)
        answer[band.rows] = found.view(-1, heads * groups, found.shape[-1])[: band.rows.stop - band.rows.start]
    return answer


AttentionInterface.register(ATTENTION, attention)
AttentionMaskInterface.register(ATTENTION, sdpa_mask)
