"""Explanations from elsewhere over HTTP, with a real worker."""

import json
import time
from typing import Any

from fastapi.testclient import TestClient

TEXTS = ["A lovely , warm film .", "It is not good ."]
DESIGN: dict[str, Any] = {
    "dataset": {"kind": "rows", "rows": [{"text": text} for text in TEXTS]},
    "models": ["sst2-bow"],
    "methods": [{"method": "leave-one-out"}],
    "measures": ["aopc-delete"],
    "best_order": False,
}


def file(*lines: Any) -> dict[str, Any]:
    content = "".join(json.dumps(line) + "\n" for line in lines)
    return {"explanations": {"kind": "file", "name": "captum.jsonl", "content": content}}


def line(text: str, **changes: Any) -> dict[str, Any]:
    words = text.split()
    return {"text": text, "words": words, "scores": [*range(len(words))], "method": "captum-ig"} | changes


def test_a_file_of_explanations_is_a_line_of_the_run(client: TestClient) -> None:
    design = DESIGN | file(line(TEXTS[0], scores=[0, 3, 1, 2, 0, 0]))
    said = client.post("/v1/evaluations/plan", json=design).json()
    assert said["rows"] == 6
    assert "captum-ig explains 1 of 2 texts; its line has no others" in said["warnings"]
    run = client.post("/v1/evaluations", json=design).json()
    assert run["design"]["explanations"] == {"kind": "kept", "name": "captum.jsonl", "explainers": ["captum-ig"]}
    deadline = time.monotonic() + 300
    while run["status"] == "running":
        assert time.monotonic() < deadline
        time.sleep(0.05)
        run = client.get(f"/v1/evaluations/{run['id']}").json()
    lines = client.get(f"/v1/evaluations/{run['id']}/results").json()["lines"]
    assert [(each["method"], each["brought"], each["baseline"]) for each in lines] == [
        ("leave-one-out", False, False),
        ("captum-ig", True, False),
        ("random-order", False, True),
    ]
    assert [each["cells"][0]["interval"]["n"] for each in lines] == [2, 1, 2]
    rows = client.get(f"/v1/evaluations/{run['id']}/rows.json").json()
    assert [row["ranking"] for row in rows if row["method"] == "captum-ig"] == ["1 3 2 0 4 5", ""]
    assert client.get(f"/v1/evaluations/{run['id']}/rows").json()["texts"][0]["rows"][1]["method"] == "captum-ig"


def test_a_broken_file_of_explanations_is_refused_with_its_line(client: TestClient) -> None:
    for path in ("/v1/evaluations", "/v1/evaluations/plan"):
        answer = client.post(path, json=DESIGN | file(line(TEXTS[0]), line(TEXTS[1], words=["It"] * 5)))
        assert answer.status_code == 422
        assert "line 2 of captum.jsonl cannot be aligned: 'It' is not in the text" in answer.json()["detail"]
        kept = {"explanations": {"kind": "kept", "name": "captum.jsonl", "explainers": ["captum-ig"]}}
        answer = client.post(path, json=DESIGN | kept)
        assert answer.status_code == 422
        assert "got those that another run keeps" in answer.json()["detail"]
        answer = client.post(path, json=DESIGN | {"methods": []})
        assert "nothing to measure" in answer.json()["detail"]
