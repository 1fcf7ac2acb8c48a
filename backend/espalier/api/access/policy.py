"""Whether a request must show a key.

By default nobody is asked on a server that only this machine reaches. A reverse proxy on the same machine lets the
whole world speak from a loopback address, so every sign of one counts: that the operator trusts proxies or gave the
server a public name, and what a proxy leaves in the request itself.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from starlette.types import Scope

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")

_LEFT_BY_PROXIES = frozenset({b"forwarded", b"via", b"x-real-ip"})


@dataclass(frozen=True, slots=True)
class KeyPolicy:
    """`always`: of every request. `when_forwarded`: of those that came through a proxy."""

    always: bool
    when_forwarded: bool = False

    @classmethod
    def of(
        cls,
        keys: Literal["auto", "local", "required", "off"],
        host: str,
        trusted_proxies: Iterable[str] = (),
        allowed_hosts: Iterable[str] = (),
    ) -> "KeyPolicy":
        if keys in ("required", "off"):
            return cls(always=keys == "required")
        foreign = any(name.lower() not in LOOPBACK_NAMES for name in allowed_hosts)
        # In a container the address looks public; who published its port to one machine only, says so.
        reachable = keys == "auto" and not is_loopback(host)
        return cls(always=reachable or any(trusted_proxies) or foreign, when_forwarded=True)

    def asks(self, scope: Scope) -> bool:
        return self.always or (self.when_forwarded and was_forwarded(scope))


def was_forwarded(scope: Scope) -> bool:
    """Signs of a proxy. nginx, told nothing but where to pass requests on, leaves no header, but speaks HTTP/1.0, which
    neither browsers nor client libraries do."""
    if scope.get("http_version") == "1.0":
        return True
    return any(name in _LEFT_BY_PROXIES or name.startswith(b"x-forwarded-") for name, _ in scope["headers"])


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
