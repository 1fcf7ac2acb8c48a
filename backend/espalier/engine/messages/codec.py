"""How messages travel: one frame for each.

A frame is a short line (kind, bytes of fields, bytes of body), the fields in JSON, and the body. Nothing that somebody
wrote is ever in the line, so that no text is too long for it. Documents are bodies: they are written by the worker once
and stored and served as they are.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, BinaryIO, Generic, TypeVar, get_args

from pydantic import TypeAdapter

from espalier.engine.messages.orders import Order
from espalier.engine.messages.sayings import Said
from espalier.engine.messages.trouble import BrokenMessage

LONGEST_LINE = 256
MOST_BYTES = 256 * 2**20
"""Of one message. An explanation of 400 words with all pairs has a few megabytes."""

Message = TypeVar("Message", Order, Said)


class Codec(Generic[Message]):
    """One direction: which messages there are, to bytes and back."""

    def __init__(self, kinds: Iterable[type]) -> None:
        self._adapters: dict[str, TypeAdapter[Any]] = {kind.__name__: TypeAdapter(kind) for kind in kinds}

    def pack(self, message: Message) -> bytes:
        kind = type(message).__name__
        body = getattr(message, "body", "").encode()
        fields = self._adapters[kind].dump_json(message, exclude={"body"})
        if len(fields) + len(body) > MOST_BYTES:
            raise BrokenMessage(f"too long: got {len(fields) + len(body)} bytes, possible are up to {MOST_BYTES}")
        return b"%s %d %d\n%s%s" % (kind.encode(), len(fields), len(body), fields, body)

    def read(self, stream: BinaryIO) -> Message | None:
        """The next message; None at the end."""
        line = stream.readline(LONGEST_LINE)
        if not line:
            return None
        kind, fields, body = _lengths(line)
        return self._unpack(kind, stream.read(fields), stream.read(body))

    async def receive(self, stream: asyncio.StreamReader) -> Message | None:
        """The same on the event loop. A process that is killed while it writes leaves half a message: the end, too."""
        try:
            line = await stream.readline()
            if not line.endswith(b"\n"):
                return None
            kind, fields, body = _lengths(line)
            return self._unpack(kind, await stream.readexactly(fields), await stream.readexactly(body))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        except ValueError as error:  # a line longer than the stream's limit
            raise BrokenMessage(str(error)) from error

    def _unpack(self, kind: str, fields: bytes, body: bytes) -> Message:
        if kind not in self._adapters:
            raise BrokenMessage(f"unknown kind: got {kind[:40]!r}, possible are {', '.join(self._adapters)}")
        try:
            message: Any = self._adapters[kind].validate_json(fields)
            found: Message = replace(message, body=body.decode()) if body else message
            return found
        except (ValueError, TypeError) as error:  # what pydantic, UTF-8 and a message without a body say
            raise BrokenMessage(f"bad {kind}: {str(error)[:400]}") from error


def _lengths(line: bytes) -> tuple[str, int, int]:
    try:
        kind, fields, body = line.decode("ascii").split()
        lengths = int(fields), int(body)
    except ValueError:
        raise BrokenMessage(f"no message: got {line[:80]!r}, possible is a kind and two lengths") from None
    if min(lengths) < 0 or sum(lengths) > MOST_BYTES:
        raise BrokenMessage(f"too long: got {lengths}, possible are up to {MOST_BYTES} bytes")
    return kind, *lengths


ORDERS: Codec[Order] = Codec(get_args(Order))
SAYINGS: Codec[Said] = Codec(get_args(Said))
