"""JSON that can be written again, and that is quickly looked through.

Python reads more than the standard allows, and would then fail to answer: NaN, Infinity and numbers beyond a double are
no JSON, and half of a surrogate pair is no text. And each of thousands of unknown fields would be an error of its own,
for which nobody else gets an answer meanwhile.
"""

import json
import math
import re
from itertools import islice
from typing import Any

from espalier.problems import Problem

_SHAPE = bytes.maketrans(b"123456789E", b"000000000e")
_WORDS = (b"NaN", b"Infinity")
_LARGE = (b"e000", b"e+000", b"0" * 300)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""Without any of these a body has nothing to hide, and is not read twice. They are looked for one by one, each at the
speed of memory: one pattern for all takes 40 ms a megabyte, for which everybody waits."""

_FIELD = re.compile(rb'"\s*:')
"""Every field has one; a text may have some, too."""

_LIST = re.compile(rb"\]\s*,\s*\[")

MOST_LISTS = 20_000
"""Side by side. A request has a thousand spans at most; but a text may look like a list of lists."""

MOST_FIELDS = 1000
"""Of a whole body. Most has a KServe request to explain: 64 instances of some fifteen fields. To predict, it may have
2,000 instances of two."""


class BadJSON(Problem):
    """A body that reads like JSON and is none."""

    code = "bad-json"
    status = 422


class TooManyFields(Problem):
    code = "bad-request"
    status = 422


def check(body: bytes, most_fields: int | None = MOST_FIELDS) -> None:
    """Refuse numbers that are not finite, text that is not Unicode, and more fields than any request has. What is no
    JSON at all, the route says."""
    many = most_fields is not None and _at_least(body, _FIELD, most_fields + 1)
    if most_fields is not None and _at_least(body, _LIST, MOST_LISTS + 1):
        raise TooManyFields(f"too many lists in the body: possible are up to {MOST_LISTS:,}")
    if not many and not _suspicious(body):
        return
    count = _Count(most_fields if many else None)
    try:
        read = json.loads(body, parse_constant=_finite, parse_float=_finite, object_pairs_hook=count)
    except Problem:
        raise
    except (ValueError, RecursionError):
        return
    try:
        json.dumps(read, ensure_ascii=False).encode()
    except RecursionError:
        return
    except UnicodeEncodeError as error:
        lone = f"U+{ord(error.object[error.start]):04X}"
        raise BadJSON(
            f"the text in the body is not Unicode: got the lone surrogate {lone}, possible are pairs"
        ) from None


def _suspicious(body: bytes) -> bool:
    shape = body.translate(_SHAPE)
    return (
        any(word in body for word in _WORDS)
        or any(number in shape for number in _LARGE)
        or _SURROGATE.search(body) is not None
    )


def _at_least(body: bytes, what: re.Pattern[bytes], count: int) -> bool:
    return next(islice(what.finditer(body), count - 1, None), None) is not None


class _Count:
    """Makes objects as they are read, until there are too many fields."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._fields = 0

    def __call__(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        self._fields += len(pairs)
        if self._most is not None and self._fields > self._most:
            raise TooManyFields(f"too many fields in the body: possible are up to {self._most:,}")
        return dict(pairs)


def _finite(written: str) -> float:
    value = float(written)
    if not math.isfinite(value):
        raise BadJSON(f"a number in the body is not finite: got {written[:30]}, possible are numbers of JSON")
    return value
