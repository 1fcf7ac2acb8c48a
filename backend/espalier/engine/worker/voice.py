"""What a worker says, one message at a time."""

import os
import threading
from typing import Any, BinaryIO

from espalier.engine.wire import packed


class Voice:
    """Writes whole messages from many threads. A server that does not listen any more ends the worker."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._speaking = threading.Lock()

    def say(self, message: dict[str, Any], body: str | None = None) -> None:
        data = packed(message, body)
        with self._speaking:
            try:
                self._stream.write(data)
                self._stream.flush()
            except OSError:
                os._exit(0)
