"""A temperature: how sure a classifier is, set right by one number that changes nothing of what it prefers.

`espalier.json` may carry `"temperature": T`, found on held-out texts (`training.calibration`): logits are divided by it
(Guo et al., 2017). What is divided are the weights of the layer that the logits come from, once, when the model is
loaded. So all who read the network are told the same: outputs, gradients, decompositions, the weights of a bag of words
and edits. Where no temperature is given nothing is touched.
"""

from typing import Any, cast

import numpy as np
import torch
from torch import nn

from espalier.models.networks import BagOfWords
from espalier.models.protocol import HostedModel
from espalier.problems import BadModel
from espalier.text import read

PROBE = "one two three"
CLOSE = 1e-3
"""How far a divided logit may be from what it should be, of the largest one: rounding, no more."""


@torch.no_grad()
def temper(model: HostedModel, temperature: float) -> None:
    """Divide the model's logits by a temperature. A model that then says anything else is refused."""
    row = model.encode(read(PROBE)).row()
    before = np.asarray(model.outputs([row]), dtype=np.float64)
    for parameter in _making_logits(model):
        parameter.div_(temperature)
    wanted = before / temperature
    apart = np.abs(np.asarray(model.outputs([row]), dtype=np.float64) - wanted).max()
    if apart > CLOSE * max(1.0, np.abs(wanted).max()):
        raise BadModel(
            f"{model.name} cannot have a temperature: got a network whose logits are not its last layer's outputs, "
            "possible is one whose are"
        )


def _making_logits(model: HostedModel) -> list[nn.Parameter]:
    """The parameters that logits are linear in."""
    network = cast(Any, getattr(model, "network", None))
    # A causal transformer is kept in what computes it fast.
    network = network if isinstance(network, nn.Module) else getattr(network, "network", None)
    if isinstance(network, BagOfWords):
        return list(network.parameters())
    layers = network.modules() if isinstance(network, nn.Module) else ()
    fitting = [each for each in layers if isinstance(each, nn.Linear) and each.out_features == len(model.classes)]
    if not fitting:
        raise BadModel(
            f"{model.name} cannot have a temperature: got no layer with {len(model.classes)} outputs, one for each "
            "class, possible is a network that ends in one"
        )
    return list(fitting[-1].parameters())
