"""A causal transformer as far as explanations need it: the hidden state at the end of each row."""

import inspect
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

import numpy as np
import torch
from transformers import PreTrainedModel

from espalier.models.batches import by_width, stepped
from espalier.models.causal.attention import ATTENTION, Memory, Pass, among_ancestors
from espalier.models.causal.body import Body, written_out
from espalier.models.causal.next_tokens import EIGHT
from espalier.models.causal.trie import Growth, Trie, in_order, new_nodes
from espalier.models.laid_out import laid_out
from espalier.models.laying_out import lay_out
from espalier.models.protocol import FloatArray, TokenRow
from espalier.models.rounding import lower_body
from espalier.models.transfer import on_device
from espalier.problems import BadModel

PASS_NODES = 8192
"""New nodes of one forward pass, at most: those of a batch, and what their rows need besides."""

MEMORY_BYTES = 256 * 2**20
"""What the keys and values of known nodes may take: 5,800 nodes of a transformer of 135 million parameters."""

CUDA_MEMORY_BYTES = 2**30
"""On a GPU, where batches have thousands of nodes and there is nothing but them to fill its memory with."""

CUDA_MEMORY_SHARE = 0.125
"""Of what is free there, at most: other models want to be kept, too."""

MOST_NODES = 1 << 16


