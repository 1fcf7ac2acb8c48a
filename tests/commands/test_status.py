"""`espalier status` draws what servers say of themselves."""

from prometheus_client import generate_latest
from rich.console import Console
from typer.testing import CliRunner

from espalier.api.metrics import Metrics
from espalier.cli import app
from espalier.commands.status import ServerSeen, draw, read
from espalier.engine.messages import WorkerStatus
from espalier.engine.protocol import EngineStatus


def metrics(*workers: WorkerStatus, queued: int = 0, taken_over: int = 0) -> str:
    kept = Metrics()
    kept.look(EngineStatus(True, queued, sum(each.running for each in workers), workers, taken_over))
    return generate_latest(kept.registry).decode()


def drawn(*servers: ServerSeen) -> list[str]:
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(draw(list(servers)))
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_workers_of_a_cluster_are_drawn_once_by_machine_and_servers_with_their_counts() -> None:
    workers = (
        WorkerStatus("cuda0", "ready", 3, 1, 2_000_000_000, "aaaa-cuda0", "aaaa", waiting=5),
        WorkerStatus("cuda1", "starting", 0, 0, None, "aaaa-cuda1", "aaaa"),
        WorkerStatus("cpu0", "ready", 0, 0, None, "bbbb-cpu0", "bbbb"),
    )
    servers = [ServerSeen("http://one"), ServerSeen("http://two")]
    read(servers[0], metrics(*workers, queued=4))
    read(servers[1], metrics(*workers, taken_over=2))
    lines = drawn(*servers, ServerSeen("http://three", "does not answer (ConnectError)"))
    text = "\n".join(lines)
    assert "● http://one  4 waiting, 3 running, 0 ended" in text
    assert "2 taken from servers that had gone" in text
    assert "○ http://three  does not answer" in text
    assert text.count("cuda0") == 1
    assert "● cuda0  ready  ▮▮▮ 3 running, 5 waiting  restarted 1 times  2,000 MB" in text
    assert "○ cuda1  starting" in text
    assert lines.index(next(each for each in lines if "machine aaaa" in each)) < lines.index(
        next(each for each in lines if "machine bbbb" in each)
    )


def test_workers_of_a_server_are_drawn_under_it() -> None:
    server = ServerSeen("http://one")
    read(server, metrics(WorkerStatus("cpu", "ready", 1, 0)))
    assert any("● worker 0  cpu  ready  ▮ 1 running" in line for line in drawn(server))


def test_a_server_that_is_not_there_is_said_and_the_command_fails() -> None:
    ended = CliRunner().invoke(app, ["status", "http://127.0.0.1:9"])
    assert ended.exit_code == 1
    assert "does not answer" in ended.output
