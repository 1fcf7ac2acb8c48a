"""A body of Llama's kind, written out for the nodes of a trie.

transformers' own code is made for batches of texts, and takes many small steps between the products of a layer. Fewer
of them save a tenth of a pass of forty nodes, and some 6 % of a ladder of 20 words. Here queries and keys are turned
together as they come out of their product, and keys and values go where they are kept without being laid about first.
Numbers differ in their last bits.

What is written out is only what such networks have in common. Whether one has nothing else is tried when its weights
are laid out (see `transformer`): a network that says something else keeps its own code.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from espalier.models.causal.attention import Pass, among
from espalier.models.gated import Gated
from espalier.models.laid_out import LaidOut, Part

PARTS = {"self_attn", "mlp", "input_layernorm", "post_attention_layernorm"}
OF_ATTENTION = {"q_proj", "k_proj", "v_proj", "o_proj"}
"""What a layer and its attention consist of; one that has more does more."""


@dataclass(frozen=True, slots=True)
class Norm:
    """Rows brought to one length, in half the steps of torch's own."""

    weight: torch.Tensor
    epsilon: torch.Tensor

    def __call__(self, rows: torch.Tensor) -> torch.Tensor:
        length = torch.linalg.vector_norm(rows, dim=-1, keepdim=True)
        scale = torch.addcmul(self.epsilon, length, length, value=1 / rows.shape[-1]).rsqrt_()
        return (rows * scale).mul_(self.weight)


class Layer:
    """One layer of the body. Queries, keys and values are one product, and the last products of a block add to what is
    there already."""

    def __init__(self, layer: Any) -> None:
        self._attention = layer.self_attn
        self._size: int = layer.self_attn.head_dim
        self._scaling: float = layer.self_attn.scaling
        self._groups: int = layer.self_attn.num_key_value_groups
        self._before, self._between = _norm(layer.input_layernorm), _norm(layer.post_attention_layernorm)
        self._asking, self._answering = layer.self_attn.q_proj.product, layer.self_attn.o_proj
        self._gated = layer.mlp

    def __call__(self, rows: torch.Tensor, turns: torch.Tensor, this: Pass) -> torch.Tensor:
        nodes = len(this.places)
        heads = self._asking(self._before(rows)).unflatten(-1, (-1, self._size))
        keys = heads.shape[1] // (self._groups + 2)
        # The two halves of a head as one complex number each: a product turns them. Queries and keys then have their
        # numbers in another order than the network's own, both in the same.
        real, imaginary = heads[:, :-keys].chunk(2, dim=-1)
        turned = torch.view_as_real(torch.complex(real, imaginary).mul_(turns)).flatten(-2)
        asks, keyed, values = turned[:, :-keys], turned[:nodes, -keys:], heads[:nodes, -keys:]
        heard = among(this, self._attention, asks, keyed, values, self._scaling)
        rows = self._answering.onto(rows, heard.flatten(1))
        return self._gated.onto(rows, self._between(rows))


class Body:
    """All layers of a network whose weights are laid out."""

    def __init__(self, base: Any) -> None:
        self._words, self._turns, self._last = base.embed_tokens, base.rotary_emb, _norm(base.norm)
        self._layers = [Layer(each) for each in base.layers]

    def __call__(self, ids: torch.Tensor, positions: torch.Tensor, this: Pass) -> torch.Tensor:
        """Hidden states of the nodes of a pass, float[rows, size]. Rows beyond the nodes are copies of the last."""
        rows = self._words(ids)
        # Both halves of a head are turned by the same angles.
        cosine, sine = (each[0, :, None].chunk(2, dim=-1)[0] for each in self._turns(rows[None], positions[None]))
        turns = torch.complex(cosine, sine)
        for layer in self._layers:
            rows = layer(rows, turns, this)
        return self._last(rows)


def written_out(base: Any) -> Body | None:
    """The body of a network, if it looks like one of Llama's kind with its weights laid out."""
    names = {name for name, _ in base.named_children()}
    if names != {"embed_tokens", "layers", "norm", "rotary_emb"} or not all(map(_is_usual, base.layers)):
        return None
    return Body(base)


def _is_usual(layer: nn.Module) -> bool:
    parts = dict(layer.named_children())
    if set(parts) != PARTS or {name for name, _ in parts["self_attn"].named_children()} != OF_ATTENTION:
        return False
    attention, products = parts["self_attn"], parts["mlp"]
    return isinstance(attention.q_proj, Part) and isinstance(attention.o_proj, LaidOut) and isinstance(products, Gated)


def _norm(module: Any) -> Norm:
    weight = module.weight.detach()
    return Norm(weight, weight.new_tensor(module.variance_epsilon))
