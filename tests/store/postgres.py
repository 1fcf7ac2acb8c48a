"""A real PostgreSQL of the tests' own: started, restarted, stopped, and empty databases on it."""

import os
import shutil
import subprocess
import tempfile
import uuid
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

SCRIPT = Path(__file__).with_name("postgres.sh")


class Postgres:
    """A machine that could have one and has none fails the tests; it skips nothing."""

    def __init__(self) -> None:
        # A folder of its own outside pytest's: PostgreSQL's user must be able to reach it, and socket paths be short.
        self._folder = Path(tempfile.mkdtemp(prefix="espalier-pg-"))
        self._folder.chmod(0o755)
        started = subprocess.run([SCRIPT, "start", self._cluster], capture_output=True, text=True, check=False)
        if started.returncode == 3 and not (os.geteuid() == 0 and shutil.which("apt-get")):
            pytest.skip(started.stderr.strip())
        assert started.returncode == 0, started.stderr
        self.address = started.stdout.strip()

    @property
    def _cluster(self) -> Path:
        return self._folder / "cluster"

    def database(self) -> str:
        """Address of an empty database."""
        name = f"test_{uuid.uuid4().hex}"
        engine = create_engine(self.address, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return make_url(self.address).set(database=name).render_as_string(hide_password=False)

    def halt(self) -> None:
        """Stop at once, as after a power cut."""
        subprocess.run([SCRIPT, "stop", self._cluster], check=True)

    def resume(self) -> None:
        """Start again with all that was there."""
        subprocess.run([SCRIPT, "resume", self._cluster], check=True, stdout=subprocess.DEVNULL)

    def close(self) -> None:
        self.halt()
        shutil.rmtree(self._folder)
