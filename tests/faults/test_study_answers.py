"""Annotators submitting at once, and another study being prepared, while the server is killed and started again.
`make faults` lets a thousand come, and kills four times."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.faults.server import PATIENCE, STUDY, Server
from tests.store.study_play import published

from espalier.store import open_store
from espalier.studies.design import StudyDesign

ANNOTATORS = int(os.environ.get("ESPALIER_ANNOTATORS", "30"))
KILLS = int(os.environ.get("ESPALIER_ANNOTATOR_KILLS", "2"))
PER_PERSON = 2
VOTES = 10


def design() -> StudyDesign:
    return StudyDesign(
        title="Under fire",
        protocol="coherence",
        models=("a",),
        methods=("x", "y"),
        items=-(-ANNOTATORS * PER_PERSON // VOTES),
        votes=VOTES,
        items_per_person=PER_PERSON,
        attention_checks=0,
        practice=(),
        minimum_milliseconds=0,
        seed=7,
    )


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path, {"ESPALIER_JOINS": "1000000"})  # all of them come from this machine
    yield made
    made.stop()


class Crowd:
    """People who send every request until it is answered, and remember what they were told is kept."""

    def __init__(self, server: Server, study: str) -> None:
        self.kept: dict[str, dict[str, str]] = {}
        self.unanswered = 0
        self._study = study
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        self._client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=120, limits=limits)

    async def everybody(self) -> None:
        await asyncio.gather(*(self._one(number) for number in range(ANNOTATORS)))
        await self._client.aclose()

    async def _one(self, number: int) -> None:
        random = Random(number)
        joined = await self._send("/v1/sessions", {"study": self._study, "parameters": {"name": f"person {number}"}})
        headers = {"Authorization": f"Bearer {joined['token']}"}
        session = joined["session"]
        while session["stage"] != "finished":
            if session["stage"] in ("consent", "instructions"):
                session = await self._send("/v1/session/stages", {"stage": session["stage"]}, headers)
                continue
            task = session["task"]
            answers = {line["letter"]: random.choice(task["options"])["value"] for line in task["lines"]}
            body = {"task": task["id"], "answers": answers, "milliseconds": 1000 + number}
            session = (await self._send("/v1/session/answers", body, headers))["session"]
            self.kept[task["id"]] = answers

    async def _send(self, path: str, body: dict[str, Any], headers: dict[str, str] | None = None) -> Any:
        deadline = asyncio.get_running_loop().time() + PATIENCE
        while asyncio.get_running_loop().time() < deadline:
            try:
                answer = await self._client.post(path, json=body, headers=headers)
            except httpx.TransportError:
                self.unanswered += 1
            else:
                if answer.status_code == 200:
                    return answer.json()
                assert answer.status_code == 503, answer.text
            await asyncio.sleep(0.2)
        raise TimeoutError(f"{path} was never answered")


async def _kill_in_between(server: Server, crowd: Crowd) -> None:
    """Each time after another part of the answers."""
    for part in range(1, KILLS + 1):
        while len(crowd.kept) < ANNOTATORS * PER_PERSON * part / (KILLS + 1):
            await asyncio.sleep(0.01)
        await asyncio.to_thread(server.kill)
        server.start()


async def test_no_answer_is_lost_and_none_is_doubled(server: Server) -> None:
    store = open_store(f"sqlite:///{server.data}/espalier.sqlite")
    study = published(store, design())
    store.close()
    server.start()
    await asyncio.to_thread(server.wait_until, "/health/live")
    prepared = (await asyncio.to_thread(server.client.post, "/v1/studies", json=STUDY)).json()["id"]
    crowd = Crowd(server, study)
    killing = asyncio.create_task(_kill_in_between(server, crowd))
    await crowd.everybody()
    await killing
    await asyncio.to_thread(server.wait_until, "/health/live")  # the last kill may have come after the last answer

    rows = server.client.get(f"/v1/studies/{study}/rows.json").json()
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        letter = "AB"[row["position"] - 1]
        assert letter not in found.setdefault(row["screen"], {}), "an answer is there twice"
        found[row["screen"]][letter] = row["answer"]
    assert found == crowd.kept
    assert len(found) == ANNOTATORS * PER_PERSON
    assert set(Counter(row["person"] for row in rows).values()) == {PER_PERSON * 2}
    assert crowd.unanswered > 0, "the server was never missed: nothing was tested"
    other = await asyncio.to_thread(server.wait_while, f"/v1/studies/{prepared}", "preparing")
    assert (other["status"], other["preparation"]["kept"]) == ("ready", STUDY["items"]), other
    document = server.client.get(f"/v1/studies/{study}").json()
    assert document["votes"]["answered"] == document["people"]["finished"] * PER_PERSON == ANNOTATORS * PER_PERSON
