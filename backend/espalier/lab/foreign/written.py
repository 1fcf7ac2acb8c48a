"""Explanations as lines of a file: the house's own, and what the converters make of other tools'."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from espalier.datasets.uploads import read_file
from espalier.explain.explanation import Explanation
from espalier.explain.reading import GroupScore, highest, smallest_scores
from espalier.explain.request import ExplanationRequest
from espalier.lab.foreign.forms import ExplanationFile
from espalier.problems import NotSupported, Problem


def to_lines(explanations: Iterable[Mapping[str, Any]]) -> str:
    """One object a line, every number to its last digit."""
    return "".join(json.dumps(dict(each), ensure_ascii=False) + "\n" for each in explanations)


def explanation_file(path: Path) -> ExplanationFile:
    """One on this machine."""
    file = read_file(path)
    return ExplanationFile(name=file.name, content=file.content)


def line_of(explanation: Explanation[Any], name: str | None = None) -> dict[str, Any]:
    """An explanation of the house's as others can read it, and the Lab again: measured, it gives what was measured
    here. `ranking` and `top` are there where they do not follow from scores and spans."""
    reading = explanation.read()
    size = len(explanation.words)
    if explanation.player_kind != "words" or sorted(reading.ranking) != list(range(size)):
        raise NotSupported(
            f"{explanation.method} does not rank the words of this text: possible are methods that do, with players = "
            "words"
        )
    scores = smallest_scores(reading.spans)
    line: dict[str, Any] = {
        "text": explanation.text,
        "words": [word.text for word in explanation.words],
        "offsets": [[word.start, word.end] for word in explanation.words],
        "scores": [scores.get(word, 0.0) for word in range(size)],
        "method": name or explanation.method,
        "model": explanation.model,
        "target": explanation.target_class,
    }
    if phrases := [span for span in reading.spans if span.end - span.start > 1]:
        line["spans"] = [{"start": span.start, "end": span.end, "score": span.score} for span in phrases]
    if list(reading.ranking) != sorted(range(size), key=lambda word: (-line["scores"][word], word)):
        line["ranking"] = list(reading.ranking)
    found = highest([GroupScore(players=tuple(range(each.start, each.end)), score=each.score) for each in phrases])
    if reading.top is not None and (found is None or found.players != reading.top.players):
        line["top"] = list(reading.top.players)
    return line


def line_without(request: ExplanationRequest, problem: Problem) -> dict[str, Any]:
    """What stands for a text that could not be explained: its row in a run says why."""
    return {"text": request.text, "method": request.method, "model": request.model, "problem": problem.message}
