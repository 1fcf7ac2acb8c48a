"""What was measured is kept and not measured again: a stop costs no more than the text that was being measured."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

DIGITS = 16
"""Of a digest in a file's name."""


def place(folder: Path, name: str, *asked: Any) -> Path:
    """A file for exactly these texts, settings and weights: a trial with others has another one."""
    said = json.dumps(asked, sort_keys=True, default=str)
    return folder / f"{name}-{hashlib.sha256(said.encode()).hexdigest()[:DIGITS]}.json"


def whole(path: Path, measure: Callable[[], Any]) -> Any:
    """Measured once. The file is there with all it holds, or not at all."""
    if not path.exists():
        write(path, json.dumps(measure()))
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_text(content, encoding="utf-8")
    unfinished.rename(path)


class Lines:
    """A file with a line for each thing that was measured, by its key. A last line that was cut off in the middle is
    taken away, so that the next one does not go on in it."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_suffix(".jsonl")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        content = self._path.read_bytes() if self._path.exists() else b""
        complete = content[: content.rfind(b"\n") + 1]
        if len(complete) < len(content):
            self._path.write_bytes(complete)
        self._known: dict[str, Any] = dict(json.loads(line) for line in complete.splitlines())

    def get(self, key: str, measure: Callable[[], Any]) -> Any:
        """As JSON gives it back, whether it was known or not."""
        if key not in self._known:
            line = json.dumps([key, measure()])
            with self._path.open("a", encoding="utf-8") as lines:
                lines.write(line + "\n")
            self._known[key] = json.loads(line)[1]
        return self._known[key]
