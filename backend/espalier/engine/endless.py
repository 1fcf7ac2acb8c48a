"""Loops that must not end: whatever happens in one turn is reported, and the next turn comes all the same."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

LONGEST_PAUSE = 30.0

_log = structlog.get_logger(__name__)


async def endless(what: str, turn: Callable[[], Awaitable[object]], pause: float) -> None:
    """Take turns until cancelled, `pause` seconds apart; longer when one turn after the other fails."""
    failures = 0
    while True:
        try:
            await turn()
            failures = 0
        except Exception:
            failures += 1
            _log.exception("a turn failed; the next one comes", what=what, failures=failures)
        await asyncio.sleep(min(LONGEST_PAUSE, pause * 2**failures) if failures else pause)
