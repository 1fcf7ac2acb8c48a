"""One set-up of servers and workers for each engine, so that the same tests run on all of them.

`ESPALIER_TEST_ENGINES=embedded,replicas,ray` runs every test on each that it can be run on. Without it, those marked
`everywhere` run on all, those marked `two_servers` on two with workers of their own, and the others on embedded ones.
"""

import asyncio
import os
import sys
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.engine.scripted import PATIENCE, until

from espalier.engine.admission import Admission
from espalier.engine.crews.embedded.crew import EmbeddedCrew
from espalier.engine.crews.protocol import Crew
from espalier.engine.crews.ray.crew import RayCrew
from espalier.engine.ledger.ledger import Ledger, Terms
from espalier.jobs import Event, Job
from espalier.limits import Limits
from espalier.models.catalog import Catalog
from espalier.models.describe import Shelf
from espalier.settings import settings
from espalier.store import open_store
from espalier.store.turn import Turn

SCRIPT = Path(__file__).with_name("scripted_worker.py")
ENGINES = ("embedded", "replicas", "ray")
CHOSEN = tuple(filter(None, os.environ.get("ESPALIER_TEST_ENGINES", "").split(",")))
TERMS = Terms(claim_seconds=2.0)


@contextmanager
def ray_cluster(nodes: int = 2) -> Iterator[str]:
    """Head and machines of a cluster on this one; its address."""
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ["RAY_AUTH_TOKEN"] = uuid.uuid4().hex
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - Ray spells it so; else all that is busy here comes first
    import ray
    from ray.cluster_utils import Cluster

    small = {"object_store_memory": 100 * 2**20, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **small})
    try:
        for _ in range(nodes):
            cluster.add_node(num_cpus=8, **small)
        ray.init(cluster.address, namespace="tests", log_to_driver=False, configure_logging=False)
        yield str(cluster.address)
    finally:
        ray.shutdown()
        cluster.shutdown()


@dataclass
class House:
    """Servers on one database. A test asks `front` and looks at `back`, which is another server where there are two."""

    engine: str
    database: str
    marks: str
    ray_address: str = ""
    limits: Limits = field(default_factory=Limits)
    admit: Admission | None = None
    workers: int = 1
    servers: list[Ledger] = field(default_factory=list)
    namespace: str = field(default_factory=lambda: uuid.uuid4().hex)

    async def open(self) -> None:
        count = 1 if self.engine == "embedded" else 2
        for _ in range(count):
            await self.add()
        await self.ready()

    async def add(self) -> Ledger:
        """Another server."""
        shelf, store = Shelf(Catalog(settings().catalog)), open_store(self.database)
        crew: Crew
        if self.engine == "ray":
            turn = Turn(store, self.namespace)
            crew = RayCrew(
                self.ray_address,
                lambda: asyncio.to_thread(turn.is_mine),
                limits=self.limits,
                least=self.workers,
                namespace=self.namespace,
                program=(sys.executable, str(SCRIPT)),
            )
        else:
            crew = EmbeddedCrew(shelf.catalog.path, ("cpu",) * self.workers, self.limits)
        server = Ledger(store, shelf, crew, TERMS, self.admit)
        self.servers.append(server)
        await server.start()
        return server

    @property
    def front(self) -> Ledger:
        return self.servers[0]

    @property
    def back(self) -> Ledger:
        return self.servers[-1]

    async def ready(self) -> None:
        """Until every server has all the workers it should see."""
        for server in self.servers:
            await until(lambda server=server: self._ready(server) >= self.workers)  # type: ignore[misc]

    @staticmethod
    def _ready(server: Ledger) -> int:
        return sum(worker.state == "ready" for worker in server._crew.status().workers)

    def restarts(self) -> int:
        return sum(worker.restarts for worker in self.front._crew.status().workers)

    def process_of(self, job: Job) -> int:
        """The worker process that was given a job last; 0 when none was."""
        with suppress(OSError, ValueError):
            return int(Path(f"{self.marks}.{job.id}.pid").read_text(encoding="ascii"))
        return 0

    async def begun(self, job: Job, after: int = 0) -> int:
        """Wait until a worker has a job, another one than before; its process."""
        await until(lambda: self.process_of(job) not in (0, after))
        await until(
            lambda: any(job.id in each.live and each.live[job.id].job.status == "running" for each in self.servers)
        )
        return self.process_of(job)

    async def end(self, job: Job) -> Job:
        """The job as it ended, seen from the other server."""
        ended = await self.back.wait(job.id, PATIENCE)
        assert ended.is_finished
        return ended

    async def close(self) -> None:
        for server in self.servers:
            with suppress(RuntimeError):  # closed by the test itself
                await server.stop(0)
        if self.engine == "ray":
            await asyncio.to_thread(end_workers, self.namespace)


def end_workers(namespace: str) -> list[str]:
    """Kill the workers of a house for good; their names."""
    import ray

    named = ray.util.list_named_actors(all_namespaces=True)
    names = [str(each["name"]) for each in named if each["namespace"] == namespace]
    for name in names:
        with suppress(ValueError):
            ray.kill(ray.get_actor(name, namespace=namespace))
    return names


def _possible(function: Any) -> tuple[str, ...]:
    return getattr(function, "engines", ENGINES)


def choose(function: Any) -> tuple[str, ...]:
    """The engines a test runs on."""
    possible = _possible(function)
    if CHOSEN:
        return tuple(engine for engine in CHOSEN if engine in possible)
    return possible if getattr(function, "everywhere", False) else possible[:1]


def two_servers(function: Any) -> Any:
    """A test of what one server does for another."""
    function.engines = ("replicas", "ray")
    return function


def everywhere(function: Any) -> Any:
    """A test that `make test` runs on all engines."""
    function.everywhere = True
    return function


async def heard(server: Ledger, job: Job, names: set[str], after: int = 0) -> list[Event]:
    """Events as they come, until all these kinds have been there."""
    found: list[Event] = []
    events = server.events(job.id, after)
    async with asyncio.timeout(PATIENCE):
        async for event in events:
            found.append(event)
            if names <= {each.name for each in found}:
                break
    await events.aclose()
    return found


Build = Callable[..., Awaitable[House]]
"""Makes a house of the engine under test; takes what a house takes."""
