"""The process of a worker. Imports little: `espalier serve` starts the first ones before it imports the service, so
that both come up at the same time."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from espalier.limits import Limits

PROGRAM = [sys.executable, "-m", "espalier.engine.worker"]

_early: dict[tuple[str, ...], list[subprocess.Popen[bytes]]] = {}


def arguments(catalog: Path, limits: Limits, devices: tuple[str, ...], direct: tuple[str, ...] = ()) -> list[str]:
    """What every worker is told on its command line, beside its own device. Those on the processor share its cores."""
    given = ["--catalog", str(catalog.resolve()), "--slots", str(limits.jobs), "--models", str(limits.models)]
    for model in direct:
        given += ["--model", model]
    given += ["--memory", str(limits.hard_memory)]
    on_processor = sum(device == "cpu" for device in devices)
    if on_processor > 1:
        given += ["--threads", str(max(1, (os.cpu_count() or 1) // on_processor))]
    return given


def launch_early(device: str, given: list[str]) -> None:
    """Start a process now that the next `launch` with the same arguments will take."""
    _early.setdefault((device, *given), []).append(_start(device, given))


def launch(device: str, given: list[str]) -> subprocess.Popen[bytes]:
    waiting = _early.get((device, *given))
    return waiting.pop() if waiting else _start(device, given)


def _start(device: str, given: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*PROGRAM, "--device", device, *given],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[4],
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
