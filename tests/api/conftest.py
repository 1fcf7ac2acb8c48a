"""The service with the shipped catalog, called in process."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from espalier.api.app import create_app


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(), raise_server_exceptions=False) as client:
        yield client
