"""The word-level LSTM as a network of next words: its state is carried along the same trie of rows.

A word that is absent was simply not read, so positions mean nothing here: `pad` and `delete` are the same, and rows
that have read the same words share everything.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn.functional import linear

from espalier.models.causal.next_tokens import EIGHT
from espalier.models.causal.trie import Growth, Trie, in_order, new_nodes
from espalier.models.next_word import NextWordLSTM
from espalier.models.protocol import IntArray, TokenRow
from espalier.models.transfer import on_device

MEMORY_BYTES = 64 * 2**20
PASS_NODES = 8192


class CausalLSTM:
    """States of the nodes of a trie: one step of all new nodes of a depth at a time, from their parents' states."""

    def __init__(self, network: NextWordLSTM, device: torch.device) -> None:
        self.device = device
        self.network = network.to(device).eval()
        lstm = network.lstm
        per_node = 4 * (2 * lstm.num_layers * lstm.hidden_size + network.embedding.embedding_dim)
        capacity = MEMORY_BYTES // per_node
        self._trie = Trie(capacity)
        # Hidden and cell states; the last place is the state before anything was read.
        self._states = torch.zeros((capacity + 1, 2, lstm.num_layers, lstm.hidden_size), device=device)
        self._features = torch.zeros((capacity, network.embedding.embedding_dim), device=device)

    @property
    def vocabulary(self) -> int:
        return self.network.embedding.num_embeddings

    @property
    def computed(self) -> int:
        return self._trie.computed

    @torch.inference_mode()
    def ends(self, rows: Sequence[TokenRow]) -> torch.Tensor:
        found = self._features.new_empty((len(rows), self._features.shape[1]))
        try:
            for members, growth in self._trie.passes([_read(row) for row in rows], PASS_NODES):
                self._run(growth)
                found[members] = self._features[on_device(growth.ends, self.device)]
        except BaseException:
            self.forget()
            raise
        return found

    @torch.inference_mode()
    def everywhere(self, row: TokenRow) -> torch.Tensor:
        ends = [TokenRow(row.ids[:end], row.positions[:end], end) for end in range(1, len(row.ids) + 1)]
        return self.ends(ends)

    @torch.inference_mode()
    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        return self.network.logits(hidden)

    def arranged(self, rows: Sequence[TokenRow]) -> tuple[list[int], list[int]]:
        read = [_read(row) for row in rows]
        order = in_order(read)
        costs = [0] * len(rows)
        for index, adds in zip(order, new_nodes([read[each] for each in order]), strict=True):
            costs[index] = max(1, adds)
        return order, costs

    def forget(self) -> None:
        self._trie.clear()

    def _run(self, growth: Growth) -> None:
        start = 0
        for paths in growth.levels:
            self._step(growth.ids[start : start + len(paths)], paths)
            start += len(paths)

    def _step(self, ids: IntArray, paths: IntArray) -> None:
        """Read one more word after each of some nodes."""
        count, nowhere = len(ids), len(self._states) - 1
        parents = paths[:, -2] if paths.shape[1] > 1 else np.full(count, nowhere)
        copies = (0, -count % EIGHT)
        filled = on_device(np.pad(ids, copies, mode="edge"), self.device)
        before = self._states[on_device(np.pad(parents, copies, mode="edge"), self.device)]
        features, after = self._cell(filled, before)
        places = on_device(paths[:, -1], self.device)
        self._states[places] = after[:count]
        self._features[places] = features[:count]

    def _cell(self, ids: torch.Tensor, states: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The network's own step, written out: the library's recurrence adds up as it likes in other batches."""
        lstm = self.network.lstm
        given = self.network.embedding(ids)
        after = torch.empty_like(states)
        for layer in range(lstm.num_layers):
            input_weight, hidden_weight, input_bias, hidden_bias = lstm.all_weights[layer]
            hidden, cell = states[:, 0, layer], states[:, 1, layer]
            gates = linear(given, input_weight, input_bias) + linear(hidden, hidden_weight, hidden_bias)
            enters, forgets, new, leaves = gates.chunk(4, dim=1)
            cell = torch.sigmoid(forgets) * cell + torch.sigmoid(enters) * torch.tanh(new)
            given = torch.sigmoid(leaves) * torch.tanh(cell)
            after[:, 0, layer], after[:, 1, layer] = given, cell
        return self.network.projection(given), after


def _read(row: TokenRow) -> TokenRow:
    """A row as it was read: one word after the other, wherever they stood."""
    return TokenRow(row.ids, np.arange(len(row.ids)), len(row.ids))
