"""What a worker says, one message at a time."""

import os
import threading
from typing import BinaryIO

from espalier.engine.messages import SAYINGS, Said


class Voice:
    """Writes whole messages from many threads. A server that does not listen any more ends the worker."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._speaking = threading.Lock()

    def say(self, message: Said) -> None:
        self.pass_on(SAYINGS.pack(message))

    def pass_on(self, data: bytes) -> None:
        """A message that somebody else has put into its frame."""
        with self._speaking:
            try:
                self._stream.write(data)
                self._stream.flush()
            except OSError:
                os._exit(0)
