"""From the processor's memory to a model's device."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray


def on_device(array: NDArray[np.generic], device: torch.device) -> torch.Tensor:
    """A batch's numbers as a tensor where the model is.

    To a GPU they go through memory that the system cannot move, so that the copy runs beside the computation and nobody
    waits for it: a batch of a trie has some hundred small ones. Torch keeps such memory until the copy is over, and
    uses it again.
    """
    if device.type != "cuda":
        return torch.as_tensor(array, device=device)
    given: Any = np.ascontiguousarray(array)
    return torch.from_numpy(given).pin_memory().to(device, non_blocking=True)
