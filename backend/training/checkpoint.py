"""What a long run needs to go on after it was stopped: all that changes with a step, written whole or not at all."""

import random
import time
from pathlib import Path
from typing import Any

import torch

from training.corpus import scratch_folder

EVERY_SECONDS = 180


class Checkpoint:
    """`name.pt` in the scratch folder. Going on from it gives the same weights as a run that was never stopped."""

    def __init__(self, name: str) -> None:
        self.path: Path = scratch_folder() / f"{name}.pt"
        self._written = time.monotonic()

    def load(self) -> dict[str, Any] | None:
        if not self.path.is_file():
            return None
        found: dict[str, Any] = torch.load(self.path, weights_only=False)
        torch.set_rng_state(found["torch_random"])
        return found

    def is_due(self) -> bool:
        return time.monotonic() - self._written > EVERY_SECONDS

    def save(self, random_source: random.Random, **parts: Any) -> None:
        unfinished = self.path.with_suffix(".part")
        state = {**parts, "random": random_source.getstate(), "torch_random": torch.get_rng_state()}
        torch.save(state, unfinished)
        unfinished.rename(self.path)
        self._written = time.monotonic()
