"""Lines of a cluster's workers, as a program reads them: each names the job and the server that asked."""

import json
import os
import subprocess
import sys

import pytest
from tests.engine.houses import SCRIPT

JOB = "0123456789abcdef0123456789abcdef"

LOGGED = f"""
import structlog
from espalier.logs import set_up_logs

set_up_logs("host-17")
log = structlog.get_logger("a.part")
log.info("job failed", job="{JOB}.1a2b3c4d")
log.warning("worker ended", jobs=["{JOB}.1a2b3c4d"], server="host-4")
"""

ACTED = f"""
import asyncio, sys
from espalier.edition import edition
from espalier.engine.crews.ray.actor import Posting, WorkerActor
from espalier.engine.messages import ORDERS, Run
from espalier.explain.request import ExplanationRequest
from espalier.limits import Limits

async def act():
    actor = WorkerActor(Posting("machine-cpu0", "cpu", Limits(), edition(), program=(sys.executable, {str(SCRIPT)!r})))
    request = ExplanationRequest(text="die", model="sst2-bow", method="leave-one-out")
    await actor.begin("host-17 one", 1, ORDERS.pack(Run("{JOB}", request, "me")))
    last, is_over = 0, False
    while not is_over:
        for each in (await actor.listen("host-17 one", last)).sayings:
            last, is_over = each.number, each.is_end
    await actor._crew.stop(0)

asyncio.run(act())
"""


def lines(program: str, **environment: str) -> list[dict[str, object]]:
    given = os.environ | {"ESPALIER_LOG_FORMAT": "json"} | environment
    done = subprocess.run([sys.executable, "-c", program], env=given, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stderr.splitlines()]


def test_every_line_has_its_server_and_the_plain_id_of_its_job() -> None:
    failed, ended = lines(LOGGED)
    assert (failed["event"], failed["level"], failed["logger"]) == ("job failed", "info", "a.part")
    assert (failed["job"], failed["server"]) == (JOB, "host-17")
    assert (ended["jobs"], ended["server"]) == ([JOB], "host-4")


@pytest.mark.slow
def test_a_worker_of_a_cluster_names_the_job_and_the_server_that_asked(tmp_path: object) -> None:
    said = lines(ACTED, HALF_SAID=f"{tmp_path}/mark")
    (begun,) = (line for line in said if line["event"] == "job begun")
    assert (begun["job"], begun["server"], begun["worker"]) == (JOB, "host-17", "machine-cpu0")
    ended = [line for line in said if line["event"] == "worker ended" and line["jobs"]]
    assert ended
    assert all(line["jobs"] == [JOB] for line in ended)
