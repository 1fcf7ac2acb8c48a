"""Gradients along the straight path from absent words to the text (integrated gradients; Sundararajan et al., 2017)."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, cast

import torch

from espalier.models.inside.scene import Scene, owned
from espalier.models.inside.scores import FloatArray, on_scale, per_player
from espalier.models.networks import BidirectionalLSTM, KimCNN
from espalier.models.protocol import refuse
from espalier.scale import Scale

if TYPE_CHECKING:
    from espalier.models.transformer import TransformerModel
    from espalier.models.word_model import WordModel

STEP_TOKENS = 2048
"""Tokens of all steps that go through the network at once: with its gradients a transformer then needs some 200 MB."""

Forward = Callable[[torch.Tensor], torch.Tensor]


@dataclass(frozen=True, slots=True, eq=False)
class PathGradients:
    """Each player's share, float[players], of the way from `base`, the output at the path's start, to `full`."""

    shares: FloatArray
    base: float
    full: float


def text_gradients(model: "TransformerModel", *, game: Scene, scale: Scale, target: int, steps: int) -> PathGradients:
    """The path of a transformer, over its word embeddings; positions, segments and special tokens stay as they are."""
    if "inputs_embeds" not in signature(model.network.forward).parameters:
        raise refuse(model, "gradients", ())
    inputs = model.batch([game.encoding.row()])
    ids = inputs.pop("input_ids")

    def forward(vectors: torch.Tensor) -> torch.Tensor:
        others = {name: value.expand(len(vectors), -1) for name, value in inputs.items()}
        return cast(torch.Tensor, model.network(inputs_embeds=vectors, **others).logits)

    start = _start(game, ids)
    embedding = model.network.get_input_embeddings()
    with torch.no_grad():
        return _integrate(forward, embedding(start), embedding(ids), game, scale, target, steps)


def word_gradients(model: "WordModel", *, game: Scene, scale: Scale, target: int, steps: int) -> PathGradients:
    """The path of a CNN or an LSTM, over its word vectors."""
    network = cast(KimCNN | BidirectionalLSTM, model.network)
    ids, length = model.batch([game.encoding.row()])

    def forward(vectors: torch.Tensor) -> torch.Tensor:
        # cuDNN has no backward pass for a recurrent network that is not being trained.
        with torch.backends.cudnn.flags(enabled=False):
            return network.from_vectors(vectors, length.expand(len(vectors)))

    start = _start(game, ids)
    with torch.no_grad():
        return _integrate(forward, network.embedding(start), network.embedding(ids), game, scale, target, steps)


def _start(game: Scene, ids: torch.Tensor) -> torch.Tensor:
    """The text with the stand-in of its reference in the place of every token that a player owns."""
    game.reference.need(lambda each: each.is_one_token, "gradients need one vector for an absent word")
    start, players = ids.clone(), owned(game)
    start[0, players] = torch.as_tensor(game.reference.stand_ins(), device=ids.device)[0, players]
    return start


def _integrate(
    forward: Forward,
    start: torch.Tensor,
    end: torch.Tensor,
    game: Scene,
    scale: Scale,
    target: int,
    steps: int,
) -> PathGradients:
    """The integral over vectors, float[1, tokens, vector], by Gauss-Legendre quadrature."""
    from captum.attr import IntegratedGradients  # takes seconds, and only two questions need it

    at_ends = on_scale(forward(torch.cat([start, end])), scale)[:, target].tolist()
    shares = IntegratedGradients(lambda vectors: on_scale(forward(vectors), scale)).attribute(
        end, start, target=target, n_steps=steps, internal_batch_size=max(1, STEP_TOKENS // end.shape[1])
    )
    return PathGradients(per_player(game, shares.detach()[0].sum(1).double().cpu().numpy()), *at_ends)
