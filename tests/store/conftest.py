"""The same tests on SQLite and on a real PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.postgres import Postgres

from espalier.store import Store, open_store


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/espalier.sqlite"
    server: Postgres = request.getfixturevalue("postgres")
    return server.database()


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    opened = open_store(address, busy_seconds=0.3)
    yield opened
    opened.close()
