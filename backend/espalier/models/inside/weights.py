"""The weights of a bag of words: all there is to know of a linear model."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import torch

from espalier.models.inside.scores import FloatArray, only_logits, per_player
from espalier.models.networks import BagOfWords
from espalier.models.vocabulary import PAD

if TYPE_CHECKING:
    from espalier.games.game import Game
    from espalier.games.scales import Scale
    from espalier.models.word_model import WordModel


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Logits are `bias` plus, for each player, its row of `present` or of `absent`: both float[players, classes]."""

    present: FloatArray
    absent: FloatArray
    bias: FloatArray


@torch.inference_mode()
def weights(model: "WordModel", *, game: "Game", scale: "Scale") -> Weights:
    """What each player adds to the logits when it is there, and what its stand-in adds when it is not."""
    only_logits(scale, f"{model.name} is linear in its logits alone")
    network = cast(BagOfWords, model.network)
    table = network.embedding.weight.double().cpu().numpy()
    reference = game.reference
    own = table[list(game.encoding.ids)]
    if reference.name == "delete":
        absent = 0.0 * own
    elif reference.name == "marginal":
        absent = table[np.stack(reference.background)].mean(axis=0)
    else:
        stand_in = PAD if reference.mask_id is None else reference.mask_id
        absent = 0.0 * own + table[stand_in]
    return Weights(per_player(game, own), per_player(game, absent), network.bias.double().cpu().numpy())
