"""From logits and tokens, which a model knows, to scales and players, which a person asked for."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from espalier.models.inside.scene import Scene
from espalier.problems import BadParameter
from espalier.scale import Scale

FloatArray = NDArray[np.float64]


def per_player(game: Scene, token_scores: NDArray[np.floating[Any]]) -> FloatArray:
    """Scores of tokens, float[tokens, …], summed to those of players, float[players, …]."""
    scores = np.asarray(token_scores, dtype=np.float64)
    return np.stack([scores[list(player.tokens)].sum(axis=0) for player in game.players])


def only_logits(scale: Scale, why: str) -> None:
    """Refuse every other scale: `why` says what holds for logits alone."""
    if scale != "logit":
        raise BadParameter(f"{why}: got scale = {scale}, possible is logit")


def on_scale(logits: torch.Tensor, scale: Scale) -> torch.Tensor:
    """Logits, float[m, classes], on any scale, with gradients: what `games.scales` computes for a single draw."""
    if scale == "logit":
        return logits
    if scale == "log_probability":
        return logits.log_softmax(-1)
    own = torch.eye(logits.shape[-1], dtype=torch.bool, device=logits.device)
    if scale == "log_odds":
        return logits - logits[:, None].masked_fill(own, -torch.inf).logsumexp(-1)
    probability = logits.softmax(-1)
    if scale == "probability":
        return probability
    return probability - probability[:, None].masked_fill(own, -torch.inf).amax(-1)
