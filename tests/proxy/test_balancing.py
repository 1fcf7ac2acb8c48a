"""The proxy of the cluster profile (deploy/cluster/nginx.conf) before two real servers on one PostgreSQL: when one is
killed, who asks at the proxy does not notice."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.faults.server import Server
from tests.proxy.test_tls_in_front import free_port, nginx
from tests.store.postgres import Postgres

WRITTEN = (Path(__file__).parents[2] / "deploy" / "cluster" / "nginx.conf").read_text(encoding="utf-8")
QUESTION = {"model": "sst2-bow", "method": "leave-one-out"}


@pytest.fixture
def servers(postgres: Postgres, tmp_path: Path) -> Iterator[list[Server]]:
    settings = {"ESPALIER_DATABASE": postgres.database(), "ESPALIER_CLAIM_SECONDS": "2", "ESPALIER_KEYS": "off"}
    settings |= {"ESPALIER_STOP_SECONDS": "0"}
    made = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        made.append(Server(tmp_path / name, settings))
        made[-1].start()
    for server in made:
        server.wait_until()
    yield made
    for server in made:
        server.stop()


@pytest.fixture
def proxy(servers: list[Server], tmp_path: Path) -> Iterator[httpx.Client]:
    """That very file, with this machine's addresses instead of a name of the compose network."""
    port = free_port()
    upstream = "\n".join(f"server 127.0.0.1:{each.port} max_fails=1 fail_timeout=5s;" for each in servers)
    site = WRITTEN.replace("server server:8000 resolve max_fails=1 fail_timeout=5s;", upstream)
    site = site.replace("listen 8080", f"listen 127.0.0.1:{port}")
    assert upstream in site
    kept = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{ access_log off;\n{kept}{site}\n}}\n"
    (tmp_path / "nginx.conf").write_text(whole, encoding="utf-8")
    command = [nginx(), "-c", str(tmp_path / "nginx.conf"), "-g", "daemon off;"]
    with subprocess.Popen(command) as running:
        transport = httpx.HTTPTransport(retries=10)  # until it listens
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=60) as client:
            yield client
        running.terminate()


def asked(server: Server) -> int:
    """Explanations that a server itself was asked for."""
    lines = server.client.get("/metrics").text.splitlines()
    counted = [each for each in lines if each.startswith("espalier_requests_total{") and 'method="POST"' in each]
    return int(sum(float(each.rpartition(" ")[2]) for each in counted if "/explanations" in each))


def done(proxy: httpx.Client, number: int) -> str:
    body = QUESTION | {"text": f"A lovely film, number {number}."}
    answer = proxy.post("/v1/explanations", json=body, headers={"Prefer": "wait=60", "Idempotency-Key": str(number)})
    assert answer.status_code in (200, 202), answer.text
    assert answer.json()["status"] == "succeeded", answer.text
    return str(answer.json()["id"])


def test_both_servers_are_asked_and_one_that_is_killed_is_not_missed(
    servers: list[Server], proxy: httpx.Client
) -> None:
    identities = [done(proxy, number) for number in range(6)]
    assert [asked(server) for server in servers] == [3, 3]
    servers[0].kill()
    for identity in identities:  # reading is safe to ask twice: the proxy does, at the other one
        assert proxy.get(f"/v1/explanations/{identity}").json()["status"] == "succeeded"
    assert done(proxy, 7)
    assert asked(servers[1]) == 4
