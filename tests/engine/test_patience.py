"""Waiting for what passes, and for nothing else."""

import pytest

from espalier.engine import patience
from espalier.engine.admission import Busy
from espalier.engine.patience import patiently
from espalier.problems import Problem, TooLong


class Starting(Problem):
    """A problem that passes and does not say when."""

    status = 503


def asking(*answers: object):
    waiting = list(answers)

    async def ask() -> object:
        answer = waiting.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return ask


async def test_what_passes_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "TRY_AGAIN_SECONDS", 0)
    assert await patiently(asking(Busy("full", retry_after=0), Starting("starting"), "done")) == "done"


async def test_what_does_not_pass_is_raised() -> None:
    with pytest.raises(TooLong):
        await patiently(asking(TooLong("too many words"), "never"))
