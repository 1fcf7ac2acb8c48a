"""A PostgreSQL that is away for a while, under load: nothing is lost, nothing stops. `make faults` does it five times,
for ten seconds each."""

import json
import os
import time
from collections.abc import Iterator

import pytest
from tests.faults.server import STUDY, Server, requests, undisturbed, without_timing
from tests.faults.test_kills import CLIENTS, Load
from tests.store.postgres import Postgres

RESTARTS = int(os.environ.get("ESPALIER_DATABASE_RESTARTS", "1"))
AWAY_SECONDS = float(os.environ.get("ESPALIER_DATABASE_AWAY_SECONDS", "4"))


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    """One of its own: others would miss theirs."""
    started = Postgres()
    yield started
    started.close()


@pytest.fixture(scope="module")
def server(database: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {"ESPALIER_DATABASE": database.database(), "ESPALIER_STOP_SECONDS": "0"}
    started = Server(tmp_path_factory.mktemp("restarted"), settings)
    started.start()
    started.wait_until()
    yield started
    started.stop()


def test_a_database_that_is_away_for_a_while_stops_no_job_no_batch_and_no_study(
    server: Server, database: Postgres
) -> None:
    texts = [each["text"] for each in requests(40, seed=21)]
    body = {"texts": texts, "model": "sst2-bow", "method": "leave-one-out"}
    batch = server.client.post("/v1/batches", json=body).json()
    study = server.client.post("/v1/studies", json=STUDY).json()
    load = Load(server, seed=22)
    for _ in range(RESTARTS):
        server.wait_until()
        time.sleep(1.0)
        database.halt()
        time.sleep(AWAY_SECONDS)
        assert server.client.get("/health/live").status_code == 200
        assert server.client.get("/health/ready").status_code == 503, "not ready without a store, and says so"
        refused = server.client.get(f"/v1/batches/{batch['id']}")
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) > 0
        database.resume()
        server.wait_until()
    load.finish()
    assert load.check() >= CLIENTS
    prepared = server.wait_while(f"/v1/studies/{study['id']}", "preparing")
    assert prepared["status"] == "ready", prepared
    finished = server.wait_while(f"/v1/batches/{batch['id']}", "running")
    assert (finished["status"], finished["done"], finished["failed"]) == ("finished", len(texts), 0)
    results = server.client.get(f"/v1/batches/{batch['id']}/results").text
    lines = [json.loads(line) for line in results.splitlines() if line.strip()]
    assert [line["text"] for line in lines] == texts
    one = lines[0]
    asked = {"text": texts[0], "model": "sst2-bow", "method": "leave-one-out"}
    assert without_timing(one["explanation"]) == undisturbed(asked)
