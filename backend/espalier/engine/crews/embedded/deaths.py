"""Why a worker's process ended: by its own doing, or by somebody's hand."""

import re
import signal
from pathlib import Path

COUNTERS = (Path("/proc/vmstat"), Path("/sys/fs/cgroup/memory.events"))
"""Where Linux counts the processes it has ended because memory ran out: on the machine, and in this container."""


def out_of_memory_kills() -> int:
    """How often the kernel has ended a process for want of memory; 0 where it does not say."""
    found = 0
    for counter in COUNTERS:
        try:
            match = re.search(r"^oom_kill (\d+)$", counter.read_text(encoding="ascii"), re.MULTILINE)
        except OSError:
            continue
        found += int(match[1]) if match else 0
    return found


def own_doing(code: int, memory_kills: int) -> bool:
    """Whether the jobs a worker had may be the reason of its end. A plain kill -9 is not theirs, unless the kernel sent
    it because memory ran out: `memory_kills` have been counted since the process began."""
    return code not in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP) or memory_kills > 0
