"""`make lock`: beside each list of versions (requirements.txt) the same list with the hashes of all their files, on
every platform (requirements.lock), from which pip installs nothing else.

The hashes come from the index that pip uses, by pip-tools. An index that does not tell them is asked for the files.
"""

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

AT_ONCE = 8
HEAD = "# Written by `make lock`: the versions of {name}, and what their files must hash to.\n"


def hashes(pinned: str) -> list[str]:
    from pip._internal.req.constructors import install_req_from_line
    from piptools.repositories import PyPIRepository

    with tempfile.TemporaryDirectory() as cache:
        index = PyPIRepository([], cache_dir=cache)
        with index.allow_all_wheels():
            return sorted(index.get_hashes(install_req_from_line(pinned)))


def main(*lists: str) -> None:
    for path in map(Path, lists):
        versions = path.read_text(encoding="utf-8").split()
        with ProcessPoolExecutor(AT_ONCE) as pool:
            found = dict(zip(versions, pool.map(hashes, versions), strict=True))
        write(path.with_suffix(".lock"), path.name, found)


def write(path: Path, name: str, found: dict[str, list[str]]) -> None:
    lines = [" \\\n    ".join([pinned, *(f"--hash={each}" for each in own)]) for pinned, own in found.items()]
    path.write_text(HEAD.format(name=name) + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