class CausalTransformer:
    """Rows in, hidden states out, in the fastest way that an architecture allows.

    With a trie (see `trie`) rows share what they begin with, within a batch and with earlier ones as long as there is
    memory. Whether an architecture can do that is tried at load; one that cannot runs every row by itself.
    """

    def __init__(self, name: str, network: PreTrainedModel, device: torch.device, max_length: int) -> None:
        self.name = name
        self.device = device
        self.network = network.to(device).eval()
        self._base: Any = network.base_model
        # A classifier's head is called so in all causal architectures that transformers knows.
        self._head: Any = network.get_output_embeddings() or getattr(network, "score", None)
        if self._head is None or self._base is network:
            raise BadModel(
                f"{name} has no head of words or classes: got {type(network).__name__}, possible is a causal language "
                "model or a classifier that reads its last token"
            )
        self._takes_positions = "position_ids" in inspect.signature(self._base.forward).parameters
        self._max_length = max_length
        self._last: torch.Tensor | None = None
        self._body: Body | None = None
        """The network's layers, where they can be written out for nodes."""
        self._remember(max_length)
        self.shares = self._try_sharing()

    @property
    def vocabulary(self) -> int:
        return int(self.network.get_input_embeddings().weight.shape[0])

    @property
    def computed(self) -> int:
        """Tokens that went through the network by way of the trie."""
        return self._trie.computed

    @torch.inference_mode()
    def ends(self, rows: Sequence[TokenRow]) -> torch.Tensor:
        """Hidden states at the rows' last tokens, float[rows, size]."""
        return self._shared(rows) if self.shares else self._alone(rows)

    @torch.inference_mode()
    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """Scores of all tokens of the vocabulary, or of all classes: for a few hidden states at a time."""
        return self._head(hidden)

    @torch.inference_mode()
    def everywhere(self, row: TokenRow) -> torch.Tensor:
        """Hidden states at all tokens of one row, float[tokens, size]."""
        return self._base(**self.batch([row], stepped(len(row.ids)))).last_hidden_state[0, : len(row.ids)]

    def arranged(self, rows: Sequence[TokenRow]) -> tuple[list[int], list[int]]:
        """In which order rows should come, and how many tokens each (by its own index) adds to those before it."""
        if not self.shares:
            widths = [self.width(row) for row in rows]
            return sorted(range(len(rows)), key=widths.__getitem__, reverse=True), widths
        order = in_order(rows)
        costs = [0] * len(rows)
        for index, adds in zip(order, new_nodes([rows[each] for each in order]), strict=True):
            costs[index] = max(1, adds)
        return order, costs

    def width(self, row: TokenRow) -> int:
        """How many places a row takes when it runs by itself."""
        return stepped(len(row.ids) if self._takes_positions else row.length)

    def forget(self) -> None:
        """Give up what is known: after a failure it may be half computed."""
        self._trie.clear()

    @torch.inference_mode()
    def lower(self, dtype: torch.dtype) -> None:
        lower_body(self.network, dtype)
        if self.shares:
            self._remember(self._max_length)
            self._shared(_probe(self.vocabulary))
            self._remember(self._room())

    def lay_out(self) -> None:
        lay_out(self._base)
        # The table of words stays as it is: texts are read with it, too.
        self._head = laid_out(self._head) or self._head
        if self.shares:
            self._write_out()
        self.forget()

    @torch.inference_mode()
    def _write_out(self) -> None:
        """Take the layers that are written out, if they say the same as the network's own."""
        probe = _probe(self.vocabulary)
        self.forget()
        expected = self._shared(probe)
        same = False
        # A network may be of Llama's kind by its names only: norms without weights, other sums.
        with suppress(Exception):
            self._body = written_out(self._base)
            self.forget()
            same = torch.allclose(self._shared(probe), expected, atol=1e-3, rtol=1e-3)
        if not same:
            self._body = None

    def _remember(self, capacity: int) -> None:
        self._trie, self._memory, self._last = Trie(capacity), Memory(capacity), None

    def _room(self) -> int:
        """How many nodes can be known at once, by what those of a probe have taken."""
        most = MEMORY_BYTES
        if self.device.type == "cuda":
            free, _ = torch.cuda.mem_get_info(self.device)
            most = min(CUDA_MEMORY_BYTES, int(CUDA_MEMORY_SHARE * free))
        return min(MOST_NODES, max(self._max_length, most // max(1, self._memory.bytes_per_node)))

    def _shared(self, rows: Sequence[TokenRow]) -> torch.Tensor:
        found: torch.Tensor | None = None
        try:
            for members, growth in self._trie.passes(rows, PASS_NODES):
                last = self._run(growth)
                if found is None:
                    found = last.new_empty((len(rows), last.shape[1]))
                found[members] = last[on_device(growth.ends, self.device)]
        except BaseException:
            self.forget()
            raise
        if found is None:
            raise ValueError("no rows: got none, possible are one or more")
        return found

    def _run(self, growth: Growth) -> torch.Tensor:
        """Compute what is new, and give the last hidden states of all nodes that are known."""
        if len(growth.ids):
            copies = -len(growth.ids) % EIGHT
            ids, positions = (np.pad(each, (0, copies), mode="edge") for each in (growth.ids, growth.positions))
            this = Pass(growth, self._memory, self.device)
            output = self._through(on_device(ids, self.device), on_device(positions, self.device), this)
            if self._last is None:
                self._last = output.new_empty((self._memory.capacity, output.shape[1]))
            self._last[this.places] = output[: len(growth.ids)]
        return cast(torch.Tensor, self._last)

    def _through(self, ids: torch.Tensor, positions: torch.Tensor, this: Pass) -> torch.Tensor:
        """Hidden states of the nodes of a pass, float[rows, size]."""
        if self._body is not None:
            return self._body(ids, positions, this)
        with among_ancestors(this):
            output = self._base(
                input_ids=ids[None],
                position_ids=positions[None],
                # A mask that is already made is passed on as it is; attention does not look at it.
                attention_mask=torch.ones((1, 1, 1, 1), dtype=torch.bool, device=self.device),
                use_cache=False,
            )
        return cast(torch.Tensor, output.last_hidden_state[0])

    def _alone(self, rows: Sequence[TokenRow]) -> torch.Tensor:
        return torch.as_tensor(by_width(rows, self.width, self._forward), device=self.device)

    def _forward(self, rows: Sequence[TokenRow], width: int) -> FloatArray:
        hidden = self._base(**self.batch(rows, width)).last_hidden_state
        ends = [(len(row.ids) if self._takes_positions else int(row.positions[-1]) + 1) - 1 for row in rows]
        found = hidden[torch.arange(len(rows)), ends]
        return cast(FloatArray, found.to(torch.promote_types(found.dtype, torch.float32)).cpu().numpy())

    def batch(self, rows: Sequence[TokenRow], width: int) -> dict[str, Any]:
        """Rows as tensors, one below the other. An architecture that counts positions itself gets gaps for what is
        absent, which nobody sees."""
        ids, seen, positions = (np.zeros((len(rows), width), dtype=np.int64) for _ in range(3))
        for index, row in enumerate(rows):
            at = np.arange(len(row.ids)) if self._takes_positions else row.positions
            ids[index, at], seen[index, at], positions[index, at] = row.ids, 1, row.positions
        batch = {"input_ids": ids, "attention_mask": seen}
        if self._takes_positions:
            batch["position_ids"] = positions
        tensors: dict[str, Any] = {name: on_device(value, self.device) for name, value in batch.items()}
        return tensors | {"use_cache": False}

    @torch.inference_mode()
    def _try_sharing(self) -> bool:
        """Whether this architecture gives the same hidden states through a trie."""
        usual = str(self.network.config._attn_implementation)
        probe = _probe(self.vocabulary)
        expected = self._alone(probe).cpu()
        whole = self.network(**self.batch(probe[-1:], len(probe[-1].ids))).logits.flatten(0, -2)[-1]
        if not torch.allclose(self.logits(expected[-1:].to(self.device))[0], whole, atol=1e-3, rtol=1e-3):
            raise BadModel(
                f"{self.name} does more to its scores than its head says: got {type(self.network).__name__}, possible "
                "are architectures whose scores are a matrix times the last hidden state"
            )
        works = False
        # An architecture of another kind may fail in any way it likes.
        with suppress(Exception):
            if not self._takes_positions or usual != "sdpa":
                raise ValueError("no positions, or no attention of the kind that can be told who sees whom")
            self.network.set_attn_implementation(ATTENTION)
            works = torch.allclose(self._shared(probe).cpu(), expected, atol=1e-3, rtol=1e-3)
        if not works:
            self.network.set_attn_implementation(usual)
            return False
        self._remember(self._room())
        return True


def _probe(vocabulary: int) -> list[TokenRow]:
    """Rows that share beginnings, with gaps in different places."""
    ids = np.arange(12, dtype=np.int64) % vocabulary
    kept = ([0], [0, 1, 2, 3], [0, 1, 2, 3, 7, 8], [0, 1, 4, 5, 6], [0, 5, 11], list(range(12)))
    return [TokenRow(ids[each], np.asarray(each, dtype=np.int64), len(ids)) for each in kept]
