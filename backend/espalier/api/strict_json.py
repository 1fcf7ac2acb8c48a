"""JSON that can be written again, and that is quickly looked through.

Python reads more than the standard allows, and would then fail to answer: NaN, Infinity and numbers beyond a double are
no JSON, half of a surrogate pair is no text, and a NUL is none that PostgreSQL keeps. And each of thousands of unknown
fields would be an error of its own, for which nobody else gets an answer meanwhile.

How much there is in a body is counted in what is left of it without its strings, each step at the speed of memory.
"""

import json
import math
import re
from typing import Any

from espalier.datasets.forms import MAX_DATASET
from espalier.problems import Problem

_SHAPE = bytes.maketrans(b"123456789E", b"000000000e")
_WORDS = (b"NaN", b"Infinity")
_LARGE = (b"e000", b"e+000", b"0" * 300)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""Without any of these a body has nothing to hide, and is not read twice. They are looked for one by one, each at the
speed of memory: one pattern for all takes 40 ms a megabyte, for which everybody waits."""

_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(each for each in range(256) if each not in b"[]{}")

MOST_FIELDS = 1000
"""Of one object, and of most bodies. Most has a KServe request to explain: 64 instances of some fifteen fields. To
predict, it may have 2,000 instances of two."""

MOST_FIELDS_OF_ROWS = 2 * MAX_DATASET + MOST_FIELDS
"""Where a dataset may come: text and label of each row."""

MOST_LISTS = 20_000
"""A request has a thousand spans at most."""

MOST_VALUES = 100_000
"""Texts, numbers, lists and objects: some for each row of a dataset."""

DEEPEST = 32
"""Lists and objects within each other. Nothing that is asked for has five."""


class BadJSON(Problem):
    """A body that reads like JSON and is none."""

    code = "bad-json"
    status = 422


class TooManyFields(Problem):
    code = "bad-request"
    status = 422


def check(body: bytes, most_fields: int = MOST_FIELDS) -> None:
    """Refuse more than any request has, numbers that are not finite, and text that is not Unicode. What is no JSON at
    all, the route says."""
    if b"\0" in body:
        raise BadJSON("the body is not UTF-8 text: got a zero byte, possible is JSON in UTF-8")
    plain = body.replace(rb"\\", b"")
    if rb"\u0000" in plain:
        raise BadJSON("a text in the body has a character that is none: got U+0000 (NUL), possible is a text without")
    bare = _without_strings(plain)
    _check_amount(bare, most_fields)
    if bare.count(b":") > MOST_FIELDS or _suspicious(bare) or _SURROGATE.search(plain):
        _read(body)


def _without_strings(plain: bytes) -> bytes:
    """A quotation mark after a backslash is a part of the string; every second one of the others ends it."""
    plain = plain.replace(rb"\"", b"")
    if plain.count(b'"') > 4 * MOST_VALUES:
        raise _too_many("texts", MOST_VALUES)
    return b"".join(plain.split(b'"')[::2])


def _check_amount(bare: bytes, most_fields: int) -> None:
    for what, mark, most in (("fields", b":", most_fields), ("lists", b"[", MOST_LISTS), ("values", b",", MOST_VALUES)):
        if bare.count(mark) > most:
            raise _too_many(what, most)
    left = bare.translate(_BRACKETS, _NO_BRACKETS)
    for _ in range(DEEPEST):
        left = left.replace(b"[]", b"")
    if left and left.count(b"[") == left.count(b"]"):
        raise TooManyFields(f"the body is nested too deeply: possible are up to {DEEPEST} lists or objects in another")


def _read(body: bytes) -> None:
    """Look at every number, text and object."""
    try:
        read = json.loads(body, parse_constant=_finite, parse_float=_finite, object_pairs_hook=_object)
    except Problem:
        raise
    except (ValueError, RecursionError):
        return
    try:
        json.dumps(read, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        lone = f"U+{ord(error.object[error.start]):04X}"
        raise BadJSON(
            f"the text in the body is not Unicode: got the lone surrogate {lone}, possible are pairs"
        ) from None


def _suspicious(bare: bytes) -> bool:
    """Whether there may be a number that is not finite."""
    shape = bare.translate(_SHAPE)
    return any(word in bare for word in _WORDS) or any(number in shape for number in _LARGE)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > MOST_FIELDS:
        raise _too_many("fields", MOST_FIELDS)
    return dict(pairs)


def _finite(written: str) -> float:
    value = float(written)
    if not math.isfinite(value):
        raise BadJSON(f"a number in the body is not finite: got {written[:30]}, possible are numbers of JSON")
    return value


def _too_many(what: str, most: int) -> TooManyFields:
    return TooManyFields(f"too many {what} in the body: possible are up to {most:,}")
