"""What hostile clients send. Each attack is one request, or a few; whatever comes back, the witness sees."""

import json
import random
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx

from benchmarks.siege.witness import Witness

JSON = {"Content-Type": "application/json"}
ASKED: dict[str, Any] = {"text": "A dull film.", "model": "sst2-bow", "method": "leave-one-out"}


@dataclass(frozen=True, slots=True)
class Target:
    """What hostile clients know of the server: its port on this machine, and the address of a study."""

    port: int
    study: str

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class Attacker:
    """One hostile client, with a key of its own: the worst ones are those that were let in."""

    def __init__(self, target: Target, key: dict[str, str], witness: Witness, number: int) -> None:
        self.target = target
        self.witness = witness
        self.draw = random.Random(number)
        self.name = ""
        self.client = httpx.Client(base_url=target.address, headers=key, timeout=30)

    def strike(self, name: str) -> None:
        self.name = name
        try:
            ATTACKS[name](self)
        except (httpx.HTTPError, OSError):
            self.witness.saw(name, 0)  # sent away, or cut off

    def send(self, verb: str, path: str, **fields: Any) -> httpx.Response:
        answer = self.client.request(verb, path, **fields)
        self.witness.saw(self.name, answer.status_code, answer.headers.get("retry-after"))
        return answer

    def post(self, body: Any, path: str = "/v1/explanations", **headers: str) -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode("utf-8", "surrogatepass")
        return self.send("POST", path, content=content, headers=JSON | headers)

    def raw(self, content: bytes, listen: float = 0.2) -> None:
        """Bytes as they are, and away again."""
        with socket.create_connection(("127.0.0.1", self.target.port), timeout=5) as line:
            line.sendall(content)
            line.settimeout(listen)
            try:
                said = line.recv(4096)
            except TimeoutError:
                said = b""
        status = said[9:12] if said.startswith(b"HTTP/1.1 ") else b"0"
        self.witness.saw(self.name, int(status), "?" if b"retry-after" in said.lower() else None)


def _head(attacker: Attacker, length: int, path: str = "/v1/explanations") -> bytes:
    key = attacker.client.headers["authorization"]
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: {key}", "Content-Type: application/json"]
    return ("\r\n".join([*lines, f"Content-Length: {length}"]) + "\r\n\r\n").encode()


def _many_at_once(attacker: Attacker) -> None:
    body = {"model": "sst2-bow", "text": "A film. " * 50}
    with ThreadPoolExecutor(40) as pool:
        list(pool.map(lambda _: attacker.post(body, "/v1/predictions"), range(40)))


def _cut_stream(attacker: Attacker) -> None:
    text = f"A film about {attacker.draw.random()}, which is long and slow and not good at all."
    job = attacker.post(ASKED | {"text": text, "model": "sst2-minilm", "method": "hedge"})
    if job.status_code == 202:
        with attacker.client.stream("GET", f"/v1/explanations/{job.json()['id']}/events") as events:
            next(events.iter_raw(), b"")
        attacker.send("DELETE", f"/v1/explanations/{job.json()['id']}")


def _batch(attacker: Attacker) -> None:
    texts = [f"Film {attacker.draw.random()}" for _ in range(200)]
    batch = attacker.post({"texts": texts, "model": "sst2-bow", "method": "leave-one-out"}, "/v1/batches")
    if batch.status_code == 202:
        attacker.send("DELETE", f"/v1/batches/{batch.json()['id']}")


def _join(attacker: Attacker, parameters: dict[str, str], name: str | None = None) -> None:
    attacker.post({"study": attacker.target.study, "parameters": parameters, "name": name}, "/v1/sessions")


def _deep_tree(attacker: Attacker) -> None:
    attacker.post(ASKED | {"method": "ls-tree", "tree": "(S " * 5_000 + "A dull film ." + ")" * 5_000})


def _fields(count: int) -> dict[str, int]:
    return {f"field{number}": number for number in range(count)}


def _run(attacker: Attacker) -> None:
    """A run of the Lab, begun, looked at, ended and deleted."""
    rows = [{"text": f"Film {attacker.draw.random()}", "label": "positive"} for _ in range(20)]
    run = attacker.post(RUN | {"dataset": {"kind": "rows", "rows": rows}}, "/v1/evaluations")
    if run.status_code == 202:
        path = f"/v1/evaluations/{run.json()['id']}"
        attacker.send("GET", f"{path}/results")
        attacker.send("POST", f"{path}/cancel")
        attacker.send("DELETE", path)


