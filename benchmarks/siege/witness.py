"""Sees every answer that a hostile client gets."""

import threading
from collections import Counter


class Witness:
    """Counts, and keeps the first few of what must not be: a failure of the server."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.attacks: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._writing = threading.Lock()

    def saw(self, attack: str, status: int, retry_after: str | None = None) -> None:
        with self._writing:
            self.attacks[attack] += 1
            self.statuses[str(status) if status else "no answer"] += 1
            if status >= 500 and not (status == 503 and retry_after):
                self.wrong.append(f"{attack}: {status}" + (" without Retry-After" if status == 503 else ""))
