"""JSON that can be written again: Python reads more than the standard allows, and would then fail to answer.

NaN, Infinity and numbers beyond a double are no JSON, and half of a surrogate pair is no text.
"""

import json
import math
import re

from espalier.problems import Problem

_SUSPICIOUS = re.compile(rb"NaN|Infinity|[eE]\+?\d{3}|\d{300}|\\u[dD][89a-fA-F]")
"""Without any of these a body has nothing to hide, and is not read twice."""


class BadJSON(Problem):
    """A body that reads like JSON and is none."""

    code = "bad-json"
    status = 422


def check(body: bytes) -> None:
    """Refuse numbers that are not finite and text that is not Unicode. What is no JSON at all, the route says."""
    if not _SUSPICIOUS.search(body):
        return
    try:
        read = json.loads(body, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        if isinstance(error, BadJSON):
            raise
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


def _finite(written: str) -> float:
    value = float(written)
    if not math.isfinite(value):
        raise BadJSON(f"a number in the body is not finite: got {written[:30]}, possible are numbers of JSON")
    return value
