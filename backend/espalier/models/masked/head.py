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

from espalier.models.laying_out import lay_out
from espalier.problems import BadModel


class _Given(nn.Module):
    """A body that reads nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden: torch.Tensor | None = None

    def forward(self, *_: Any, **__: Any) -> BaseModelOutput:
        return BaseModelOutput(last_hidden_state=self.hidden)


def _with(module: Any, name: str, part: nn.Module) -> Any:
    """The same module, weights and all, but for one part: only the tables of parts on the way there are others."""
    found = copy.copy(module)
    found._modules = dict(module._modules)
    first, _, rest = name.partition(".")
    found._modules[first] = _with(module._modules[first], rest, part) if rest else part
    return found


class Head:
    """From one thread at a time."""

    is_narrow = False
    """Whether it scores some tokens only, with a table of its own."""

    def __init__(self, name: str, network: PreTrainedModel) -> None:
        self._given = _Given()
        self._network = network
        self._shell = _with(network, network.base_model_prefix, self._given)
        self._device = network.device
        self._check(name, network)

    def of(self, tokens: torch.Tensor) -> "Head":
        """The same for some tokens of the vocabulary only, whose scores are all that is computed, in their order; the
        whole head where it ends in something else than a table of the vocabulary."""
        names = [name for name, each in self._shell.named_modules() if each is self._network.get_output_embeddings()]
        if len(names) != 1 or not isinstance(table := self._shell.get_submodule(names[0]), nn.Linear):
            return self
        narrow = nn.Linear(table.in_features, len(tokens), bias=table.bias is not None, device=self._device)
        narrow.weight = nn.Parameter(table.weight.detach()[tokens], requires_grad=False)
        if table.bias is not None:
            narrow.bias = nn.Parameter(table.bias.detach()[tokens], requires_grad=False)
        found = copy.copy(self)
        found._given = _Given()
        found._shell = _with(_with(self._network, self._network.base_model_prefix, found._given), names[0], narrow)
        found.is_narrow = found._says_the_same(self, tokens, table.in_features)
        return found if found.is_narrow else self

    def lay_out(self) -> None:
        """With a table of its own, that is: the whole one is the network's."""
        if self.is_narrow:
            lay_out(self._shell)

    @torch.inference_mode()
    def _says_the_same(self, whole: "Head", tokens: torch.Tensor, size: int) -> bool:
        probe = torch.linspace(-1, 1, 8 * size, device=self._device).reshape(8, size)
        try:
            return torch.allclose(self.logits(probe), whole.logits(probe)[:, tokens], atol=1e-3)
        except (TypeError, AttributeError, RuntimeError, IndexError, KeyError):
            return False

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
