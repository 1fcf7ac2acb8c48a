"""Packing: rows of any lengths through one forward pass, without padding.

All of a transformer but its attention treats every token alone. So the tokens of all rows go through the encoder as one
long row, and attention alone is told where each row begins and ends. A batch costs what its tokens cost: rows of
different lengths need neither padding nor passes of their own, which is most of the time of a method that asks step by
step, a few rows of many lengths at a time.

A head mostly reads the first token of a row only. Then the last layer, behind its attention, computes only those: an
eighth of the work of six layers.

It uses the place transformers offers for attention functions, and hooks around the encoder; embeddings and head see the
padded batch as always. Whether an architecture allows either is tried at load: what cannot be packed is padded.

A row's outputs stay a function of the row alone, bit for bit (see `batches`): rows and tokens come in multiples of
eight, the missing ones being short or copies, and nobody reads them.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface, PreTrainedModel
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

from espalier.models.transfer import on_device

EIGHT = 8
"""Rows and tokens come in multiples of this: other counts choose other kernels for the last ones."""

ATTENTION = "espalier-packed"


@dataclass(frozen=True, slots=True, eq=False)
class Packing:
    """Where the tokens of a padded batch lie in the long row."""

    shape: tuple[int, int]
    """Of the padded batch."""
    places: torch.Tensor
    """Of each packed token in the padded batch, counted row after row."""
    tokens: int
    """Of the batch; the ones after them are copies."""
    runs: list[tuple[int, int, int]]
    """Rows of one length, which attention takes together: where they start, how many they are, how long."""
    firsts: torch.Tensor
    """Where each row begins in the long row."""

    def packed(self, padded: torch.Tensor) -> torch.Tensor:
        return padded.flatten(0, 1)[self.places][None]

    def padded(self, packed: torch.Tensor) -> torch.Tensor:
        """Back from the long row, or from the rows' first tokens: the others are zero then."""
        padded = packed.new_zeros(self.shape[0] * self.shape[1], packed.shape[-1])
        if packed.shape[1] == len(self.places):
            padded[self.places[: self.tokens]] = packed[0, : self.tokens]
        else:
            padded[self.places[self.firsts]] = packed[0]
        return padded.unflatten(0, self.shape)


def packing(lengths: Sequence[int], width: int, device: torch.device) -> Packing:
    """Of rows sorted by length, padded to `width`."""
    places = np.flatnonzero(np.arange(width) < np.asarray(lengths)[:, None])
    copies = -len(places) % EIGHT
    runs, start = [], 0
    for length, rows in groupby(lengths):
        count = len(list(rows))
        runs.append((start, count, length))
        start += count * length
    if copies:
        runs.append((start, 1, copies))
    everywhere = on_device(np.concatenate([places, np.repeat(places[-1:], copies)]), device)
    firsts = on_device(np.cumsum([0, *lengths[:-1]]), device)
    return Packing((len(lengths), width), everywhere, len(places), runs, firsts)


