"""What worker processes may take. Imports nothing: `espalier serve` needs it before it imports the service."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Jobs at once, models and bytes in memory; seconds of silence after which a process counts as hung, and seconds
    that one batch may take."""

    jobs: int = 32
    models: int = 8
    memory: int = 6 * 10**9
    silence: float = 30.0
    batch: float = 300.0

    @property
    def hard_memory(self) -> int:
        """Bytes that no worker gets beyond: one that has grown is replaced before, at a quiet moment. Less than three
        gigabytes would not do for the parser and a model."""
        return max(3 * 10**9, self.memory + self.memory // 2)
