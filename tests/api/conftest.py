"""The service with the shipped catalog, called in process; its worker is a real one."""

import time
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from espalier.api.app import create_app


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(), raise_server_exceptions=False) as client:
        deadline = time.monotonic() + 300
        while client.get("/health/ready").status_code != 200:
            assert time.monotonic() < deadline, "no worker was ready after five minutes"
            time.sleep(0.1)
        yield client
