"""A worker process without models: it speaks the protocol and does what the text of a job tells it to do."""

import json
import os
import sys
import threading
import time
from pathlib import Path

from espalier.engine.messages import (
    ORDERS,
    SAYINGS,
    About,
    Answer,
    Ask,
    Cancel,
    Cancelled,
    Check,
    Exhausted,
    Parse,
    PartialResult,
    Postponed,
    Prepared,
    Progress,
    Pulse,
    Ready,
    Refusal,
    Run,
    Said,
    Succeeded,
    Trouble,
)
from espalier.problems import BeingMadeReady

ABOUT = {"revision": "r1", "classes": ["a", "b"], "max_length": 9}
speaking = threading.Lock()
busy = 0.0
running: set[str] = set()


def say(message: Said) -> None:
    with speaking:
        sys.stdout.buffer.write(SAYINGS.pack(message))
        sys.stdout.buffer.flush()


def beat() -> None:
    while True:
        say(Pulse(busy))
        time.sleep(0.05)


def done(job: str, text: str) -> None:
    document = {"text": text, "device": sys.argv[sys.argv.index("--device") + 1], "evaluations": {"distinct": 1}}
    say(Succeeded(job, 1, 0.5, json.dumps(document)))


def first_time(job: str) -> bool:
    marker = Path(os.environ["HALF_SAID"] + job.partition(".")[0])
    there = marker.exists()
    marker.touch()
    return not there


def note(job: str) -> None:
    """Which process has a job: a crew may add to its name."""
    Path(f"{os.environ['HALF_SAID']}.{job.partition('.')[0]}.pid").write_text(str(os.getpid()), encoding="ascii")


say(Ready())
threading.Thread(target=beat, daemon=True).start()
while (order := ORDERS.read(sys.stdin.buffer)) is not None:
    match order:
        case Ask(number, question):
            if question == Parse("die"):
                os._exit(1)
            if question == Parse("hang"):
                time.sleep(3600)
            if question == Parse("refuse at length"):
                say(Refusal(number, Trouble("bad-tree", 422, "é" * 2_000_000)))
                continue
            if isinstance(question, Check) and question.request.text == "unmade":
                say(Refusal(number, Trouble.of(BeingMadeReady("smollm2", 1, 10))))
                continue
            expected = 1000 if isinstance(question, Check) and "costly" in question.request.text else None
            answer = {"about": ABOUT, "expected": expected} if isinstance(question, Check) else ABOUT
            if isinstance(question, Parse) and question.text != "answer something else":
                answer = {"words": [], "nodes": []}
            say(Answer(number, json.dumps(answer)))
        case Cancel(job):
            running.discard(job)
            say(Cancelled(job))
        case Run(job, request, _):
            text = request.text
            running.add(job)
            note(job)
            if text == "die":
                time.sleep(0.05)  # so that others are there when it happens
                os._exit(1)
            if text == "half" and first_time(job):
                with speaking:
                    sys.stdout.buffer.write(b'Succeeded 40 60\n{"half')
                    sys.stdout.buffer.flush()
                    os._exit(1)
            if text == "nonsense" and first_time(job):
                with speaking:
                    sys.stdout.buffer.write(b"x" * 2**20)
                    sys.stdout.buffer.flush()
                continue
            if text == "unmade" and first_time(job):
                running.discard(job)
                say(Postponed(job, 3, 10))
                continue
            if text == "stuck" and first_time(job):
                busy = 10_000.0
                continue
            if text == "greedy" or (text == "next to greedy" and len(running) > 1):
                running.discard(job)
                say(Exhausted(job))
                continue
            say(Prepared(job, About("r1", ("a", "b"), 9), json.dumps({"text": text})))
            if text.startswith("wait"):
                say(Progress(job, 1, 10))
                say(PartialResult(job, json.dumps({"result": "so far"})))
                continue
            running.discard(job)
            done(job, text)
