"""A cluster of Ray on this machine, started as an operator does (docs/cluster.md), whose parts can be killed."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

RAY = str(Path(sys.executable).with_name("ray"))

FRUGAL = ("--object-store-memory=100000000", "--include-log-monitor=false")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@dataclass
class Machines:
    """Head and nodes, each a group of processes. `address` stays the same when the head is started anew."""

    ip: str = "127.0.0.1"
    port: int = field(default_factory=free_port)
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    head: "subprocess.Popen[bytes] | None" = None
    nodes: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    # Paths of sockets must be short.
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp")))

    @property
    def address(self) -> str:
        return f"{self.ip}:{self.port}"

    @property
    def settings(self) -> dict[str, str]:
        """What a server is told."""
        return {
            "ESPALIER_ENGINE": "ray",
            "ESPALIER_RAY_ADDRESS": self.address,
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": self.token,
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_worker_niceness": "0",
        }

    def start_head(self) -> None:
        options = ["--num-cpus=0", "--include-dashboard=false", f"--temp-dir={self.folder}"]
        self.head = self._start("--head", f"--port={self.port}", *options)
        while True:
            with suppress(OSError), socket.create_connection((self.ip, self.port), timeout=1):
                return
            assert self.head.poll() is None, (self.folder / "log").read_text(encoding="utf-8")
            time.sleep(0.1)

    def start_node(self, core: int | None = None) -> None:
        """On one core of this machine, where it is said which."""
        before = () if core is None else ("taskset", "--cpu-list", str(core))
        self.nodes.append(self._start(f"--address={self.address}", "--num-cpus=1", before=before))

    def kill_head(self) -> None:
        """Alone: its nodes stay, and their keepers start them anew when they end."""
        assert self.head is not None
        _kill(self.head)
        self.head = None

    def kill_all(self) -> None:
        """And, as Ray would by itself after a minute, its nodes."""
        self.kill_head()
        for process in self.nodes:
            _kill(process)
        self.nodes = []

    def kill_node(self) -> None:
        _kill(self.nodes.pop(0))

    def processes(self) -> list[int]:
        """What keeps head and nodes; all that runs on them is below."""
        return [process.pid for process in [*([self.head] if self.head else []), *self.nodes]]

    def workers(self) -> list[psutil.Process]:
        """Processes of actors."""
        found = []
        for each in psutil.process_iter(["cmdline", "environ"]):
            line = " ".join(each.info["cmdline"] or [])
            if line.startswith("ray::RayWorker") and (each.info["environ"] or {}).get("RAY_AUTH_TOKEN") == self.token:
                found.append(each)
        return found

    def close(self) -> None:
        for process in [*([self.head] if self.head else []), *self.nodes]:
            _kill(process)

    def _start(self, *options: str, before: tuple[str, ...] = ()) -> "subprocess.Popen[bytes]":
        given = [*before, RAY, "start", "--block", *FRUGAL, f"--node-ip-address={self.ip}", *options]
        # Started again when it ends, as systemd and Kubernetes do.
        kept = ["bash", "-c", 'while true; do "$@"; sleep 1; done', "kept", *given]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                kept, env=os.environ | self.settings, stdout=log, stderr=log, start_new_session=True
            )


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """A machine that loses its power: everything on it at once."""
    try:
        children = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        children = []
    process.kill()
    for each in children:
        try:
            each.send_signal(signal.SIGKILL)
        except psutil.NoSuchProcess:
            continue
    process.wait()
    psutil.wait_procs(children, timeout=30)
