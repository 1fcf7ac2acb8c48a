"""An access key: what is given to its holder once, and what is kept of it.

`espalier_3f9a01c2_…` names itself by its middle part; the last part is the secret, of which only the SHA-256 hash is
kept. It is 256 random bits, so no slow hash is needed: there is nothing to guess.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, Protocol, get_args

Scope = Literal["use", "owner", "admin"]
"""`use` asks for explanations; `owner` runs studies as well; `admin` sees and ends what anybody asked for."""

SCOPES: tuple[Scope, ...] = get_args(Scope)
"""Each opens what those before it open."""

KEY = "key:"
"""Begins the name of a client that is known by its key; what a key's studies ask for has `/` and more after it."""

_FORM = re.compile(r"espalier_([0-9a-f]{8})_([A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True)
class AccessKey:
    """What is kept of a key."""

    id: str
    name: str
    scope: Scope
    digest: str
    created: datetime
    revoked: datetime | None = None

    def opens(self, needed: Scope) -> bool:
        return SCOPES.index(self.scope) >= SCOPES.index(needed)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: `client` is the key, or the address where no key was asked for. There everyone is one user."""

    client: str
    sees_all: bool = True

    @property
    def owner(self) -> str | None:
        """Whose a study is that this caller creates; nobody's where no keys are."""
        return self.client if self.client.startswith(KEY) else None

    def sees(self, client: str | None) -> bool:
        """Whether what this client asked for is the caller's to read and to cancel."""
        return self.sees_all or client == self.client


EVERYONE = Caller("")
"""Where no keys are."""


def realm(client: str) -> str:
    """Within a realm results and evaluations are found again. Every key has its own, so that nothing, not even the time
    an answer takes, shows whether somebody else asked the same before; without keys there is one for all."""
    return client.partition("/")[0] if client.startswith(KEY) else ""


class KeyBook(Protocol):
    """Where keys are kept."""

    def add(self, key: AccessKey) -> None: ...

    def get(self, id: str) -> AccessKey | None: ...

    def all(self) -> list[AccessKey]: ...

    def revoke(self, id: str) -> AccessKey | None: ...


class SignInBook(Protocol):
    """Browsers that have signed in, each with a token of its own."""

    def begin(self, key: AccessKey) -> str: ...

    def key(self, token: str) -> AccessKey | None: ...

    def end(self, token: str) -> None: ...


def issue(name: str, scope: Scope) -> tuple[AccessKey, str]:
    """A new key, and its text, which cannot be had again."""
    identity, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
    key = AccessKey(identity, name, scope, _digest(secret), datetime.now(UTC))
    return key, f"espalier_{identity}_{secret}"


def read(text: str) -> tuple[str, str] | None:
    """Id and secret of a key's text; None when it is not one."""
    found = _FORM.fullmatch(text.strip())
    return (found[1], found[2]) if found else None


def fits(key: AccessKey | None, secret: str) -> bool:
    """Takes the same time whether the key is unknown, revoked or merely wrong."""
    kept = key.digest if key is not None else _digest("")
    same = hmac.compare_digest(kept, _digest(secret))
    return same and key is not None and key.revoked is None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
