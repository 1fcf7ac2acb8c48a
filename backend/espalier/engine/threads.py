"""Threads of the mathematics. A method's matrices are small, and the model has the cores: numpy's and scipy's own
threads, each library's waiting for work at full speed, would take them from it and from each other, and make a fit two
to three times as slow. What is computed also no longer depends on how many cores there are."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import OpenBLASController, ThreadpoolController

TURN_SECONDS = 0.0005


def take_short_turns() -> None:
    """Python lets a thread that computes go on for 5 ms before another one may. A model's forward pass gives up its
    turn a hundred times: beside a long text that is being read it would take half a second longer."""
    sys.setswitchinterval(TURN_SECONDS)


class _Limit:
    """Set while anybody is inside, and taken back when the last one leaves: the setting belongs to the process."""

    def __init__(self) -> None:
        self._inside = 0
        self._changing = threading.Lock()
        self._undo: Callable[[], None] | None = None

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._changing:
            self._inside += 1
            if self._undo is None:
                with _in_control():
                    self._undo = _controller().limit(limits=1, user_api="blas").restore_original_limits
        try:
            yield
        finally:
            with self._changing:
                self._inside -= 1
                if not self._inside and self._undo is not None:
                    with _in_control():
                        self._undo()
                    self._undo = None


@contextmanager
def _in_control() -> Iterator[None]:
    """threadpoolctl lets the first thread that asks change the setting, and ignores all others without a word. Here
    jobs on many threads share one setting, behind a lock."""
    OpenBLASController.clear_controlling_thread(force=True)
    yield
    OpenBLASController.clear_controlling_thread(force=True)


@cache
def _controller() -> ThreadpoolController:
    # Finding the libraries takes milliseconds; scipy's must be there to be found.
    import scipy.linalg  # noqa: F401

    return ThreadpoolController()


one_thread_for_algebra = _Limit()
