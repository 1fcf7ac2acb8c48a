"""Whether the server in this container is ready. One that does not even answer, three times in a row, is ended, so that
whatever started the container starts it again: Docker itself only marks it as unhealthy.

    python healthcheck.py http://127.0.0.1:8000
"""

import os
import signal
import sys
import tempfile
import urllib.request
from pathlib import Path

PATIENCE = 3
SECONDS = 4


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=SECONDS):
            return True
    except OSError:  # an HTTP error is one as well
        return False


def main(server: str, process: int = 1) -> int:
    counted = Path(tempfile.gettempdir()) / "espalier-silent"
    if answers(f"{server}/health/live"):
        counted.unlink(missing_ok=True)
        return 0 if answers(f"{server}/health/ready") else 1
    silent = 1 + (int(counted.read_text()) if counted.exists() else 0)
    counted.write_text(str(silent))
    if silent >= PATIENCE:
        counted.unlink()
        os.kill(process, signal.SIGTERM)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(os.environ.get("SERVER_PROCESS", "1"))))