def _file(attacker: Attacker, name: str, content: str, path: str = "/v1/evaluations/plan") -> None:
    attacker.post(RUN | {"dataset": {"kind": "file", "name": name, "content": content}}, path)


def _deep(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


MARKS = "()[]{}!?'\"$%"
RUN: dict[str, Any] = {"models": ["sst2-bow"], "methods": [{"method": "leave-one-out"}]}
BATCH = b'{"texts": ["A film."], "model": "sst2-bow", "method": "leave-one-out", '

ATTACKS: dict[str, Callable[[Attacker], object]] = {
    "a target of 800 kB": lambda a: a.post(ASKED | {"target": "é" * 400_000}),
    "a tree of 900 kB": lambda a: a.post(ASKED | {"method": "ls-tree", "tree": "(" * 450_000 + ")" * 450_000}),
    "a tree of 5,000 levels": _deep_tree,
    "a model's name of 500 kB": lambda a: a.post(ASKED | {"model": "x" * 500_000}),
    "parameters that would take all memory": lambda a: a.post(
        {"text": "word " * 400, "model": "sst2-bow", "method": "sampled-shapley", "parameters": {"orders": 10_000}}
    ),
    "spans without number": lambda a: a.post(ASKED | {"players": "spans", "spans": [[0, 1]] * 50_000}),
    "20,000 unknown fields": lambda a: a.post(ASKED | _fields(20_000)),
    "900 unknown parameters": lambda a: a.post(ASKED | {"parameters": _fields(900)}),
    "runs of digits": lambda a: a.post((b'{"text": "' + b"9" * 299 + b'x"}') * 3_000),
    "brackets without end": lambda a: a.post(b"[" * 900_000),
    "numbers that are none": lambda a: a.post(b'{"text": "A film.", "seed": NaN, "x": [1e999, -Infinity]}'),
    "half a character": lambda a: a.post(b'{"text": "\\ud83c"}'),
    "malformed UTF-8": lambda a: a.post(b'{"text": "\xff\xfe\xc3\x28\xf0\x90"}'),
    "a NUL in a text": lambda a: a.post(ASKED | {"text": "a\0b"}),
    "a form instead of JSON": lambda a: a.send("POST", "/v1/explanations", data={"text": "A film."}),
    "a body of 2 MB": lambda a: a.post(b'{"text": "' + b"x" * 2_000_000 + b'"}'),
    "50,000 marks to parse": lambda a: a.post({"text": "".join(a.draw.choices(MARKS, k=50_000))}, "/v1/trees"),
    "50,000 marks to predict": lambda a: a.post({"model": "sst2-bow", "text": "!" * 50_000}, "/v1/predictions"),
    "forty predictions at once": _many_at_once,
    "a batch that is cancelled": _batch,
    "a batch of 21 MB": lambda a: a.raw(_head(a, 21_000_000, "/v1/batches")),
    "a slow body": lambda a: a.raw(_head(a, 500) + b'{"text": ', listen=4),
    "half a body": lambda a: a.raw(_head(a, 500) + b'{"text": '),
    "half of the headers": lambda a: a.raw(b"POST /v1/explanations HTTP/1.1\r\nHost: 127"),
    "no HTTP": lambda a: a.raw(a.draw.randbytes(300)),
    "headers without end": lambda a: a.raw(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: " + b"x" * 100_000),
    "a stream that is cut": _cut_stream,
    "an event id of 5,000 digits": lambda a: a.send(
        "GET", f"/v1/explanations/{'0' * 32}/events", headers={"Last-Event-ID": "9" * 5_000}
    ),
    "somebody else's job": lambda a: a.send("DELETE", f"/v1/explanations/{a.draw.randbytes(16).hex()}"),
    "an owner's studies": lambda a: a.send("GET", f"/v1/studies/{a.target.study}/people"),
    "a forged key": lambda a: a.post(ASKED, Authorization=f"Bearer espalier_{a.draw.randbytes(4).hex()}_{'a' * 43}"),
    "a forged annotator": lambda a: a.send(
        "GET", "/v1/session", headers={"Authorization": f"Bearer annotator_{a.draw.randbytes(32).hex()}"}
    ),
    "a forged cookie from another site": lambda a: a.post(
        ASKED, Authorization="", Cookie="espalier_sign_in=x", Origin="http://evil.example"
    ),
    "a forged submission": lambda a: _join(a, {"PROLIFIC_PID": "victim", "SESSION_ID": str(a.draw.random())}),
    "a forged token of Prolific's": lambda a: _join(a, {"prolific_token": "eyJhbGciOiJSUzI1NiJ9.e30.AAAA"}),
    "a forged rehearsal": lambda a: _join(a, {"rehearsal": "guess", "name": "x"}),
    "invented names": lambda a: _join(a, {}, f"name {a.draw.random()}"),
    "a join of 40 kB": lambda a: _join(a, {"PROLIFIC_PID": "x" * 40_000}),
    "a wrong sign-in": lambda a: a.send(
        "POST", "/sign-in", data={"key": "x" * 1_000}, headers={"Origin": a.target.address}
    ),
    "another host's name": lambda a: a.send("GET", "/v1/catalog", headers={"Host": "evil.example"}),
    "4 MB of texts that are none": lambda a: a.post(b'{"texts": [' + b"1," * 2_000_000 + b"1]}", "/v1/batches"),
    "as many wrong texts as pass": lambda a: a.post({"texts": [1] * 90_000}, "/v1/batches"),
    "outcomes that are none": lambda a: a.post(ASKED | {"outcomes": [1] * 90_000}),
    "spans that are none": lambda a: a.post(ASKED | {"players": "spans", "spans": [1] * 90_000}),
    "400,000 unknown fields": lambda a: a.post(_fields(400_000), "/v1/batches"),
    "a body in UTF-16": lambda a: a.post(json.dumps(_fields(20_000)).encode("utf-16")),
    "parameters of 300 levels": lambda a: a.post(BATCH + b'"parameters": {"x": ' + _deep(300) + b"}}", "/v1/batches"),
    "a NUL in a batch": lambda a: a.post({"texts": ["a\0b"], "model": "sst2-bow"}, "/v1/batches"),
    "a run that is cancelled": _run,
    "models of a run that are none": lambda a: a.post(RUN | {"models": [1] * 90_000}, "/v1/evaluations/plan"),
    "rows that are none": lambda a: a.post(
        RUN | {"dataset": {"kind": "rows", "rows": [1] * 90_000}}, "/v1/evaluations"
    ),
    "a NUL in a label": lambda a: a.post(
        RUN | {"dataset": {"kind": "rows", "rows": [{"text": "A film.", "label": "\0"}]}}, "/v1/evaluations"
    ),
    "a header of a megabyte": lambda a: _file(a, "a.csv", "text" + ",x" * 500_000 + "\n" + "a\n" * 5_000),
    "a million rows": lambda a: _file(a, "a.csv", "text\n" + "a\n" * 999_000),
    "brackets in a line": lambda a: _file(a, "a.jsonl", "[" * 100_000, "/v1/evaluations"),
    "a number of 5,000 digits in a line": lambda a: _file(a, "a.jsonl", '{"text": ' + "9" * 5_000 + "}"),
    "half a character in a line": lambda a: _file(a, "a.jsonl", '{"text": "\\ud83d"}', "/v1/evaluations"),
    "somebody else's run": lambda a: a.send("DELETE", f"/v1/evaluations/{a.draw.randbytes(16).hex()}"),
    "instances that are none": lambda a: a.post({"instances": [1] * 90_000}, "/v1/models/sst2-bow:predict"),
    "2,000 instances": lambda a: a.post({"instances": ["A film."] * 2_000}, "/v1/models/sst2-bow:predict"),
    "instances with wrong settings": lambda a: a.post(
        {"instances": ["A film."] * 64, "parameters": _fields(40)}, "/v1/models/sst2-bow:explain"
    ),
    "instances that need much work": lambda a: a.post(
        {
            "instances": ["word " * 400] * 64,
            "parameters": {"method": "sampled-shapley", "parameters": {"orders": 9_000}},
        },
        "/v1/models/sst2-bow:explain",
    ),
    "absent players that are none": lambda a: a.post(
        {"text": "A film.", "model": "sst2-bow", "absent": ["x"] * 90_000}, "/v1/stand-ins"
    ),
    "a thousand absent players": lambda a: a.post(
        {"text": "!" * 1_000, "model": "sst2-bow", "absent": list(range(1_000)), "draws": 64}, "/v1/stand-ins"
    ),
    "a path that climbs": lambda a: a.send("GET", "/assets/%2e%2e/%2e%2e/etc/passwd"),
}
