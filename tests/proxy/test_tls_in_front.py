"""docs/operations.md puts nginx with TLS in front of a server: that very site, run on loopback before a real one."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.faults.server import Server

from espalier.access import issue
from espalier.store import open_store
from espalier.store.keys import AccessKeys

ROOT = Path(__file__).parents[2]
SITE = re.findall(r"```nginx\n(.*?)```", (ROOT / "docs" / "operations.md").read_text(encoding="utf-8"), re.DOTALL)[0]
SETTINGS = {"ESPALIER_ALLOWED_HOSTS": "demo.example", "ESPALIER_TRUSTED_PROXIES": "127.0.0.1"}
NAME = {"Host": "demo.example"}


def nginx() -> str:
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if found is None:
        assert not (os.geteuid() == 0 and shutil.which("apt-get")), "no nginx: run tests/proxy/nginx.sh"
        pytest.skip("no nginx: got none, possible is after 'apt-get install nginx-light'")
    return found


@dataclass(frozen=True, slots=True)
class Site:
    """The certificate is checked for the site's name, which nobody resolves here."""

    client: httpx.Client

    def ask(self, verb: str, path: str, **fields: Any) -> httpx.Response:
        return self.client.request(verb, path, extensions={"sni_hostname": "demo.example"}, **fields)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"), environment=SETTINGS)
    server.start()
    server.wait_until("/health/live")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def site(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The documented site, with this machine's ports and a certificate that only this test trusts."""
    program, folder, port = nginx(), tmp_path_factory.mktemp("nginx"), free_port()
    certificate, secret = folder / "demo.example.pem", folder / "demo.example.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=demo.example"),
            *("-addext", "subjectAltName=DNS:demo.example", "-keyout", secret, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    written = (
        SITE.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
        .replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
        .replace("/etc/ssl", str(folder))
    )
    kept = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{kept}{written}}}\n"
    )
    with subprocess.Popen([program, "-c", configuration, "-p", folder], stderr=subprocess.DEVNULL) as process:
        trusted = ssl.create_default_context(cafile=str(certificate))
        address = f"https://127.0.0.1:{port}"
        with httpx.Client(base_url=address, verify=trusted, headers=NAME) as client:
            deadline = time.monotonic() + 30
            while True:
                try:
                    site = Site(client)
                    site.ask("GET", "/health/live")
                    break
                except httpx.TransportError:
                    assert time.monotonic() < deadline, "nginx does not answer"
                    time.sleep(0.05)
            yield site
        process.terminate()


@pytest.fixture(scope="module")
def key(server: Server) -> str:
    key, text = issue("Ada", "use")
    AccessKeys(open_store(f"sqlite:///{server.data}/espalier.sqlite")).add(key)
    return text


def test_a_proxy_in_front_makes_nothing_public(site: Site, key: str) -> None:
    assert site.ask("GET", "/v1/catalog").status_code == 401
    assert site.ask("GET", "/metrics").status_code == 401
    assert site.ask("GET", "/v1/models", headers={"Authorization": f"Bearer {key}"}).status_code == 200


def test_the_cookie_of_a_sign_in_travels_over_tls_alone(site: Site, key: str) -> None:
    answer = site.ask("POST", "/sign-in", data={"key": key}, headers={"Origin": "https://demo.example"})
    assert answer.status_code == 303
    assert "secure" in answer.headers["set-cookie"].lower()


def test_a_site_that_says_nothing_of_itself_needs_keys_as_well(server: Server) -> None:
    """`proxy_pass` alone: no header tells of the proxy, and the name is the server's own."""
    asked = b"GET /v1/models HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    alone = Server(server.data)
    alone.start()
    try:
        alone.wait_until("/health/live")
        assert alone.client.get("/v1/models").status_code == 200
        with socket.create_connection(("127.0.0.1", alone.port), timeout=30) as connection:
            connection.sendall(asked)
            assert connection.recv(65536).startswith(b"HTTP/1.1 401")
    finally:
        alone.stop()
