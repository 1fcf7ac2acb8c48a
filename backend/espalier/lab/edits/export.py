"""Rows and numbers of an edit to take home."""

from collections.abc import Iterator
from typing import Any

from espalier.lab.edits.documents import EditResults
from espalier.statistics.documents import MeanInterval, Share


def raw_rows(results: EditResults) -> Iterator[dict[str, Any]]:
    """One for each other text that was asked about."""
    for number, each in enumerate(results.occurrences):
        yield {
            "text": number,
            "sentence": each.text,
            "words": " … ".join(results.words),
            "target": results.target,
            "model": results.of,
            "edited": results.model,
            "term_before": each.before,
            "standard_error_before": each.before_error,
            "term_after": each.after,
            "standard_error_after": each.after_error,
        }


def table_rows(results: EditResults) -> Iterator[dict[str, Any]]:
    """Every number of the page on a line of its own."""
    yield _line("term in the edited text, before", results.here_before, None, None, 1)
    yield _line("term in the edited text, after", results.here_after, None, None, 1)
    yield _share("other texts with its sign, before", results.before)
    yield _share("other texts with the opposite sign, after", results.after)
    yield _share("of those with its sign before, turned round", results.turned)
    if (accuracy := results.accuracy) is not None:
        yield _share("accuracy, before", accuracy.before)
        yield _share("accuracy, after", accuracy.after)
        yield _mean("points lost", accuracy.lost)
    yield _line("error of what was taught, before", results.error_before, None, None, None)
    yield _line("error of what was taught, after", results.error_after, None, None, None)


def _share(name: str, found: Share) -> dict[str, Any]:
    return _line(name, found.share, found.low, found.high, found.of)


def _mean(name: str, found: MeanInterval) -> dict[str, Any]:
    return _line(name, found.mean, found.low, found.high, found.n)


def _line(name: str, value: float | None, low: float | None, high: float | None, n: int | None) -> dict[str, Any]:
    return {"number": name, "value": value, "low": low, "high": high, "n": n}
