"""Threads of the mathematics. A method's matrices are small, and the model has the cores: numpy's and scipy's own
threads, each library's waiting for work at full speed, would take them from it and from each other, and make a fit two
to three times as slow. What is computed also no longer depends on how many cores there are."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


class _Limit:
    """Set while anybody is inside, and taken back when the last one leaves: the setting belongs to the process."""

    def __init__(self) -> None:
        self._inside = 0
        self._changing = threading.Lock()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._changing:
            self._inside += 1
            if self._inside == 1:
                self._limited = _controller().limit(limits=1, user_api="blas")
        try:
            yield
        finally:
            with self._changing:
                self._inside -= 1
                if not self._inside:
                    self._limited.restore_original_limits()


@cache
def _controller() -> ThreadpoolController:
    # Finding the libraries takes milliseconds; scipy's must be there to be found.
    import scipy.linalg  # noqa: F401

    return ThreadpoolController()


one_thread_for_algebra = _Limit()
