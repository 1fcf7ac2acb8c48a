"""What only a cluster has: machines that may have other code than the servers, and a token."""

import asyncio
import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
import yaml
from tests.engine.houses import SCRIPT, end_workers
from tests.engine.scripted import PATIENCE, until

from espalier.edition import edition
from espalier.engine.crews.protocol import WorkerUnavailable
from espalier.engine.crews.ray import crew as crew_module
from espalier.engine.crews.ray.crew import RayCrew
from espalier.engine.messages import Parse
from espalier.limits import Limits

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]


async def always() -> bool:
    return True


async def never() -> bool:
    return False


async def test_machines_with_other_code_do_nothing_and_say_why(
    ray_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server of the next version, while the machines still have this one."""
    namespace = uuid.uuid4().hex
    monkeypatch.setattr(crew_module, "edition", lambda: "0.9.0+0123456789ab")
    crew = RayCrew(ray_address, always, namespace=namespace)
    await crew.start()
    await until(lambda: len(crew.status().workers) == 2)
    said = ""
    async with asyncio.timeout(PATIENCE):
        while "possible is" not in said:
            with pytest.raises(WorkerUnavailable) as refused:
                await crew.ask(Parse("live"))
            said = refused.value.message
    assert f"got {edition()}, possible is 0.9.0+0123456789ab" in said
    assert {worker.state for worker in crew.status().workers} == {"starting"}
    await crew.stop(0)
    await asyncio.to_thread(end_workers, namespace)


async def test_a_worker_that_was_made_anew_while_a_courier_slept_is_found_by_it(ray_address: str) -> None:
    """It has the name of the one that died, whose handle leads nowhere."""
    namespace, program = uuid.uuid4().hex, (sys.executable, str(SCRIPT))
    sleeper, keeper = crews = [
        RayCrew(ray_address, turn, limits=Limits(silence=3600), least=1, namespace=namespace, program=program)
        for turn in (never, always)
    ]
    for crew in crews:
        await crew.start()
    await until(lambda: states(sleeper) == states(keeper) == ["ready"])
    os.kill(sleeper.courier.pid or 0, signal.SIGSTOP)
    names = await asyncio.to_thread(end_workers, namespace)
    await until(lambda: states(keeper) != ["ready"])
    await until(lambda: states(keeper) == ["ready"])
    assert [worker.name for worker in keeper.status().workers] == names
    os.kill(sleeper.courier.pid or 0, signal.SIGCONT)
    async with asyncio.timeout(PATIENCE):
        while not await answers(sleeper):
            await asyncio.sleep(0.05)
    for crew in crews:
        await crew.stop(0)
    await asyncio.to_thread(end_workers, namespace)


def states(crew: RayCrew) -> list[str]:
    return [worker.state for worker in crew.status().workers]


async def answers(crew: RayCrew) -> bool:
    try:
        return await crew.ask(Parse("live")) is not None
    except WorkerUnavailable:
        return False


async def test_a_courier_shows_its_token_without_being_told_to(
    ray_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAY_AUTH_MODE")
    crew = RayCrew(ray_address, never)
    await crew.start()
    await until(lambda: crew.courier.state == "ready")
    await crew.stop(0)


async def test_a_courier_without_the_token_or_with_another_one_is_not_let_in(
    ray_address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("RAY_AUTH_TOKEN")
    crews = []
    for token in ("", "0" * 32):
        if token:
            monkeypatch.setenv("RAY_AUTH_TOKEN", token)
        crews.append(RayCrew(ray_address, never))
        await crews[-1].start()
        await until(lambda: crews[-1].courier.pid)
    said = ""
    reasons = ("got no token, possible is the head's own", "got another token than the cluster's, possible is")
    async with asyncio.timeout(PATIENCE):
        while not all(reason in said for reason in reasons):
            assert {crew.courier.state for crew in crews} == {"starting"}
            said += capfd.readouterr().err
            await asyncio.sleep(0.05)
    for crew in crews:
        await crew.stop(0)


async def test_the_head_of_a_cluster_answers_the_probe_of_the_manifests(ray_address: str) -> None:
    manifest = Path(__file__).parents[2] / "deploy" / "kubernetes" / "base" / "ray.yaml"
    spec = yaml.safe_load(manifest.read_text(encoding="utf-8"))["spec"]["headGroupSpec"]["template"]["spec"]
    ray, *asked = spec["containers"][0]["livenessProbe"]["exec"]["command"]
    command = [str(Path(sys.executable).with_name(ray)), *asked]
    there = (ray_address, "127.0.0.1:9")
    probes = [[each.replace("127.0.0.1:6379", address) for each in command] for address in there]
    # Side by side: one of them waits for nobody.
    done = await asyncio.gather(*(asyncio.to_thread(subprocess.run, each, check=False) for each in probes))
    assert [each.returncode for each in done] == [0, 1]
