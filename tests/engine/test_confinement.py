"""A worker has so much memory and no more, goes first when there is none left, and never outlives its server."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what other systems can do of this differs")

GREEDY = """
from pathlib import Path
import numpy as np
from espalier.engine.worker.confinement import confine
from espalier.engine.worker.failures import out_of_memory
confine(700_000_000)
try:
    np.ones(10**9)
except MemoryError as error:
    print("refused", out_of_memory(error))
import torch
try:
    torch.ones(10**9)
except RuntimeError as error:
    print("refused", out_of_memory(error))
print(len(np.ones(10**6)), Path("/proc/self/oom_score_adj").read_text().strip())
"""

SERVER = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "from espalier.engine.worker.confinement import confine\\n"
    "confine(None)\\nprint('confined', flush=True)\\nimport time; time.sleep(600)"], stdout=subprocess.PIPE, text=True)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.slow
def test_beyond_its_memory_an_allocation_fails_and_the_process_lives_on() -> None:
    done = subprocess.run([sys.executable, "-c", GREEDY], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["refused True", "refused True", "1000000 500"], done.stderr


def test_a_hung_worker_ends_with_its_server() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        worker = psutil.Process(int(server.stdout.readline()))
        os.kill(worker.pid, signal.SIGSTOP)
        server.kill()
    deadline = time.monotonic() + 30
    while worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "a hung worker outlived its server"
        time.sleep(0.02)
