"""Events of a job, listened to at whichever server answers: broken off on purpose, and resumed at the next one."""

import json
import time
from collections.abc import Sequence
from itertools import cycle

import httpx
from tests.faults.server import PATIENCE, Server

EVENTS_AT_ONE = 2
"""After so many the listener goes to the next server, as if its own had gone."""


def followed(servers: Sequence[Server], identity: str) -> list[tuple[int, str]]:
    """Number and name of every event that was told, to the last; each is asked for once (`Last-Event-ID`)."""
    heard: list[tuple[int, str]] = []
    deadline = time.monotonic() + PATIENCE
    for server in cycle(servers):
        assert time.monotonic() < deadline, f"the stream of {identity} did not end: {heard}"
        try:
            if _listen(server, identity, heard):
                return heard
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("there is always a next server")


def _listen(server: Server, identity: str, heard: list[tuple[int, str]]) -> bool:
    """Add what one server tells; whether it told the end."""
    last = str(heard[-1][0]) if heard else "0"
    path, before = f"/v1/explanations/{identity}/events", len(heard)
    event: dict[str, str] = {}
    with server.client.stream("GET", path, headers={"Last-Event-ID": last}) as answer:
        if answer.status_code != 200:
            assert answer.status_code == 503, answer.status_code
            time.sleep(0.1)
            return False
        for line in answer.iter_lines():
            field, _, value = line.partition(": ")
            if field:
                event[field] = value
            elif "event" in event:  # an empty line ends it; a comment is none
                heard.append((int(event["id"]), event["event"]))
                if event["event"] == "finished":
                    assert json.loads(event["data"])["id"] == identity
                    return True
                if len(heard) - before >= EVENTS_AT_ONE:
                    return False
                event = {}
    return False
