"""`python -m espalier.engine.crews.ray.courier`: started by a server only. It carries jobs to the cluster and brings
back what is said of them, in the same frames as a worker process.

It is a process of its own because a driver of Ray does not outlive the cluster's head: Ray ends it.
"""

import argparse
import asyncio
import contextlib
import json
import os
import sys
import threading
import time
import uuid

import structlog

from espalier.engine.crews.ray.cluster import Cluster
from espalier.engine.crews.ray.errands import Errands
from espalier.engine.crews.ray.post import Post
from espalier.engine.endless import endless
from espalier.engine.messages import LONGEST_LINE, ORDERS, Ask, Cancel, Pulse, Ready, Reconcile, Run, Sighted, Withdraw
from espalier.engine.worker.confinement import confine
from espalier.engine.worker.voice import Voice
from espalier.logs import SERVER, set_up_logs
from espalier.problems import Problem

PULSE_SECONDS = 1.0

LOOK_SECONDS = 0.5
"""Between two looks at which workers there are."""

FAREWELL_SECONDS = 2.0

MOST_FAILURES = 10
"""Looks that may fail one after the other."""

_log = structlog.get_logger(__name__)


class Courier:
    """Reads what to do, and has it done in the cluster."""

    def __init__(self, cluster: Cluster, voice: Voice, wanted: dict[str, int], server: str) -> None:
        self._cluster = cluster
        self._voice = voice
        self._name = f"{server} {uuid.uuid4().hex}"
        self._wanted = wanted
        self._errands = Errands(voice.pass_on, wanted)
        self._listening: dict[str, asyncio.Task[None]] = {}
        self._reconciling = asyncio.Lock()
        self._failures = 0

    async def serve(self) -> None:
        """Until the input ends: the server has gone, or has said everything."""
        loop = asyncio.get_running_loop()
        orders = asyncio.StreamReader(limit=LONGEST_LINE)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin.buffer)
        reading = loop.create_task(self._obey(orders))
        joined = loop.run_in_executor(None, self._cluster.join)
        await asyncio.wait({reading, asyncio.ensure_future(joined)}, return_when=asyncio.FIRST_COMPLETED)
        if not reading.done():
            await joined
            looking = loop.create_task(endless("looking for workers", self._look, LOOK_SECONDS))
            self._voice.say(Ready())
            await reading
            looking.cancel()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL_SECONDS):
                    await self._errands.farewell()

    async def _obey(self, orders: asyncio.StreamReader) -> None:
        tasks = set()
        while (order := await ORDERS.receive(orders)) is not None:
            match order:
                case Run():
                    self._errands.run(order)
                case Cancel(job):
                    self._errands.cancel(job)
                case Ask():
                    self._errands.ask(order)
                case Withdraw(number):
                    self._errands.withdraw(number)
                case Reconcile():
                    task = asyncio.create_task(self._reconcile(order))
                    tasks.add(task)
                    task.add_done_callback(tasks.discard)

    async def _look(self) -> None:
        """Which workers there are now; listen to each."""
        died = {name for name, post in self._errands.posts.items() if post.has_died}
        for name in died:
            self._cluster.forget(name)
        try:
            there = await asyncio.to_thread(self._cluster.workers)
        except Exception as error:
            self._failures += 1
            # A head that was started anew does not know this driver, and never will: the next one joins afresh.
            if "WrongClusterID" in str(error) or self._failures >= MOST_FAILURES:
                _log.warning("the cluster does not answer: joining it afresh", reason=str(error)[:200])
                self._cluster.leave()
                os._exit(1)
            return
        self._failures = 0
        # One that was made anew since the last look has the name of the one that died.
        for name in [each for each in self._listening if each not in there or each in died]:
            self._listening.pop(name).cancel()
            gone = self._errands.posts.pop(name)
            gone.is_here = False
            _log.warning("a worker has gone", worker=name)
            self._errands.lost(gone)
        for name, handle in there.items():
            if name not in self._listening:
                post = Post(name, handle, self._name, self._errands.heard, self._errands.lost, self._errands.go_on)
                self._errands.posts[name] = post
                self._listening[name] = asyncio.create_task(post.keep())
        self._errands.go_on()
        self._voice.say(Sighted(tuple(post.status() for post in self._errands.posts.values())))

    async def _reconcile(self, order: Reconcile) -> None:
        if self._reconciling.locked():
            return
        async with self._reconciling:
            loads = {name: post.idleness() for name, post in self._errands.posts.items()}
            try:
                await asyncio.to_thread(self._cluster.reconcile, loads, order.least, order.idle_seconds, self._wanted)
            except Exception:
                _log.exception("the workers of the cluster cannot be looked after")


def beat(voice: Voice) -> None:
    """On a thread of its own: that this process lives shows also while it waits for Ray."""
    while True:
        voice.say(Pulse(0.0))
        time.sleep(PULSE_SECONDS)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--address", required=True)
    parser.add_argument("--namespace", required=True)
    parser.add_argument("--posting", required=True, help="What workers are told, in JSON.")
    parser.add_argument("--wanted", type=json.loads, default={})
    parser.add_argument("--server", default=SERVER, help="Whose it is.")
    given = parser.parse_args()
    set_up_logs(given.server)
    # The protocol has the real standard output; what libraries print goes where logs go.
    voice = Voice(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)
    confine(None)
    threading.Thread(target=beat, args=(voice,), daemon=True).start()
    cluster = Cluster(given.address, given.namespace, json.loads(given.posting))
    code = 1
    try:
        asyncio.run(Courier(cluster, voice, given.wanted, given.server).serve())
        code = 0
    except Problem as problem:
        _log.error("the cluster cannot be joined", reason=problem.message)
    except Exception:
        _log.exception("the cluster cannot be joined")
    finally:
        cluster.leave()
        os._exit(code)  # Ray's own end takes seconds, and waits for a cluster that may not be there


if __name__ == "__main__":
    main()
