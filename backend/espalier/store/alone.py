"""Whether a server is the only one on a database that is a file.

The one that is may go on at once with what a killed one had claimed. A second one, started by mistake on the same
folder, must leave the first one's jobs alone. The system gives the lock back when a process ends, however it ends.
"""

from pathlib import Path
from typing import IO

from espalier.store.database import Store

try:
    import fcntl
except ImportError:  # not a Unix: nobody can tell there
    fcntl = None  # type: ignore[assignment]


class Alone:
    """The lock of one server, in a file beside the database."""

    def __init__(self, store: Store) -> None:
        name = store.engine.url.database
        self._path = Path(f"{name}.server") if name and not store.is_shared and name != ":memory:" else None
        self._shared = store.is_shared
        self._file: IO[bytes] | None = None

    def take(self) -> bool:
        """Whether nobody else has it. PostgreSQL is made to be shared: nobody is alone there."""
        if self._path is None or fcntl is None:
            return not self._shared
        file = self._path.open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def give_back(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
