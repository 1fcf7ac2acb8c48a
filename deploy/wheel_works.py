"""Serve from an installed wheel, and ask for one of everything: the page, a prediction, a tree, an explanation.

    python deploy/wheel_works.py path/of/espalier

Only Python's own library is used, so that it runs in any environment.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from typing import Any

SENTENCE = "The music is lovely, but the film is not."
BLANK = "The music is lovely, but the film is [MASK]."
PATIENCE_SECONDS = 1800
"""A start takes seconds on an idle machine, and long beside others."""


def serves_everything(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Raises AssertionError where something is missing."""
    with tempfile.TemporaryDirectory() as data:
        given = (environment or dict(os.environ)) | {"ESPALIER_DATA": data, "HF_HUB_OFFLINE": "1"}
        serve = [*command, "serve", "--host", "127.0.0.1", "--port", "0"]
        with subprocess.Popen(
            serve, env=given, cwd=data, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process:
            said: list[str] = []
            # What it says later must be read as well, or the server would stop when the pipe is full.
            rest = threading.Thread(target=lambda: said.extend(process.stderr or ()), daemon=True)
            try:
                address = _address(process, said)
                rest.start()
                _ask_for_everything(address)
            except BaseException:
                sys.stderr.writelines(line for line in said if "/health/" not in line)
                raise
            finally:
                process.terminate()
                if rest.ident is not None:
                    rest.join()  # to its last word: then the pipe is closed


def _address(process: "subprocess.Popen[str]", said: list[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        said.append(line)
        if found := re.search(r"running on (http://\S+)", line):
            return found[1]
    raise AssertionError("the server ended before it listened:\n" + "".join(said))


def _ask_for_everything(address: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not _is_ready(address):
        assert time.monotonic() < deadline, "the server was not ready in time"
        time.sleep(0.5)
    for page in ("/", "/docs"):
        text = _get(address + page)
        scripts = re.findall(r'(?:src|href)="(/assets/[^"]+)"', text)
        assert scripts, f"{page} has no scripts: {text[:200]}"
        assert all(_get(address + script) for script in scripts)
    catalog = json.loads(_get(f"{address}/v1/catalog"))
    assert catalog["samples"], "no sample sentences"
    for model in catalog["models"]:
        text = BLANK if model["says"] == "blank" else SENTENCE
        predicted = _post(f"{address}/v1/predictions", {"model": model["name"], "text": text})
        assert predicted["label"], f"{model['name']} says nothing"
    assert _post(f"{address}/v1/trees", {"text": SENTENCE})["nodes"]
    explained = _post(f"{address}/v1/explanations", {"text": SENTENCE, "method": "ls-tree"}, Prefer="wait=60")
    assert explained["status"] == "succeeded", explained


def _is_ready(address: str) -> bool:
    try:
        return bool(_get(f"{address}/health/ready"))
    except urllib.error.HTTPError:
        return False


def _get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=120) as answer:
        return str(answer.read().decode())


def _post(address: str, body: dict[str, Any], **headers: str) -> Any:
    data = json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json", **headers})
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            # A model that is made ready at its first use may take longer than one answer.
            if error.code != 503 or time.monotonic() > deadline:
                raise AssertionError(f"{address}: {error.read().decode()}") from error
            time.sleep(2)


if __name__ == "__main__":
    serves_everything(sys.argv[1:])
    sys.stdout.write("the wheel serves everything\n")
