"""`espalier status`: the servers and workers of an installation, drawn in the terminal."""

import os
from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text
from rich.tree import Tree

DEFAULT = "http://127.0.0.1:8000"


@dataclass
class WorkerSeen:
    """One worker, as a server's metrics tell of it."""

    device: str
    numbers: dict[str, float] = field(default_factory=dict)

    def line(self, name: str) -> Text:
        is_up = bool(self.numbers.get("up"))
        running, waiting = int(self.numbers.get("running", 0)), int(self.numbers.get("waiting", 0))
        said = Text("● " if is_up else "○ ", style="green" if is_up else "yellow").append(name, style="bold")
        said.append(f"  {self.device}" if self.device not in name else "")
        said.append(f"  {'ready' if is_up else 'starting'}  {_bar(running)}{running} running, {waiting} waiting")
        if restarts := int(self.numbers.get("restarts_total", 0)):
            said.append(f"  restarted {restarts} times", style="yellow")
        if memory := self.numbers.get("memory_bytes"):
            said.append(f"  {memory / 1e6:,.0f} MB", style="dim")
        return said


@dataclass
class ServerSeen:
    address: str
    problem: str | None = None
    totals: dict[str, float] = field(default_factory=dict)
    workers: dict[str, WorkerSeen] = field(default_factory=dict)

    def line(self) -> Text:
        if self.problem is not None:
            return Text("○ ", style="red").append(self.address, style="bold").append(f"  {self.problem}", style="red")
        queued, running = int(self.totals.get("jobs_queued", 0)), int(self.totals.get("jobs_running", 0))
        said = Text("● ", style="green").append(self.address, style="bold")
        said.append(f"  {queued} waiting, {running} running, {int(self.totals.get('jobs_total', 0)):,} ended")
        if taken := int(self.totals.get("claims_lapsed_total", 0)):
            said.append(f"  {taken} taken from servers that had gone", style="yellow")
        return said


def status(
    servers: Annotated[list[str] | None, typer.Argument(help=f"Addresses of servers; {DEFAULT} when none.")] = None,
    key: Annotated[str | None, typer.Option(help="An admin's key; the default is ESPALIER_KEY.")] = None,
) -> None:
    """Draw servers, workers and what they have to do."""
    seen = [look(address, key or os.environ.get("ESPALIER_KEY")) for address in servers or [DEFAULT]]
    Console(highlight=False).print(draw(seen))
    if all(server.problem is not None for server in seen):
        raise typer.Exit(1)


def look(address: str, key: str | None) -> ServerSeen:
    """What a server says of itself in /metrics."""
    import httpx

    server = ServerSeen(address)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        answer = httpx.get(f"{address.rstrip('/')}/metrics", headers=headers, timeout=10)
        ready = httpx.get(f"{address.rstrip('/')}/health/ready", timeout=10).status_code == 200
    except (httpx.TransportError, httpx.InvalidURL) as error:
        server.problem = f"does not answer ({type(error).__name__})"
        return server
    if answer.status_code != 200:
        server.problem = f"answers with {answer.status_code}: possible is an admin's key (--key)"
        return server
    read(server, answer.text)
    if not ready and not any(each.numbers.get("up") for each in server.workers.values()):
        server.problem = "is not ready: its workers are starting, or the database does not answer"
    return server


def read(server: ServerSeen, metrics: str) -> None:
    """Take the numbers from Prometheus' text."""
    from prometheus_client.parser import text_string_to_metric_families

    for family in text_string_to_metric_families(metrics):
        for sample in family.samples:
            name = sample.name.removeprefix("espalier_")
            if "worker" in sample.labels:
                worker = server.workers.setdefault(sample.labels["worker"], WorkerSeen(sample.labels["device"]))
                worker.numbers[name.removeprefix("worker_")] = sample.value
            elif not name.endswith("_created"):
                server.totals[name] = server.totals.get(name, 0.0) + sample.value


def draw(servers: list[ServerSeen]) -> Tree:
    """Workers of a cluster are the same at all servers and are drawn once, by machine; others under their server."""
    tree = Tree(Text("Espalier", style="bold"))
    shared: dict[str, WorkerSeen] = {}
    for server in servers:
        branch = tree.add(server.line())
        for name, worker in server.workers.items():
            if name.isdecimal():
                branch.add(worker.line(f"worker {name}"))
            else:
                shared[name] = worker
    if shared:
        cluster = tree.add(Text("cluster", style="bold"))
        machines: dict[str, Tree] = {}
        for name in sorted(shared):
            machine, _, device = name.rpartition("-")
            if machine not in machines:
                machines[machine] = cluster.add(Text(f"machine {machine}"))
            machines[machine].add(shared[name].line(device))
    return tree


def _bar(jobs: int) -> str:
    return "▮" * min(jobs, 16) + (" " if jobs else "")
