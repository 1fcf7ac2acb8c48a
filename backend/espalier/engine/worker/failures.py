"""What went wrong in a worker, told apart by who is to blame."""

import os

import structlog

from espalier.models.memory import out_of_memory as out_of_memory

DEVICE_LOST = 70
"""How a process ends that cannot use its device any more."""

_log = structlog.get_logger(__name__)


def sticks(error: BaseException | None) -> bool:
    """After most errors of CUDA, every later call of the process fails with the same one."""
    while error is not None:
        if isinstance(error, RuntimeError) and "CUDA error" in str(error) and not out_of_memory(error):
            return True
        error = error.__cause__
    return False


def leave_if_stuck(error: BaseException) -> None:
    """End the process where it can do nothing any more: the next one can, and the jobs go on there."""
    if sticks(error):
        _log.error("the device cannot be used any more: another worker is started", reason=str(error))
        os._exit(DEVICE_LOST)
