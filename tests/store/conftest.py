"""The same tests on SQLite and on a real PostgreSQL."""

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from espalier.store import Store, open_store

SCRIPT = Path(__file__).with_name("postgres.sh")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Address of a private PostgreSQL. A machine that could have one and has none fails the tests; it skips nothing."""
    # A folder of its own outside pytest's: PostgreSQL's user must be able to reach it, and socket paths must be short.
    folder = Path(tempfile.mkdtemp(prefix="espalier-pg-"))
    folder.chmod(0o755)
    started = subprocess.run([SCRIPT, "start", folder / "cluster"], capture_output=True, text=True, check=False)
    if started.returncode == 3 and not (os.geteuid() == 0 and shutil.which("apt-get")):
        pytest.skip(started.stderr.strip())
    assert started.returncode == 0, started.stderr
    yield started.stdout.strip()
    subprocess.run([SCRIPT, "stop", folder / "cluster"], check=True)
    shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/espalier.sqlite"
    server = request.getfixturevalue("postgres")
    name = f"test_{uuid.uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return make_url(server).set(database=name).render_as_string(hide_password=False)


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    opened = open_store(address, busy_seconds=0.3)
    yield opened
    opened.close()
