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
from typing import Literal, Protocol

Scope = Literal["use", "owner"]
"""`use` asks for explanations; `owner` runs studies as well."""

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
        return self.scope == "owner" or needed == "use"


class KeyBook(Protocol):
    """Where keys are kept."""

    def add(self, key: AccessKey) -> None: ...

    def get(self, id: str) -> AccessKey | None: ...

    def all(self) -> list[AccessKey]: ...

    def revoke(self, id: str) -> AccessKey | None: ...


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
