"""Which worker does a job. All servers choose alike without asking each other: the same game goes to the same worker,
which remembers what the model said."""

import hashlib
from collections.abc import Iterable, Mapping

BATCH = 8
"""Jobs that fill a model's batches. A worker that is so many behind another one is spared new games."""


def ranked(key: str, workers: Iterable[str]) -> list[str]:
    """Rendezvous hashing: when a worker comes or goes, only the keys it ranks first for move."""
    return sorted(workers, key=lambda worker: hashlib.blake2b(f"{worker}\n{key}".encode(), digest_size=8).digest())


def workers_of(model: str, workers: Iterable[str], wanted: Mapping[str, int]) -> list[str]:
    """Those that have a model: so many as are wanted for it, else all."""
    found = ranked(model, workers)
    return found[: wanted[model]] if model in wanted else found


def choose(model: str, game: str, loads: Mapping[str, int], wanted: Mapping[str, int] | None = None) -> str:
    """The worker of a game, unless it has more than a batch to do beyond the least busy one."""
    possible = workers_of(model, loads, wanted or {})
    least = min(possible, key=lambda worker: loads[worker])
    first = ranked(game, possible)[0]
    return first if loads[first] - loads[least] <= BATCH else least
