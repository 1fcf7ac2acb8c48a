"""What is deleted is gone, and what people write and who they are is not in the logs, on a real server."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.server import Server

WORD = "zanzibarine"
PERSON = "5f2prolificperson9c"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("left"))
    made.start()
    made.wait_until()
    yield made
    made.stop()


def found_in(folder: Path, *wanted: str) -> set[tuple[str, str]]:
    """Files that hold any of these words, as they are on the disk."""
    return {
        (path.name, word)
        for path in folder.rglob("*")
        if path.is_file()
        for word in wanted
        if word.encode() in path.read_bytes()
    }


def test_logs_name_routes_not_what_was_asked_nor_who(server: Server) -> None:
    server.client.get("/", params={"text": f"A {WORD} film."})
    server.client.get("/s/abc", params={"PROLIFIC_PID": PERSON})
    server.client.get(f"/v1/models/{WORD}")
    server.client.get(f"/{WORD}")
    body = {"text": f"A {WORD} film.", "model": "sst2-bow", "method": "leave-one-out"}
    server.client.post("/v1/explanations", json=body, headers={"Prefer": "wait=30"})
    log = server.log()
    assert "/s/{path:path}" in log
    assert WORD not in log
    assert PERSON not in log
    assert "127.0.0.1:" not in log.replace(f"127.0.0.1:{server.port}", "")


def test_a_deleted_study_leaves_nothing_on_the_disk(server: Server) -> None:
    texts = [f"The {WORD}{number} music is lovely." for number in range(4)]
    design = {
        "title": f"About {WORD}",
        "protocol": "coherence",
        "models": ["sst2-bow"],
        "methods": ["leave-one-out"],
        "items": 4,
        "practice": [],
        "attention_checks": 0,
        "dataset": {"kind": "rows", "rows": [{"text": text} for text in texts]},
        "recruiting": {"providers": ["prolific"], "completion_code": "C0DE"},
    }
    created = server.client.post("/v1/studies", json=design).json()
    study = f"/v1/studies/{created['id']}"
    deadline = time.monotonic() + 120
    while server.client.get(study).json()["status"] == "preparing":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    server.client.post(f"{study}/publish")
    joining = {"study": created["id"], "parameters": {"PROLIFIC_PID": PERSON, "SESSION_ID": "s"}}
    joined = server.client.post("/v1/sessions", json=joining).json()
    person = {"Authorization": f"Bearer {joined['token']}"}
    for stage in ("consent", "instructions"):
        session = server.client.post("/v1/session/stages", json={"stage": stage}, headers=person).json()
    answers = {line["letter"]: "positive" for line in session["task"]["lines"]}
    answer = {"task": session["task"]["id"], "answers": answers, "milliseconds": 5000}
    assert server.client.post("/v1/session/answers", json=answer, headers=person).json()["saved"]

    assert {word for _, word in found_in(server.data, f"{WORD}0", PERSON)} == {f"{WORD}0", PERSON}
    assert server.client.delete(study).status_code == 204
    assert found_in(server.data, f"{WORD}0", f"{WORD}3", PERSON, created["id"], joined["token"]) == set()
