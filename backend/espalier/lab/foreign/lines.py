"""A file of explanations: one object a line, checked, and refused with the number of the line."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeGuard

from espalier.datasets.files import MOST_LINES, objects, text_of
from espalier.fields import LONGEST_NAME
from espalier.problems import BadParameter, quoted

MOST_EXPLANATIONS = 400_000
"""Lines of a file: as many as a run has rows."""

MOST_PIECES = 5_000
"""Words or tokens of one text, and spans over them: what is measured has 400 words."""


@dataclass(frozen=True, slots=True)
class ForeignLine:
    """One text, explained. Places in `spans`, `ranking` and `top` count the line's own words; of words and offsets the
    offsets say where these stand."""

    where: str
    text: str
    scores: tuple[float, ...]
    words: tuple[str, ...] | None
    offsets: tuple[tuple[int, int], ...] | None
    spans: tuple[tuple[int, int, float], ...]
    ranking: tuple[int, ...]
    top: tuple[int, ...]
    method: str
    model: str | None
    target: str | None
    problem: str | None = None
    """Why there is no explanation of this text."""


def lines_of_file(name: str, content: str) -> Iterator[ForeignLine]:
    """In order. A line without a method is named after the file."""
    content = content.removeprefix("\ufeff")
    if (found := content.count("\n") + content.count("\r")) > MOST_LINES:
        raise BadParameter(f"too long a file: got {found:,} lines in {name}, possible are up to {MOST_LINES:,}")
    for index, (number, line) in enumerate(objects(content, f" of {name}")):
        where = f"line {number} of {name}"
        if index == MOST_EXPLANATIONS:
            raise BadParameter(f"{where} is one too many: possible are up to {MOST_EXPLANATIONS:,} explanations")
        yield _line(line, where, PurePath(name).stem)


def _line(line: dict[str, Any], where: str, unnamed: str) -> ForeignLine:
    raw = line.get("text")
    text = text_of(raw, where, "text")
    method = _name(line.get("method"), where, "method") or unnamed
    model, target = _name(line.get("model"), where, "model"), _name(line.get("target"), where, "target")
    if isinstance(problem := line.get("problem"), str) and "scores" not in line:
        said = problem[:LONGEST_NAME]
        return ForeignLine(where, text, (), (), None, (), (), (), method, model, target, said)
    words, offsets = line.get("words"), line.get("offsets")
    if words is None and offsets is None:
        raise BadParameter(f"{where} does not say what its scores are of: got no words, possible are words or offsets")
    scores = tuple(_number(each, where, "scores") for each in _list(line.get("scores"), where, "scores"))
    for field, pieces in (("words", words), ("offsets", offsets)):
        if pieces is not None and (found := len(_list(pieces, where, field))) != len(scores):
            raise BadParameter(
                f"{where} has too {'few' if len(scores) < found else 'many'} scores: got {len(scores)} for {found} "
                f"{field}, possible is one for each"
            )
    # Texts are kept without the space around them, which offsets have counted.
    whole = str(raw)
    before = len(whole) - len(whole.lstrip())
    return ForeignLine(
        where=where,
        text=text,
        scores=scores,
        words=None if words is None else tuple(_word(each, where) for each in words),
        offsets=None if offsets is None else tuple(_offsets(each, where, len(whole), before, text) for each in offsets),
        spans=tuple(_span(each, where, len(scores)) for each in _list(line.get("spans") or [], where, "spans")),
        ranking=_places(line.get("ranking"), where, "ranking", len(scores)),
        top=_places(line.get("top"), where, "top", len(scores)),
        method=method,
        model=model,
        target=target,
    )


def _list(found: Any, where: str, field: str) -> list[Any]:
    if not isinstance(found, list):
        raise BadParameter(f"{where} has no {field}: got {quoted(found)}, possible is a list")
    if len(found) > MOST_PIECES:
        raise BadParameter(f"{where} has too many {field}: got {len(found):,}, possible are up to {MOST_PIECES:,}")
    return found


def _number(found: Any, where: str, field: str) -> float:
    """JSON in Python reads NaN and 1e999, too, and numbers that no float holds."""
    if isinstance(found, int | float) and not isinstance(found, bool):
        try:
            value = float(found)
        except OverflowError:
            value = math.inf
        if math.isfinite(value):
            return value
    raise BadParameter(f"{where} has no number in {field}: got {quoted(found)}, possible is a finite number")


def _word(found: Any, where: str) -> str:
    if not isinstance(found, str):
        raise BadParameter(f"{where} has no word in words: got {quoted(found)}, possible is a text")
    return found


def _place(found: Any) -> TypeGuard[int]:
    return isinstance(found, int) and not isinstance(found, bool)


def _offsets(found: Any, where: str, size: int, before: int, text: str) -> tuple[int, int]:
    """In the text without the space around it."""
    if not (isinstance(found, list) and len(found) == 2 and all(_place(each) for each in found)):
        raise BadParameter(f"{where} has wrong offsets: got {quoted(found)}, possible is [start, end] in characters")
    start, end = found
    if not 0 <= start <= end <= size:
        raise BadParameter(f"{where} has offsets outside of its text: got {quoted(found)}, possible are 0 to {size}")
    return min(max(start - before, 0), len(text)), min(max(end - before, 0), len(text))


def _span(found: Any, where: str, size: int) -> tuple[int, int, float]:
    start, end = (found.get("start"), found.get("end")) if isinstance(found, dict) else (None, None)
    if not (_place(start) and _place(end) and 0 <= start < end <= size):
        raise BadParameter(
            f"{where} has a wrong span: got {quoted(found)}, possible is "
            f'{{"start": …, "end": …, "score": …}} over its {size} words'
        )
    return start, end, _number(found.get("score"), where, "spans")


def _places(found: Any, where: str, field: str, size: int) -> tuple[int, ...]:
    places = _list([] if found is None else found, where, field)
    if not all(_place(each) and 0 <= each < size for each in places) or len(set(places)) < len(places):
        raise BadParameter(f"{where} has a wrong {field}: got {quoted(found)}, possible are places of words, each once")
    return tuple(places)


def _name(found: Any, where: str, field: str) -> str | None:
    if found is None or found == "":
        return None
    if not isinstance(found, str) or len(found) > LONGEST_NAME:
        raise BadParameter(
            f"{where} has a wrong {field}: got {quoted(found)}, possible is a name of up to {LONGEST_NAME} characters"
        )
    name = text_of(found, where, field)
    if not name.isprintable():
        raise BadParameter(f"{where} has a wrong {field}: got {quoted(found)}, possible is a name on one line")
    return name or None
