"""`espalier serve` itself, with two real workers: what only shows on a real server and a real network."""

import asyncio
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.faults.cutting_proxy import cutting
from tests.faults.server import PATIENCE, Server, requests, without_timing

from espalier import AsyncClient, Client
from espalier.explain.request import ExplanationRequest
from espalier.library import shared_explainer

SENTENCE = "The film is slow and the jokes are old, but nobody who stays to the end will forget it."
QUESTION = {"model": "sst2-minilm", "method": "asiv", "parameters": {"budget": 700}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    started = Server(folder, {"ESPALIER_BODY_SECONDS": "1"}, ("--devices", "cpu,cpu"))
    started.start()
    started.wait_until()
    yield started
    started.stop()


def test_two_workers_share_the_jobs_and_give_the_results_of_one(server: Server) -> None:
    deadline = time.monotonic() + PATIENCE
    while server.log().count("worker ready") < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    before = {worker.pid: sum(worker.cpu_times()[:2]) for worker in server.workers()}
    asked = requests(6, seed=3)
    with ThreadPoolExecutor(len(asked)) as clients:
        jobs = list(clients.map(lambda each: server.wait(server.ask(each, key=each["text"])), asked))
    for request, job in zip(asked, jobs, strict=True):
        alone = shared_explainer().explain(ExplanationRequest(**request)).model_dump(mode="json")
        found = without_timing(job["explanation"])
        assert {name: found[name] for name in ("result", "evaluations")} == {
            name: without_timing(alone)[name] for name in ("result", "evaluations")
        }
    used = [sum(worker.cpu_times()[:2]) - before[worker.pid] for worker in server.workers()]
    assert len(used) == 2
    assert min(used) > 0.1, f"one worker did nothing: {used}"


def test_when_one_of_two_workers_dies_the_other_goes_on(server: Server) -> None:
    asked = requests(6, seed=4)
    with ThreadPoolExecutor(len(asked)) as clients:
        jobs = [clients.submit(lambda each: server.wait(server.ask(each, key=each["text"])), each) for each in asked]
        time.sleep(0.3)
        assert server.kill_worker()
        assert all(job.result()["status"] == "succeeded" for job in jobs)


def test_a_client_goes_on_where_its_stream_was_cut(server: Server) -> None:
    """Cut in the answer to the question, in a partial result, and between events."""
    counted = []
    with (
        cutting(server.port, [100, 3_000, 300, 6_000]) as proxy,
        Client(f"http://127.0.0.1:{proxy.port}") as client,
    ):
        explanation = client.explain(SENTENCE, progress=counted.append, **QUESTION)
        assert proxy.cuts >= 3
    truth = shared_explainer().explain(ExplanationRequest(text=SENTENCE, **QUESTION))
    assert explanation.result == truth.result
    done = [each.evaluated for each in counted]
    assert done == sorted(done)


def test_the_lines_of_many_texts_come_once_each_though_the_stream_is_cut(server: Server) -> None:
    texts = [f"Film {number} is warm, but not funny." for number in range(12)]

    async def read(port: int) -> list[str]:
        async with AsyncClient(f"http://127.0.0.1:{port}") as client:
            return [line.text async for line in client.explain_many(texts, model="sst2-bow", method="leave-one-out")]

    with cutting(server.port, [5_000, 3_000, 9_000]) as proxy:
        assert asyncio.run(read(proxy.port)) == texts
        assert proxy.cuts >= 1
    with cutting(server.port, [5_000, 3_000]) as proxy, Client(f"http://127.0.0.1:{proxy.port}") as client:
        assert [line.text for line in client.explain_many(texts, model="sst2-bow", method="leave-one-out")] == texts
        assert proxy.cuts >= 1


def spoken(server: Server, head: str, body: bytes = b"") -> str:
    """What the server answers to bytes as they are, read until it closes the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(head.replace("\n", "\r\n").encode("latin-1") + b"\r\n\r\n" + body)
        answer = b""
        while data := line.recv(65536):
            answer += data
        return answer.decode()


POST = "POST /v1/explanations HTTP/1.1\nHost: localhost\nContent-Type: application/json"


def test_a_body_that_trickles_is_sent_away(server: Server) -> None:
    started = time.monotonic()
    answer = spoken(server, f"{POST}\nContent-Length: 500", b'{"text": ')
    assert answer.startswith("HTTP/1.1 408 ")
    assert "urn:espalier:problem:too-slow" in answer
    assert time.monotonic() - started < 10


def test_a_body_that_says_it_is_huge_is_not_even_read(server: Server) -> None:
    answer = spoken(server, f"{POST}\nContent-Length: 99999999999")
    assert answer.startswith("HTTP/1.1 413 ")
    assert "urn:espalier:problem:too-large" in answer


def test_a_body_that_turns_out_to_be_huge_is_cut_off(server: Server) -> None:
    """The answer arrives though the client goes on sending."""
    piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    answer = spoken(server, f"{POST}\nTransfer-Encoding: chunked", piece * 48)
    assert answer.startswith("HTTP/1.1 413 ")


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET /v1/../../etc/passwd HTTP/1.1\nHost: localhost\nConnection: close", 404),
        ("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\nHost: localhost\nConnection: close", 404),
        ("GET /v1/catalog HTTP/1.1\nHost: evil.example\nConnection: close", 421),
        ("GET /v1/catalog HTTP/1.1\nHost: localhost\nBad Header: x", 400),
        ("NONSENSE", 400),
    ],
)
def test_tricks_with_paths_and_headers_are_refused_by_the_server_itself(server: Server, head: str, status: int) -> None:
    answer = spoken(server, head)
    assert answer.startswith(f"HTTP/1.1 {status} "), answer[:300]
    assert "root:" not in answer
    assert server.client.get("/health/live").status_code == 200


def test_a_batch_goes_on_after_the_server_was_killed(server: Server) -> None:
    texts = [f"Film {number} is {'not ' * (number % 3)}a film that anybody needs." for number in range(10)]
    body = {"texts": texts, "model": "sst2-minilm", "method": "hedge"}
    batch = server.client.post("/v1/batches", json=body).json()
    deadline = time.monotonic() + PATIENCE
    while server.client.get(f"/v1/batches/{batch['id']}").json()["done"] < 3:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    server.kill()
    server.start()
    server.wait_until()
    lines = server.client.get(batch["results"], timeout=PATIENCE).text.splitlines()
    assert len(lines) == len(texts)
    # The last line can be read a moment before the batch is written down as finished.
    while (found := server.client.get(f"/v1/batches/{batch['id']}").json())["status"] == "running":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert (found["status"], found["done"], found["failed"]) == ("finished", len(texts), 0)


@pytest.mark.skipif(
    shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0,
    reason="a small disk needs the right to mount one",
)
def test_a_disk_that_is_really_full_refuses_jobs_and_loses_none(tmp_path: Path) -> None:
    """A disk of a few megabytes for the data, seen by the server only; its log stays outside. What was accepted before
    it was full is finished when there is room again."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = 'mount -t tmpfs -o size=2m small "$0" && exec "$@"'
    small = Server(tmp_path, {"ESPALIER_DATA": str(disk)}, before=("unshare", "-m", "sh", "-c", mount, str(disk)))
    small.start()
    try:
        small.wait_until()
        accepted, refused = [], None
        for number in range(400):
            text = f"{number} " + "A film of many words. " * 60
            answer = small.client.post("/v1/explanations", json={"text": text, "model": "sst2-bow", "method": "lime"})
            if answer.status_code == 503:
                refused = answer
                break
            assert answer.status_code in (200, 202, 429), answer.text
            if answer.status_code != 429:
                accepted.append(answer.json()["id"])
        assert refused is not None, "the disk never filled up"
        assert refused.json()["type"] == "urn:espalier:problem:store-unavailable"
        assert int(refused.headers["retry-after"]) > 0
        assert small.client.get("/health/live").status_code == 200
        assert small.client.post("/v1/predictions", json={"text": "Fine.", "model": "sst2-bow"}).status_code == 200
        listed = [small.client.get(f"/v1/explanations/{identity}") for identity in accepted]
        assert all(answer.status_code == 200 for answer in listed)
        assert small.process is not None
        larger = ["mount", "-o", "remount,size=100m", str(disk)]
        subprocess.run(["nsenter", "-t", str(small.process.pid), "-m", *larger], check=True)
        ended = [small.wait(identity) for identity in accepted]
        assert [job["status"] for job in ended] == ["succeeded"] * len(accepted)
    finally:
        small.stop()
