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


def name() -> str:
    """Numbers of different clocks are not put on one page."""
    return "processor" if _clock is time.process_time else "wall"


def unit() -> str:
    """What the seconds are, for the page."""
    if name() == "processor":
        return "processor time on one thread, which other programs on the machine change little"
    return f"by the clock on the wall with {torch.get_num_threads()} threads, on a machine that does nothing else"
