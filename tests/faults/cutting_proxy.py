"""A network that breaks: passes bytes on to a server, and cuts connections after so many bytes of an answer."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class CuttingProxy:
    """`lengths` gives, for each connection that comes, how many bytes of answers pass before it is cut; None and those
    that come later are never cut."""

    def __init__(self, port: int, lengths: list[int | None]) -> None:
        self.cuts = 0
        self._target = port
        self._lengths = iter(lengths)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                allowed = next(self._lengths, None)
                threading.Thread(target=self._pass, args=(near, far, None), daemon=True).start()
                threading.Thread(target=self._pass, args=(far, near, allowed), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket, allowed: int | None) -> None:
        passed = 0
        with suppress(OSError):
            while data := source.recv(4096):
                if allowed is not None and passed + len(data) > allowed:
                    sink.sendall(data[: allowed - passed])
                    self.cuts += 1
                    break
                sink.sendall(data)
                passed += len(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def cutting(port: int, lengths: list[int | None]) -> Iterator[CuttingProxy]:
    proxy = CuttingProxy(port, lengths)
    try:
        yield proxy
    finally:
        proxy.close()
