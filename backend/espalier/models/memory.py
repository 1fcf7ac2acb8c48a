"""A lack of memory: known by what libraries say of it, and told in one way."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from espalier.problems import NoMemory

SIGNS = ("allocate memory", "out of memory", "not enough memory")
"""How torch says it, by device and system."""


def out_of_memory(error: BaseException | None) -> bool:
    """There was no memory left: numpy and Python raise MemoryError, the system an OSError, torch a RuntimeError that
    says so; whoever loads a model may have wrapped it into an error of his own."""
    while error is not None:
        if (
            isinstance(error, MemoryError | NoMemory)
            or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
            or (isinstance(error, RuntimeError | OSError) and any(sign in str(error) for sign in SIGNS))
        ):
            return True
        error = error.__cause__
    return False


@contextmanager
def enough_memory(name: str, device: object = "cpu") -> Iterator[None]:
    """While a model is loaded or asked: a lack of memory becomes a problem that says what can be done."""
    try:
        yield
    except NoMemory:
        raise
    except Exception as error:
        if not out_of_memory(error):
            raise
        raise NoMemory(
            f"out of memory: got no room for {name} on {device}; possible are a shorter text, fewer texts or words at "
            "once, a smaller model, or another device"
        ) from error
