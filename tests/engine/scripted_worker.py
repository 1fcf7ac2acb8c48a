"""A worker process without models: it speaks the protocol and does what the text of a job tells it to do."""

import json
import os
import sys
import time
from pathlib import Path

from espalier.engine.wire import packed


def say(message: dict, body: str | None = None) -> None:
    sys.stdout.buffer.write(packed(message, body))
    sys.stdout.buffer.flush()


say({"is": "ready"})
for line in sys.stdin.buffer:
    order = json.loads(line)
    if order["do"] == "ask":
        if order["question"] == "parse" and order["text"] == "die":
            os._exit(1)
        about = {"revision": "r1", "classes": ["a", "b"], "max_length": 9}
        say({"is": "answer", "number": order["number"], "answer": about})
        continue
    job = order["job"]
    if order["do"] == "cancel":
        say({"is": "cancelled", "job": job})
        continue
    text = order["request"]["text"]
    if text == "die":
        time.sleep(0.05)  # so that others are there when it happens
        os._exit(1)
    if text == "half" and not (marker := Path(os.environ["HALF_SAID"])).exists():
        marker.touch()
        sys.stdout.buffer.write(b'{"is":"succeeded","job":"%s","bytes":100}\n{"half' % job.encode())
        sys.stdout.buffer.flush()
        os._exit(1)
    known = {"revision": "r1", "classes": ["a", "b"], "max_length": 9}
    say({"is": "prepared", "job": job, **known}, json.dumps({"text": text}))
    if text.startswith("wait"):
        continue
    document = {"text": text, "device": sys.argv[sys.argv.index("--device") + 1], "evaluations": {"distinct": 1}}
    say({"is": "succeeded", "job": job, "evaluated": 1, "expected": 1}, json.dumps(document))
