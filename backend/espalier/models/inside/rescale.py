"""DeepLIFT through Kim's CNN: a difference in the output handed back to the words (Shrikumar et al., 2017)."""

import warnings
from typing import TYPE_CHECKING, cast

import torch
from torch import nn

from espalier.models.inside.scene import Scene, owned
from espalier.models.inside.scores import FloatArray, only_logits, per_player
from espalier.models.networks import KimCNN
from espalier.scale import Scale

if TYPE_CHECKING:
    from espalier.models.word_model import WordModel


class OneLengthCNN(nn.Module):
    """Kim's CNN over texts of one length, with the weights of the network it is made from.

    DeepLIFT replaces the gradient of each nonlinear *module* by the rescale rule, so each needs a module of its own,
    used once. `KimCNN` has functions there, and a mask for texts of several lengths, which one length does not need.
    The maximum is taken before the ReLU, which is the same number; right after a ReLU captum's rule for the maximum
    would be lost, as both would wait for the gradient of the same tensor.
    """

    def __init__(self, network: KimCNN, length: int) -> None:
        super().__init__()
        self.edge = max(network.widths) - 1
        self.convolutions = network.convolutions
        self.pools = nn.ModuleList(nn.MaxPool1d(length + 2 * self.edge - width + 1) for width in network.widths)
        self.rectifier = nn.ReLU()
        self.classifier = network.classifier

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        padded = nn.functional.pad(vectors.transpose(1, 2), (self.edge, self.edge))
        branches = zip(self.convolutions, self.pools, strict=True)
        pooled = torch.cat([pool(convolution(padded)).squeeze(2) for convolution, pool in branches], 1)
        return cast(torch.Tensor, self.classifier(self.rectifier(pooled)))


def rescale(model: "WordModel", *, game: Scene, scale: Scale, target: int) -> FloatArray:
    """How much of logit(text) - logit(no word present) each player made, float[players].

    With several draws in the reference the mean over them, each draw a baseline of its own: Deep SHAP (Lundberg & Lee,
    2017, section 4.2).
    """
    from captum.attr import DeepLift  # takes seconds, and only two questions need it

    only_logits(scale, "DeepLIFT hands back differences of logits")
    # All windows of a text of masks are equal: DeepLIFT would hand what such a text has more to the first of them.
    game.reference.need(
        lambda each: each.keeps_places and (each.hides or not each.is_one_token),
        "DeepLIFT compares the text with a blank one, or with others, of its length",
    )
    network = cast(KimCNN, model.network)
    ids, _ = model.batch([game.encoding.row()])
    players, stand_ins = owned(game), torch.as_tensor(game.reference.stand_ins(), device=ids.device)
    absent_ids = ids.repeat(len(stand_ins), 1)
    absent_ids[:, players] = stand_ins[:, players]
    with torch.no_grad():
        baselines = network.embedding(absent_ids)
        vectors = network.embedding(ids).expand_as(baselines).contiguous()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # captum announces the hooks it sets, here on modules that nobody else uses
        parts = DeepLift(OneLengthCNN(network, ids.shape[1])).attribute(vectors, baselines, target=target)
    tokens = parts.detach().sum(2).mean(0).double().cpu().numpy()
    return per_player(game, tokens)
