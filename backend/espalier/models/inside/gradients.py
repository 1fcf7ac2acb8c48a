"""Gradients along the straight path from absent words to the text (integrated gradients; Sundararajan et al., 2017)."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, cast

import torch

from espalier.models.inside.scene import Scene, owned
from espalier.models.inside.scores import FloatArray, on_scale, per_player
from espalier.models.networks import BidirectionalLSTM, KimCNN
from espalier.models.protocol import refuse
from espalier.scale import Scale

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from espalier.models.causal.classifier import CausalClassifier
    from espalier.models.transformer import TransformerModel
    from espalier.models.word_model import WordModel

STEP_TOKENS = 2048
"""Tokens of all steps that go through the network at once: with its gradients a transformer of `USUAL_SIZE` then needs
some 200 MB. One that is larger takes fewer."""

USUAL_SIZE = 6 * 384
"""Layers times the numbers of a hidden state."""

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
    return _over_embeddings(model.network, model.batch([game.encoding.row()]), game, scale, target, steps)


def causal_gradients(model: "CausalClassifier", *, game: Scene, scale: Scale, target: int, steps: int) -> PathGradients:
    """The path of a classifier that reads the last token of a text."""
    whole = game.encoding.row()
    inputs = model.network.batch([whole], len(whole.ids))
    return _over_embeddings(model.network.network, inputs, game, scale, target, steps)


def _over_embeddings(
    network: "PreTrainedModel", inputs: dict[str, Any], game: Scene, scale: Scale, target: int, steps: int
) -> PathGradients:
    ids = inputs.pop("input_ids")
    tensors = {name: value for name, value in inputs.items() if isinstance(value, torch.Tensor)}

    def forward(vectors: torch.Tensor) -> torch.Tensor:
        others = inputs | {name: value.expand(len(vectors), -1) for name, value in tensors.items()}
        return cast(torch.Tensor, network(inputs_embeds=vectors.to(embedding.weight.dtype), **others).logits)

    start = _start(game, ids)
    embedding: Any = network.get_input_embeddings()
    size = getattr(network.config, "num_hidden_layers", 1) * getattr(network.config, "hidden_size", 1)
    most = STEP_TOKENS * USUAL_SIZE // max(size, USUAL_SIZE)
    with torch.no_grad():
        # The path and its gradients are in single precision, whatever the network computes in.
        ends = embedding(start).float(), embedding(ids).float()
        return _integrate(forward, *ends, game, scale, target, steps, most)


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
    most_tokens: int = STEP_TOKENS,
) -> PathGradients:
    """The integral over vectors, float[1, tokens, vector], by Gauss-Legendre quadrature."""
    from captum.attr import IntegratedGradients  # takes seconds, and only two questions need it

    at_ends = on_scale(forward(torch.cat([start, end])), scale)[:, target].tolist()
    shares = IntegratedGradients(lambda vectors: on_scale(forward(vectors), scale)).attribute(
        end, start, target=target, n_steps=steps, internal_batch_size=max(1, most_tokens // end.shape[1])
    )
    return PathGradients(per_player(game, shares.detach()[0].sum(1).double().cpu().numpy()), *at_ends)
