"""The head of any masked language model of transformers: hidden states in, scores of the vocabulary out.

Every architecture has its own layers behind its body, under its own names. What they share is that their `forward`
takes what the body gives and runs them. So the head is the whole model with another body, one that gives the hidden
states it was handed: only the places that are read are computed, of any architecture.
"""

import copy
from typing import Any

import torch
from torch import nn
from transformers import PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput

from espalier.problems import BadModel


class _Given(nn.Module):
    """A body that reads nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden: torch.Tensor | None = None

    def forward(self, *_: Any, **__: Any) -> BaseModelOutput:
        return BaseModelOutput(last_hidden_state=self.hidden)


class Head:
    """From one thread at a time."""

    def __init__(self, name: str, network: PreTrainedModel) -> None:
        self._given = _Given()
        # The same weights: only the table of parts is another one.
        self._shell = copy.copy(network)
        self._shell._modules = dict(network._modules)
        self._shell._modules[network.base_model_prefix] = self._given
        self._device = network.device
        self._check(name, network)

    @torch.inference_mode()
    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        self._given.hidden = hidden[None]
        ids = torch.zeros((1, len(hidden)), dtype=torch.int64, device=self._device)
        scores: torch.Tensor = self._shell(input_ids=ids).logits[0]
        self._given.hidden = None
        return scores

    @torch.inference_mode()
    def _check(self, name: str, network: PreTrainedModel) -> None:
        """Tried at load: an architecture that does more than this would say something else."""
        ids = torch.arange(5, 9, device=self._device)[None] % int(network.config.vocab_size)
        try:
            usual = network(input_ids=ids).logits[0]
            own = self.logits(network.base_model(input_ids=ids).last_hidden_state[0])
            same = usual.shape == own.shape and torch.allclose(own, usual, atol=1e-3)
        except (TypeError, AttributeError, RuntimeError, IndexError, KeyError) as error:
            raise BadModel(
                f"{name} cannot be read at one place: got {type(network).__name__} ({str(error).splitlines()[0]}), "
                "possible are architectures whose output is a head over the hidden states"
            ) from error
        if not same:
            raise BadModel(
                f"{name} cannot be read at one place: got {type(network).__name__}, possible are architectures whose "
                "output is a head over the hidden states"
            )
