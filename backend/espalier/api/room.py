"""Room in memory for the bodies of all requests at once: a thousand connections with twenty megabytes each are more
than there is."""

from types import TracebackType
from typing import Self

from espalier.problems import Problem

SMALL_BYTES = 64_000
"""Of each body there is always room for so much: who asks about a sentence is not turned away because others send
datasets."""


class NoRoom(Problem):
    code = "busy"
    status = 503
    retry_after = 5

    def __init__(self, most: int) -> None:
        super().__init__(
            f"too many large bodies at once: got more than {most:,} bytes from all clients, possible is to come again "
            "later, or a smaller one"
        )


class Room:
    """Counts what has come, not what was announced: whoever announces much and sends nothing takes no room."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held = 0

    def place(self) -> "Place":
        return Place(self)


class Place:
    """One body's part of the room, until its request is answered."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._held = 0

    def take(self, size: int) -> None:
        """The body has come to so many bytes."""
        more = max(0, size - SMALL_BYTES) - self._held
        if self._room.held + more > self._room.most:
            raise NoRoom(self._room.most)
        self._room.held += more
        self._held += more

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._room.held -= self._held
        self._held = 0
