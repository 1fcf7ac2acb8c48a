"""What can be said of the container files without an engine to run them: their form, and what they promise."""

import os
import re
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from espalier.settings import Settings

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    # Those of the cluster are looked at in tests/deploy/test_manifests.py.
    return {name: each for name, each in found.items() if each.get("profiles") != ["cluster"]}


@pytest.fixture(scope="module")
def dockerfile() -> str:
    return (ROOT / "backend" / "Dockerfile").read_text(encoding="utf-8")


def test_the_server_does_not_run_as_root(dockerfile: str) -> None:
    users = re.findall(r"^USER (\S+)$", dockerfile, re.MULTILINE)
    assert users
    assert users[-1].isdecimal()
    assert users[-1] != "0"


def test_ports_are_published_to_this_machine_only_where_no_key_is_asked_for(services: dict[str, Any]) -> None:
    for service in services.values():
        assert service["environment"]["ESPALIER_KEYS"] == "${ESPALIER_KEYS:-local}"
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_data_is_kept_in_a_volume(services: dict[str, Any], dockerfile: str) -> None:
    assert "VOLUME /data" in dockerfile
    assert "ESPALIER_DATA=/data" in dockerfile
    assert all("data:/data" in service["volumes"] for service in services.values())


def test_a_gpu_is_reserved_only_when_asked_for(services: dict[str, Any]) -> None:
    reserving = [name for name, service in services.items() if "deploy" in service]
    assert reserving == ["espalier-gpu"]
    assert services["espalier-gpu"]["profiles"] == ["gpu"]
    assert "profiles" not in services["espalier"]


def test_health_is_checked_where_the_server_answers(dockerfile: str) -> None:
    assert re.search(r'HEALTHCHECK .*\\\n.*"deploy/healthcheck.py", "http://127\.0\.0\.1:8000"', dockerfile)


def test_the_server_cannot_change_its_own_code(services: dict[str, Any], dockerfile: str) -> None:
    assert "--chown" not in dockerfile
    assert re.findall(r"chown .*", dockerfile) == ["chown espalier /data"]
    for service in services.values():
        assert service["read_only"] is True
        assert service["tmpfs"] == ["/tmp"]


def test_memory_is_limited(services: dict[str, Any]) -> None:
    assert all(service["mem_limit"] == "${MEMORY:-8g}" for service in services.values())


def test_a_server_that_is_silent_three_times_is_ended_and_one_that_answers_is_not(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "600"]) as server:
        environment = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path), "SERVER_PROCESS": str(server.pid)}

        def check(address: str) -> int:
            command = [sys.executable, str(ROOT / "deploy" / "healthcheck.py"), address]
            return subprocess.run(command, env=environment, check=False).returncode

        with HTTPServer(("127.0.0.1", 0), _Alive) as answering:
            threading.Thread(target=answering.serve_forever, daemon=True).start()
            alive, silent = f"http://127.0.0.1:{answering.server_port}", "http://127.0.0.1:9"
            assert [check(silent), check(silent), check(alive), check(silent), check(silent)] == [1, 1, 0, 1, 1]
            assert server.poll() is None
            assert check(silent) == 1
            assert server.wait(10) == -signal.SIGTERM
            answering.shutdown()


class _Alive(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *said: object) -> None:
        pass


def test_every_setting_they_name_is_one(services: dict[str, Any], dockerfile: str) -> None:
    known = {f"ESPALIER_{name.upper()}" for name in Settings.model_fields}
    named = set(re.findall(r"\bESPALIER_[A-Z_]+", dockerfile))
    named |= {name for service in services.values() for name in service["environment"]}
    assert named <= known


def test_everything_that_is_copied_is_sent_to_the_builder(dockerfile: str) -> None:
    sent = {
        line[1:].strip("/")
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    copied = [
        line.split()[1:-1] for line in dockerfile.splitlines() if line.startswith("COPY") and "--from" not in line
    ]
    for path in (path for line in copied for path in line if not path.startswith("--")):
        assert (ROOT / path).exists(), path
        assert path.split("/")[0] in sent, path
