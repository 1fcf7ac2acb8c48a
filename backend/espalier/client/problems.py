"""What a client raises: the problems the service answers with, and what can go wrong on the way to it."""

from typing import Any

import httpx

from espalier.problems import Problem


class ServiceProblem(Problem):
    """The service refused, or could not do, what was asked. `code` and `status` say which kind."""

    def __init__(self, code: str, status: int, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.retry_after = retry_after

    @classmethod
    def of(cls, document: dict[str, Any], retry_after: float | None = None) -> "ServiceProblem":
        """From a problem document (RFC 9457)."""
        code = str(document.get("type", "")).rpartition(":")[2] or "unknown"
        message = str(document.get("detail") or document.get("title") or "the service says no more")
        return cls(code, int(document.get("status", 0)), message, retry_after)


class Cancelled(ServiceProblem):
    """The job was cancelled before it had a result."""

    def __init__(self, job: str) -> None:
        super().__init__("cancelled", 0, f"no explanation: got the cancelled job {job}, possible is to ask again")


class Unreachable(ServiceProblem):
    """Nothing that speaks Espalier's language answers at this address."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(
            "unreachable", 0, f"no answer from the service: got {reason} at {address}, possible is after espalier serve"
        )


def refused(response: httpx.Response) -> ServiceProblem:
    """The problem in an answer that is not a success. Its body must have been read."""
    try:
        document = response.json()
    except ValueError:
        document = None
    waits = response.headers.get("retry-after", "")
    retry_after = float(waits) if waits.isdecimal() else None
    if isinstance(document, dict) and "type" in document:
        return ServiceProblem.of(document, retry_after)
    message = f"the service answered without a problem document: got {response.status_code} at {response.url}"
    return ServiceProblem("unknown", response.status_code, message, retry_after)
