"""`espalier serve` as tests use it."""

import os
import re
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx


@contextmanager
def serving(data: Path, *options: str, **environment: str) -> Iterator[str]:
    """A server of its own; its address as soon as it is ready."""
    given = os.environ | {"ESPALIER_DATA": str(data)} | environment
    command = [str(Path(sys.executable).with_name("espalier")), "serve", "--host", "127.0.0.1", "--port", "0", *options]
    with subprocess.Popen(command, env=given, stderr=subprocess.PIPE, text=True, encoding="utf-8") as process:
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