def attention(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    packed_rows: Packing | None = None,
    **settings: Any,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Each row among its own tokens. Batches that are not packed are attended to as usual."""
    if packed_rows is None:
        return sdpa_attention_forward(module, query, key, value, attention_mask, **settings)
    attend: Callable[..., torch.Tensor] = scaled_dot_product_attention
    if query.device.type == "cpu" and not _is_steady(
        query.shape[1], query.shape[-1], query.dtype, torch.get_num_threads()
    ):
        attend = _written_out
    one_after_another = [each.transpose(1, 2)[0] for each in (query, key, value)]
    answer = torch.empty_like(one_after_another[0])
    for start, count, length in packed_rows.runs:
        rows = slice(start, start + count * length)
        asks, keys, values = (each[rows].unflatten(0, (count, length)).transpose(1, 2) for each in one_after_another)
        found = attend(asks, keys, values, scale=settings.get("scaling"))
        answer[rows].unflatten(0, (count, length)).copy_(found.transpose(1, 2))
    return answer[None], None


@cache
def _is_steady(heads: int, size: int, dtype: torch.dtype, threads: int) -> bool:
    """Whether torch's own attention adds up a row in the same order in any company. It does for heads of usual sizes;
    for heads of eight numbers it does not on several threads, nor for single heads."""
    generator = torch.Generator().manual_seed(0)
    for length in (1, 3, 5, 7, 9, 11, 15, 17, 23, 31, 33, 63):
        asks, keys, values = (torch.randn(8, heads, length, size, generator=generator).to(dtype) for _ in range(3))
        together = scaled_dot_product_attention(asks, keys, values)
        for rows in (slice(0, 1), slice(1, 2), slice(0, 3), slice(2, 7)):
            if not torch.equal(scaled_dot_product_attention(asks[rows], keys[rows], values[rows]), together[rows]):
                return False
    return True


def _written_out(asks: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, scale: float | None) -> torch.Tensor:
    """The same, step by step, each of which is a product for every row and head: those notice no company unless they
    are alone."""
    alone = len(asks) == 1
    asks, keys, values = (each.repeat(2, 1, 1, 1) if alone else each for each in (asks, keys, values))
    scores = asks @ keys.transpose(-2, -1) * (scale or asks.shape[-1] ** -0.5)
    weights = torch.softmax(scores, dim=-1, dtype=torch.promote_types(scores.dtype, torch.float32)).to(values.dtype)
    return (weights @ values)[: len(asks) // 2 if alone else None]


AttentionInterface.register(ATTENTION, attention)
AttentionMaskInterface.register(ATTENTION, sdpa_mask)


class Hooks:
    """Around a network's encoder: into the long row before its layers, back into the padded batch after them."""

    def __init__(self, network: PreTrainedModel, first_tokens: bool) -> None:
        self._network = network
        self._attention: str = network.config._attn_implementation
        self._firsts: torch.Tensor | None = None
        base = network.base_model
        encoder: Any = getattr(base, "encoder", None) or getattr(base, "transformer", None)
        if self._attention != "sdpa" or encoder is None:
            raise ValueError("no attention or no encoder of the kind that can be packed")
        self._hooks = []
        if first_tokens:
            last = encoder.layer[-1].attention
            finds, adds = last.self, last.output
            self._hooks += [
                finds.register_forward_hook(self._choose, with_kwargs=True),
                adds.register_forward_pre_hook(self._choose_the_same),
            ]
        self._hooks += [
            encoder.register_forward_pre_hook(_pack, with_kwargs=True),
            encoder.register_forward_hook(_unpack, with_kwargs=True),
        ]
        network.set_attn_implementation(ATTENTION)

    def remove(self) -> None:
        for hook in self._hooks:
            hook.remove()
        self._network.set_attn_implementation(self._attention)

    def _choose(self, _: Any, __: Any, named: dict[str, Any], output: tuple[torch.Tensor, Any]) -> Any:
        """Of what the last attention found, the rows' first tokens."""
        packed_rows: Packing | None = named.get("packed_rows")
        if packed_rows is None:
            return output
        self._firsts = packed_rows.firsts
        return output[0][:, self._firsts], *output[1:]

    def _choose_the_same(self, _: Any, given: tuple[torch.Tensor, torch.Tensor]) -> Any:
        """Of what went into it and is added again."""
        firsts, self._firsts = self._firsts, None
        return given if firsts is None else (given[0], given[1][:, firsts])


def _pack(_: torch.nn.Module, given: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any]:
    packed_rows: Packing | None = named.get("packed_rows")
    if packed_rows is None:
        return given, named
    padded, *others = given if given else (named.pop("hidden_states"),)
    return (packed_rows.packed(padded), *others), named


def _unpack(_: torch.nn.Module, __: tuple[Any, ...], named: dict[str, Any], output: Any) -> Any:
    packed_rows: Packing | None = named.get("packed_rows")
    if packed_rows is not None:
        output.last_hidden_state = packed_rows.padded(output.last_hidden_state)
    return output


def pack(network: PreTrainedModel, works: Callable[[], bool]) -> bool:
    """Make a network take packed rows, in the fastest way that `works`. One that cannot is left as it was."""
    for first_tokens in (True, False):
        hooks: Hooks | None = None
        # An architecture of another kind may fail in any way it likes.
        with suppress(Exception):
            hooks = Hooks(network, first_tokens)
            if works():
                return True
        if hooks is not None:
            hooks.remove()
    return False
