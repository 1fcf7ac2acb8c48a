"""The owner's side of a server, for commands: problems come back as problems."""

from types import TracebackType
from typing import Any, Self

import httpx

from espalier.problems import Problem


class Owner:
    def __init__(self, server: str, key: str | None) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(base_url=server, headers=headers, timeout=60)

    def ask(self, verb: str, path: str, **content: Any) -> Any:
        """The JSON of the answer; None where there is none."""
        answer = self._send(verb, path, **content)
        return answer.json() if answer.content else None

    def text(self, path: str, **content: Any) -> str:
        return self._send("GET", path, **content).text

    def _send(self, verb: str, path: str, **content: Any) -> httpx.Response:
        try:
            answer = self._client.request(verb, path, **content)
        except httpx.TransportError as error:
            raise Problem(
                f"no server answers at {self._client.base_url}: got {error}; start one with espalier serve, or name "
                "another with --server"
            ) from error
        if answer.is_error:
            said = answer.json() if "json" in answer.headers.get("content-type", "") else {}
            raise Problem(str(said.get("detail", f"the server answered {answer.status_code}")))
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()
