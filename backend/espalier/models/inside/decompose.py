"""Contextual decomposition of a bidirectional LSTM (Murdoch, Liu & Yu, 2018).

Every state of the network is written as a relevant part, made by the words of a phrase, and an irrelevant one, made by
all others and by what the two do together (section 3.2). The last states are linear in the logits, so the logits fall
apart in the same way.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import torch
from torch import nn

from espalier.models.inside.scene import Scene
from espalier.models.inside.scores import FloatArray, only_logits
from espalier.models.networks import BidirectionalLSTM
from espalier.scale import Scale

if TYPE_CHECKING:
    from espalier.models.word_model import WordModel

PHRASES_AT_ONCE = 512
"""Phrases are the batch: beyond some hundred a larger one is no faster, and only takes memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Decomposition:
    """Logits are relevant + irrelevant + bias for every phrase: float[phrases, classes] twice, and float[classes].

    The classifier's bias belongs to no word. Of the whole text nothing is irrelevant, so its relevant part is the
    logits minus that bias; of a phrase of no words nothing is relevant.
    """

    relevant: FloatArray
    irrelevant: FloatArray
    bias: FloatArray


class Parts(NamedTuple):
    """A tensor as the sum of three: float[phrases, …] twice, and what comes of the biases alone."""

    relevant: torch.Tensor
    irrelevant: torch.Tensor
    bias: torch.Tensor

    def total(self) -> torch.Tensor:
        return self.relevant + self.irrelevant + self.bias


@torch.inference_mode()
def decompose(model: "WordModel", *, game: Scene, scale: Scale, spans: Sequence[tuple[int, int]]) -> Decomposition:
    """Decompose the logits for every phrase: the players from `start` up to `end`."""
    only_logits(scale, "contextual decomposition takes logits apart")
    network = cast(BidirectionalLSTM, model.network)
    ids, _ = model.batch([game.encoding.row()])
    vectors = network.embedding(ids)[0]
    inside = torch.zeros((len(spans), len(vectors)), dtype=torch.bool, device=vectors.device)
    for row, (start, end) in zip(inside, spans, strict=True):
        row[[token for player in game.players[start:end] for token in player.tokens]] = True
    found = [_logits(network, vectors, some) for some in torch.split(inside, PHRASES_AT_ONCE)]
    relevant, irrelevant = (np.concatenate(parts).astype(np.float64) for parts in zip(*found, strict=True))
    return Decomposition(relevant, irrelevant, network.classifier.bias.double().cpu().numpy())


def _logits(network: BidirectionalLSTM, vectors: torch.Tensor, inside: torch.Tensor) -> list[FloatArray]:
    forward = _last_state(network.lstm, "l0", vectors, inside)
    backward = _last_state(network.lstm, "l0_reverse", vectors.flip(0), inside.flip(1))
    both = (torch.cat(sides, 1) for sides in zip(forward, backward, strict=True))
    return [nn.functional.linear(part, network.classifier.weight).cpu().numpy() for part in both]


def _last_state(
    lstm: nn.LSTM, direction: str, vectors: torch.Tensor, inside: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Relevant and irrelevant part of the last hidden state, float[phrases, hidden] each.

    What a product of gates becomes (section 3.2.1): relevant times relevant or bias is relevant, anything times
    irrelevant is irrelevant, and bias times bias goes to the side of the word that is being read.
    """
    recurrent = getattr(lstm, f"weight_hh_{direction}")
    biases = (getattr(lstm, f"bias_ih_{direction}") + getattr(lstm, f"bias_hh_{direction}")).chunk(4)
    words = vectors @ getattr(lstm, f"weight_ih_{direction}").T
    nothing = vectors.new_zeros(())
    relevant = irrelevant = cell_relevant = cell_irrelevant = vectors.new_zeros((len(inside), lstm.hidden_size))
    for word, belongs in zip(words, inside.T[..., None], strict=True):
        into_relevant = (relevant @ recurrent.T + torch.where(belongs, word, nothing)).chunk(4, dim=1)
        into_irrelevant = (irrelevant @ recurrent.T + torch.where(belongs, nothing, word)).chunk(4, dim=1)
        entry, forget, update, output = zip(into_relevant, into_irrelevant, biases, strict=True)
        i = _linearise(torch.sigmoid, *entry)
        f = _linearise(torch.sigmoid, *forget)
        g = _linearise(torch.tanh, *update)
        o = torch.sigmoid(sum(output, nothing))
        unmoved = i.bias * g.bias
        cell_irrelevant = (
            f.total() * cell_irrelevant
            + f.irrelevant * cell_relevant
            + i.irrelevant * g.total()
            + (i.relevant + i.bias) * g.irrelevant
            + torch.where(belongs, nothing, unmoved)
        )
        cell_relevant = (
            (f.relevant + f.bias) * cell_relevant
            + i.relevant * (g.relevant + g.bias)
            + i.bias * g.relevant
            + torch.where(belongs, unmoved, nothing)
        )
        shown = _linearise(torch.tanh, cell_relevant, cell_irrelevant, nothing)
        relevant, irrelevant = o * shown.relevant, o * shown.irrelevant
    return relevant, irrelevant


def _linearise(
    function: Callable[[torch.Tensor], torch.Tensor],
    relevant: torch.Tensor,
    irrelevant: torch.Tensor,
    bias: torch.Tensor,
) -> Parts:
    """A function of a sum as a sum: what each term adds, averaged over the orders of adding (section 3.2.2).

    The bias always comes first, and the word being read comes together with the state on its side: the authors' choice.
    """
    alone = function(bias)
    without_irrelevant, without_relevant = function(relevant + bias), function(irrelevant + bias)
    everything = function(relevant + irrelevant + bias)
    return Parts(
        (without_irrelevant - alone + everything - without_relevant) / 2,
        (without_relevant - alone + everything - without_irrelevant) / 2,
        alone,
    )
