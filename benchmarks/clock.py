"""What a second is: by the clock on the wall with all threads, as somebody who waits sees it.

On a machine with other work that would count their turns, too. There, processor seconds of this process on one thread
come near to what the clock would show on a quiet machine with one core. Everybody is measured in the same way.
"""

import time
from collections.abc import Callable

import torch

_clock: Callable[[], float] = time.perf_counter


def now() -> float:
    """Seconds since some moment."""
    return _clock()


def use_processor_time() -> None:
    """For a busy machine: count what this process computes, on one thread."""
    global _clock
    _clock = time.process_time
    torch.set_num_threads(1)
