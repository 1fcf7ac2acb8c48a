"""The steps of a run that tunes a few weights: how large they are, and the average of the weights on the way.

An exponential moving average costs nothing and is worth about half a point on small sets, so it is what ships.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

RISE = 0.06
"""The share of the steps that get larger; from there on it is a straight line to zero."""

MEMORY = 0.999


class Descent:
    """AdamW over whatever of a model is not frozen."""

    def __init__(self, model: torch.nn.Module, total: int, learning_rate: float) -> None:
        self.total = total
        self.done = 0
        self.trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
        self.average = [parameter.detach().clone() for parameter in self.trainable]
        self._learning_rate = learning_rate
        self._optimizer = torch.optim.AdamW(self.trainable, lr=learning_rate, weight_decay=0.01, fused=True)

    @property
    def size(self) -> int:
        """How many numbers are tuned."""
        return sum(parameter.numel() for parameter in self.trainable)

    def step(self, loss: torch.Tensor) -> None:
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.trainable, 1.0)
        for group in self._optimizer.param_groups:
            group["lr"] = self._learning_rate * min(1.0, (self.done + 1) / (RISE * self.total)) * self._left
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.done += 1
        memory = min(MEMORY, (1 + self.done) / (10 + self.done))
        for parameter, average in zip(self.trainable, self.average, strict=True):
            average.lerp_(parameter.detach(), 1 - memory)

    @property
    def _left(self) -> float:
        return 1 - self.done / self.total

    @contextmanager
    def averaged(self) -> Iterator[None]:
        """Inside, the model has the averaged weights."""
        kept = [parameter.detach().clone() for parameter in self.trainable]
        self._put(self.average)
        try:
            yield
        finally:
            self._put(kept)

    def state(self) -> dict[str, Any]:
        """All that changes with a step, to go on from."""
        return {
            "done": self.done,
            "weights": [parameter.detach() for parameter in self.trainable],
            "average": self.average,
            "optimizer": self._optimizer.state_dict(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.done = state["done"]
        self._put(state["weights"])
        self.average = state["average"]
        self._optimizer.load_state_dict(state["optimizer"])

    def _put(self, weights: list[torch.Tensor]) -> None:
        for parameter, weight in zip(self.trainable, weights, strict=True):
            parameter.data.copy_(weight)
