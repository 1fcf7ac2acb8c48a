"""For all tests: no model hub, and the same patience on a slow machine as on a fast one."""

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import settings

# What is shipped must be enough. Set before anything imports transformers.
os.environ["HF_HUB_OFFLINE"] = "1"

# Servers under test keep nothing in the user's own folder.
os.environ["ESPALIER_DATA"] = tempfile.mkdtemp(prefix="espalier-tests-")
atexit.register(shutil.rmtree, os.environ["ESPALIER_DATA"], ignore_errors=True)

settings.register_profile("espalier", deadline=None)
settings.load_profile("espalier")


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of `espalier serve` with the shipped models: a process of its own, on a free port, with its own data."""
    environment = os.environ | {"ESPALIER_DATA": str(tmp_path_factory.mktemp("service"))}
    command = [str(Path(sys.executable).with_name("espalier")), "serve", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stderr is not None
        said: deque[str] = deque(maxlen=200)
        address = None
        for line in process.stderr:
            said.append(line)
            if found := re.search(r"running on (http://\S+)", line):
                address = found[1]
                break
        # What it says later must be read as well, or the server would stop when the pipe is full.
        rest = threading.Thread(target=lambda: said.extend(process.stderr or ()), daemon=True)
        rest.start()
        try:
            assert address is not None, "espalier serve ended before it listened:\n" + "".join(said)
            deadline = time.monotonic() + 300
            while httpx.get(f"{address}/health/ready", timeout=60).status_code != 200:
                assert time.monotonic() < deadline, "the server was not ready in time:\n" + "".join(said)
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            rest.join()
