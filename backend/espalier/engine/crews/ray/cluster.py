"""All that is asked of Ray: to join a cluster, to find workers, to make them and to give them back."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil
import ray
import structlog
from ray.exceptions import AuthenticationError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from espalier.engine.crews.ray.actor import Posting, RayWorker
from espalier.engine.crews.ray.reconciling import Device, Load, devices, plan
from espalier.limits import Limits
from espalier.problems import Problem

CALLS_AT_ONCE = 10_000

OBJECT_STORE_BYTES = 100 * 2**20
"""Of the node that a server joins with. Messages are small and travel outside of it."""

_log = structlog.get_logger(__name__)


class NotLetIn(Problem):
    """The cluster has a token that this server does not show."""

    def __init__(self, got: str) -> None:
        super().__init__(
            f"the cluster does not let this server in: got {got}, possible is the head's own, "
            "in ~/.ray/auth_token, RAY_AUTH_TOKEN or the file of RAY_AUTH_TOKEN_PATH"
        )


class Cluster:
    """Called from threads; every call may take long, or never end while the head is away."""

    def __init__(self, address: str, namespace: str, posting: dict[str, Any]) -> None:
        self._address = address
        self._namespace = namespace
        self._posting = posting
        self._handles: dict[str, Any] = {}
        self._node: subprocess.Popen[bytes] | None = None

    def join(self) -> None:
        """Become a driver of the cluster. A machine that has no node of Ray gets one, which runs nothing."""
        if not self._address.startswith("ray://") and not _node_here():
            self._node = _start_node(self._address)
        try:
            ray.init(self._address, namespace=self._namespace, log_to_driver=False, configure_logging=False)
        except (AuthenticationError, ConnectionError) as error:
            if isinstance(error, AuthenticationError):
                raise NotLetIn("no token") from error
            if "InvalidAuthToken" in f"{error} {error.__cause__}":  # Ray keeps it as text
                raise NotLetIn("another token than the cluster's") from error
            raise
        _log.info("joined the cluster", address=self._address)

    def leave(self) -> None:
        if self._node is not None:
            self._node.terminate()

    def workers(self) -> dict[str, Any]:
        """All there are, by name."""
        names = set(ray.util.list_named_actors())
        self._handles = {name: handle for name, handle in self._handles.items() if name in names}
        for name in names - set(self._handles):
            try:
                self._handles[name] = ray.get_actor(name)
            except ValueError:  # gone in between
                continue
        return dict(self._handles)

    def forget(self, name: str) -> None:
        """A worker has died: one of the same name that is there at the next look is another."""
        self._handles.pop(name, None)

    def reconcile(self, loads: Mapping[str, Load], least: int, idle_seconds: float, models: Mapping[str, int]) -> None:
        """Make the workers that should be there, and give back those that should not."""
        there = {name: loads.get(name, Load(0, 0.0)) for name in ray.util.list_named_actors()}
        make, give_back = plan(devices(ray.nodes()), there, least, idle_seconds, models)
        for name in give_back:
            _log.info("a worker is given back", worker=name)
            try:
                ray.kill(ray.get_actor(name), no_restart=True)
            except ValueError:
                continue
        for device in make:
            _log.info("a worker is made", worker=device.name, host=device.host)
            try:
                self._make(device)
            except ValueError:  # somebody else was quicker
                continue

    def _make(self, device: Device) -> None:
        given = self._posting
        posting = Posting(
            name=device.name,
            device="cuda:0" if device.kind == "cuda" else "cpu",  # Ray shows it no other
            limits=Limits(**given["limits"]),
            edition=given["edition"],
            threads=None if device.kind == "cuda" else device.cores,
            catalog=given["catalog"],
            direct=tuple(given["direct"]),
            program=tuple(given["program"]),
        )
        # Tied to its machine: the name says which it is, and another machine has a worker of its own. Ray starts it
        # again there, but never repeats a call: only the ledger knows what may be done twice.
        ray.remote(RayWorker).options(
            name=device.name,
            namespace=self._namespace,
            lifetime="detached",
            max_restarts=-1,
            max_task_retries=0,
            max_concurrency=CALLS_AT_ONCE,
            num_cpus=0 if device.kind == "cuda" else 1,
            num_gpus=1 if device.kind == "cuda" else 0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(device.node, soft=False),
        ).remote(posting)


def _node_here() -> bool:
    return any(process.info["name"] == "raylet" for process in psutil.process_iter(["name"]))


def _start_node(address: str) -> subprocess.Popen[bytes]:
    command = [str(Path(sys.executable).with_name("ray")), "start", f"--address={address}", "--block"]
    command += ["--num-cpus=0", "--num-gpus=0", f"--object-store-memory={OBJECT_STORE_BYTES}"]
    command += ["--include-log-monitor=false", "--disable-usage-stats"]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno())
