"""Judgements made by hand."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from espalier.studies.statistics.judgements import Judgement

Make = Callable[..., Judgement]


@pytest.fixture
def judged() -> Make:
    """A judgement of which a test names only what it is about."""

    def make(**given: Any) -> Judgement:
        sentence = given.get("sentence", 1)
        return Judgement(
            **{
                "person": 1,
                "simulated": False,
                "task": f"{given.get('person', 1)}-{sentence}",
                "kind": "task",
                "item": f"item-{sentence}",
                "sentence": sentence,
                "text": f"Text {sentence}.",
                "label": None,
                "model": "lstm",
                "method": "hedge",
                "other": None,
                "position": 1,
                "answer": "positive",
                "prediction": "positive",
                "expected": None,
                "milliseconds": 5000,
                "answered": datetime(2026, 11, 16, tzinfo=UTC),
                "extra": False,
            }
            | given
        )

    return make
