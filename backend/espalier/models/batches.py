"""One row, one answer: batches in which a row's outputs do not depend on its company, bit for bit.

A matrix product adds up in an order that depends on the shapes it is given, so a row padded to another width, or run in
a batch of very few rows, differs in its last bits. Then an explanation would depend on what else the machine was doing,
on what a pool already knew and on which worker died, and could not be repeated. Rules make it a function of the row:

- attention and recurrence see a row at a width that is decided by the row alone;
- a matrix product always has a multiple of four rows, of eight where they are tokens, the missing ones being copies.
  (With one, two or three rows, or an odd few on two threads, other kernels are chosen; from there on, in such
  multiples, rows no longer notice.)

A transformer that can be packed (see `packing`) has its own lengths for widths and mixes them in one forward pass.
Others run every width on its own, in steps of about a sixth: every width costs a pass, and every step some padding.

All this was found by trying on x86 in single precision with one and two threads, for a transformer, an LSTM, a CNN and
a bag of words. It is not true of every processor by itself: where AVX-512 is as old as Cascade Lake's, torch's products
of fewer than sixteen rows had other bits, until MKL was told to be strict (`espalier/__init__.py`).
"""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from espalier.models.protocol import FloatArray, TokenRow

ROWS = 4
"""Rows come in multiples of this."""

LEAST_STEP = 2


@runtime_checkable
class HasWidths(Protocol):
    """A model that says how many places a row takes in a batch; for others it is the number of its tokens."""

    def width(self, row: TokenRow) -> int: ...


@runtime_checkable
class SharesBeginnings(Protocol):
    """A model that computes once what rows begin with."""

    batch_tokens: int
    """New tokens of one forward pass."""

    def arranged(self, rows: Sequence[TokenRow]) -> tuple[list[int], list[int]]:
        """In which order rows should come, so that those that begin alike share a batch, and how many tokens each of
        them (by its own index) adds to those before it."""
        ...


def stepped(length: int) -> int:
    """The width of a row that may be padded: a multiple of 2 up to 16, of 4 up to 32, of 8 up to 64, and so on."""
    step = max(LEAST_STEP, 1 << max((length - 1).bit_length() - 3, 0))
    return max(-(-length // step) * step, LEAST_STEP)


def filled(count: int) -> int:
    """How many rows a batch of `count` rows is run with."""
    return -(-count // ROWS) * ROWS


def by_width(
    rows: Sequence[TokenRow],
    width: Callable[[TokenRow], int],
    forward: Callable[[Sequence[TokenRow], int], FloatArray],
) -> FloatArray:
    """Outputs of rows of any widths, each width filled up and run by `forward(rows, width)` on its own."""
    groups: dict[int, list[int]] = {}
    for index, row in enumerate(rows):
        groups.setdefault(width(row), []).append(index)
    outputs: FloatArray | None = None
    for own_width, members in groups.items():
        chosen = [rows[index] for index in members]
        chosen += chosen[-1:] * (filled(len(chosen)) - len(chosen))
        found = forward(chosen, own_width)[: len(members)]
        if len(groups) == 1:
            return found
        if outputs is None:
            outputs = np.empty((len(rows), found.shape[1]), dtype=found.dtype)
        outputs[members] = found
    if outputs is None:
        raise ValueError("no rows: got none, possible are one or more")
    return outputs
