"""Which worker does a job. The same game goes to the same worker, which remembers what the model said. A new one goes
to a worker that has little to do, and all servers choose alike among those without asking each other."""

import hashlib
from collections.abc import Iterable, Mapping

BATCH = 8
"""Jobs that fill a model's batches. A worker that is so many behind another one is spared more of the games it has."""

NEAR = 1
"""Jobs that two workers may differ in and still be asked alike for a new game. It has nothing to gain from either, and
where loads drift apart by a batch, one worker has nothing left to do while the other still has for seconds."""


def ranked(key: str, workers: Iterable[str]) -> list[str]:
    """Rendezvous hashing: when a worker comes or goes, only the keys it ranks first for move."""
    return sorted(workers, key=lambda worker: hashlib.blake2b(f"{worker}\n{key}".encode(), digest_size=8).digest())


def workers_of(model: str, workers: Iterable[str], wanted: Mapping[str, int]) -> list[str]:
    """Those that have a model: so many as are wanted for it, else all."""
    found = ranked(model, workers)
    return found[: wanted[model]] if model in wanted else found


def choose(
    model: str, game: str, loads: Mapping[str, int], wanted: Mapping[str, int] | None = None, had: str | None = None
) -> str:
    """The worker of a game: the one that `had` it, unless that has more than a batch to do beyond the least busy one;
    for a new game the first by rendezvous of those that have little to do."""
    possible = workers_of(model, loads, wanted or {})
    least = min(loads[worker] for worker in possible)
    if had in possible and loads[had] - least <= BATCH:
        return had
    return ranked(game, (worker for worker in possible if loads[worker] - least <= NEAR))[0]
