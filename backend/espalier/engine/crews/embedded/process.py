"""The process of a worker. Imports little: `espalier serve` starts the first ones before it imports the service, so
that both come up at the same time."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from espalier.limits import Limits

PROGRAM = [sys.executable, "-m", "espalier.engine.worker.start"]

_early: dict[tuple[str, ...], list[subprocess.Popen[bytes]]] = {}


def arguments(
    catalog: Path, limits: Limits, devices: tuple[str, ...], direct: tuple[str, ...] = (), threads: int | None = None
) -> list[str]:
    """What every worker is told on its command line, beside its own device. Those on the processor share its cores,
    or have so many threads."""
    given = ["--catalog", str(catalog.resolve()), "--slots", str(limits.jobs), "--models", str(limits.models)]
    for model in direct:
        given += ["--model", model]
    given += ["--memory", str(limits.hard_memory)]
    on_processor = sum(device == "cpu" for device in devices)
    if threads is None and on_processor > 1:
        threads = max(1, (os.cpu_count() or 1) // on_processor)
    if threads is not None:
        given += ["--threads", str(threads)]
    return given


def launch_early(device: str, given: list[str]) -> None:
    """Start a process now that the next `launch` with the same arguments will take."""
    _early.setdefault((device, *given), []).append(start([*PROGRAM, "--device", device, *given]))


def launch(device: str, given: list[str]) -> subprocess.Popen[bytes]:
    waiting = _early.get((device, *given))
    return waiting.pop() if waiting else start([*PROGRAM, "--device", device, *given])


def start(command: list[str], environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """A process that is told what to do over its input, and ends when that ends."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[4],
        env=environment,
        # Ctrl+C in a terminal is for the server, which then lets jobs finish.
        start_new_session=True,
    )


async def connect(
    process: subprocess.Popen[bytes], longest_line: int
) -> tuple[asyncio.StreamReader, asyncio.WriteTransport]:
    """What the process says, and where to tell it something."""
    loop = asyncio.get_running_loop()
    said = asyncio.StreamReader(limit=longest_line)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(said), process.stdout)
    orders, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, process.stdin)
    return said, orders
