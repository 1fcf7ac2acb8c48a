"""Which workers there should be, from the machines that are there. Nothing here speaks with Ray."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from espalier.engine.crews.ray.placement import BATCH, workers_of


@dataclass(frozen=True, slots=True)
class Device:
    """A place for one worker."""

    node: str
    host: str
    kind: Literal["cuda", "cpu"]
    index: int
    cores: int

    @property
    def name(self) -> str:
        """The same at every look, and of every server."""
        return f"{self.node[:12]}-{self.kind}{self.index}"


@dataclass(frozen=True, slots=True)
class Load:
    """What a worker has to do, and for how long it has had nothing."""

    jobs: int
    idle_seconds: float


def devices(nodes: Iterable[Mapping[str, Any]]) -> list[Device]:
    """One for each GPU of a machine; on a machine without, one for the processor. A machine that was started with no
    processor (a head, a server) has none."""
    found = []
    for node in nodes:
        if not node["Alive"]:
            continue
        has = node["Resources"]
        graphics, cores = int(has.get("GPU", 0)), int(has.get("CPU", 0))
        host = str(node.get("NodeManagerHostname") or node.get("NodeManagerAddress") or "")
        if graphics:
            found += [Device(node["NodeID"], host, "cuda", index, cores) for index in range(graphics)]
        elif cores:
            found.append(Device(node["NodeID"], host, "cpu", 0, cores))
    return sorted(found, key=lambda each: each.name)


def plan(
    possible: Sequence[Device],
    there: Mapping[str, Load],
    least: int,
    idle_seconds: float,
    models: Mapping[str, int] | None = None,
) -> tuple[list[Device], list[str]]:
    """Workers to make, and workers to give back.

    `least` 0 means one for each device, always. Else so many are kept; one more is made when all have more than a
    batch to do, and those beyond `least` are given back when they have been idle. `models` says how many workers a
    model is wanted on: so many are kept as well, and those that have one of these models.
    """
    models = models or {}
    missing = [device for device in possible if device.name not in there]
    gone = [name for name in there if name not in {device.name for device in possible}]
    if least == 0:
        return missing, gone
    living = {name: load for name, load in there.items() if name not in gone}
    least = max([least, *models.values()])
    wanted = least - len(living)
    if wanted <= 0 and living and all(load.jobs > BATCH for load in living.values()):
        wanted = 1
    needed = {name for model in models for name in workers_of(model, living, models)}
    idle = sorted(
        name
        for name, load in living.items()
        if load.jobs == 0 and load.idle_seconds > idle_seconds and name not in needed
    )
    return missing[: max(0, wanted)], gone + idle[: max(0, len(living) - least)]
