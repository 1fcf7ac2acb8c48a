"""The weights of a bag of words: all there is to know of a linear model."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import torch

from espalier.models.inside.scene import Scene
from espalier.models.inside.scores import FloatArray, only_logits, per_player
from espalier.models.networks import BagOfWords
from espalier.scale import Scale

if TYPE_CHECKING:
    from espalier.models.word_model import WordModel


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Logits are `bias` plus, for each player, its row of `present` or of `absent`: both float[players, classes]."""

    present: FloatArray
    absent: FloatArray
    bias: FloatArray


@torch.inference_mode()
def weights(model: "WordModel", *, game: Scene, scale: Scale) -> Weights:
    """What each player adds to the logits when it is there, and what its stand-in adds when it is not."""
    only_logits(scale, f"{model.name} is linear in its logits alone")
    network = cast(BagOfWords, model.network)
    table = network.embedding.weight.double().cpu().numpy()
    own, stand_ins = table[list(game.encoding.ids)], game.reference.stand_ins()
    absent = 0.0 * own if stand_ins is None else table[stand_ins].mean(axis=0)
    return Weights(per_player(game, own), per_player(game, absent), network.bias.double().cpu().numpy())
