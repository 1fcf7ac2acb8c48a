"""What a worker may do to the machine: so much memory and no more, the first to go when there is none left, and never
longer there than its server."""

import ctypes
import os
import signal
import sys
from pathlib import Path

import structlog

EXPENDABLE = 500
"""How much sooner than others the kernel ends this process when memory runs out, from -1000 to 1000: its jobs go on in
the next one, while nobody goes on for the server."""

_PR_SET_PDEATHSIG = 1

_log = structlog.get_logger(__name__)


def confine(most_bytes: int | None) -> None:
    """Everything that this system can do of it. Beyond `most_bytes` an allocation fails, which one job pays for."""
    if most_bytes is not None:
        _limit_memory(most_bytes)
    if sys.platform == "linux":
        _be_expendable()
        _die_with_parent()


def _limit_memory(most_bytes: int) -> None:
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = most_bytes if hard == resource.RLIM_INFINITY else min(most_bytes, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    except (ImportError, ValueError, OSError):
        _log.warning("memory cannot be limited on this system", bytes=most_bytes)


def _be_expendable() -> None:
    try:
        Path("/proc/self/oom_score_adj").write_text(str(EXPENDABLE), encoding="ascii")
    except OSError:
        _log.warning("the kernel does not let a worker go first when memory runs out")


def _die_with_parent() -> None:
    """A worker ends with its input; one that hangs would not see that end."""
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it went in between
        os._exit(0)
