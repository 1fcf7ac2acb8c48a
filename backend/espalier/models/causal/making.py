"""A packaged model made ready by a process of its own: whoever asks for another model meanwhile does not notice.

`python -m espalier.models.causal.making FILE SHA256 INTO`. How far it is stands in a file beside the folder, for every
process that wants to know.
"""

import os
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path

from filelock import Timeout

from espalier.models.causal.packaged import converted, folder_of, lock_of, packaged_file
from espalier.models.manifest import read_manifest
from espalier.models.sources import Source
from espalier.problems import BadModel, BeingMadeReady
from espalier.settings import settings

_makers: dict[Path, subprocess.Popen[str]] = {}
_starting = threading.Lock()


def begin(source: Source) -> None:
    """Returns when a model can be loaded at once. If it has to be made, somebody makes it from now on, and this is said
    at once with how far that is."""
    if source.folder is None or not (source.folder / "espalier.json").is_file():
        return
    manifest = read_manifest(source.folder)
    file = packaged_file(manifest["package"], manifest["file"])
    into = settings().data / "models"
    folder = folder_of(file, manifest["sha256"], into)
    with _starting:
        if folder.is_dir():
            _makers.pop(folder, None)
            return
        maker = _makers.get(folder)
        if maker is None:
            try:
                into.mkdir(parents=True, exist_ok=True)
                if not _is_being_made(folder):
                    progress_of(folder).unlink(missing_ok=True)
                    _makers[folder] = _start(file, manifest["sha256"], into)
            except OSError as error:
                raise BadModel(
                    f"{source.name} cannot be made ready: got {error}, possible is a data folder that can be written"
                ) from error
        elif maker.poll() is not None:
            del _makers[folder]
            raise BadModel(f"{source.name} cannot be made ready: got {_last_words(maker)}; its next use tries again")
    raise BeingMadeReady(source.name, *_progress(folder))


def progress_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.progress")


def _progress(folder: Path) -> tuple[int, int]:
    """Parts done, of how many; nothing where nobody has said anything yet."""
    try:
        done, count = map(int, progress_of(folder).read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return 0, 1
    return done, count


def _is_being_made(folder: Path) -> bool:
    try:
        with lock_of(folder).acquire(timeout=0):
            return False
    except Timeout:
        return True


def _start(file: Path, sha256: str, into: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "espalier.models.causal.making", str(file), sha256, str(into)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace"
    )


def _last_words(maker: "subprocess.Popen[str]") -> str:
    assert maker.stderr is not None
    said = deque((line.strip() for line in maker.stderr if line.strip()), 1)
    return said[0] if said else f"exit status {maker.returncode}"


def _leave_with_parent() -> None:
    """Its input ends when whoever started it ends."""
    sys.stdin.read()
    os._exit(1)


def main() -> None:
    file, sha256, into = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    told = progress_of(folder_of(file, sha256, into))
    try:
        converted(file, sha256, into, lambda done, count: _write(told, f"{done} {count}"))
    finally:
        told.unlink(missing_ok=True)


def _write(told: Path, said: str) -> None:
    """Whole or not at all: it is read meanwhile."""
    unfinished = told.with_suffix(".new")
    unfinished.write_text(said, encoding="ascii")
    unfinished.replace(told)


if __name__ == "__main__":
    main()
