"""Sees every answer that a hostile client gets."""

import threading
from collections import Counter


class Witness:
    """Keeps answers (attack, status, Retry-After), and names those that must not be: failures of the server."""

    def __init__(self) -> None:
        self.answers: list[tuple[str, int, str | None]] = []
        self._writing = threading.Lock()

    def saw(self, attack: str, status: int, retry_after: str | None = None) -> None:
        with self._writing:
            self.answers.append((attack, status, retry_after))

    @property
    def attacks(self) -> Counter[str]:
        return Counter(attack for attack, _, _ in self.answers)

    @property
    def statuses(self) -> Counter[str]:
        return Counter(str(status) if status else "no answer" for _, status, _ in self.answers)

    @property
    def wrong(self) -> list[str]:
        return [
            f"{attack}: {status}" + (" without Retry-After" if status == 503 else "")
            for attack, status, retry_after in self.answers
            if status >= 500 and not (status == 503 and retry_after)
        ]
