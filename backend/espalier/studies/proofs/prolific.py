"""Prolific's secured links: the participant's ids in a JWT (`prolific_token`), signed by Prolific with RS256.

https://docs.prolific.com/api-reference/well-known-endpoints/get-study-jwks
"""

import base64
import binascii
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from espalier.studies.proofs.problems import BadProof, KeysUnavailable

PUBLISHED = "https://api.prolific.com/.well-known/study/jwks.json"
ISSUER = "https://www.prolific.com"

KEEP_SECONDS = 86_400.0
"""Prolific asks that keys be looked up again at least daily."""

ASK_AGAIN_SECONDS = 60.0
"""An unknown key may be a new one; so often at most its like makes us ask."""

LEEWAY_SECONDS = 60.0

_SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")
"""How PKCS #1 v1.5 says that a SHA-256 digest follows (RFC 8017, section 9.2)."""

LEAST_BITS = 2048


class ProlificKeys:
    """The public keys, from Prolific or from a file, and what they have signed."""

    def __init__(self, source: str = PUBLISHED) -> None:
        self._source = source
        self._keys: dict[str, tuple[int, int]] = {}
        self._had = self._asked = float("-inf")
        self._asking = threading.Lock()

    def claims(self, token: str, host: str) -> dict[str, str]:
        """The ids in a token that Prolific signed for this host, and that has not run out."""
        header, payload, signed, signature = _parts(token)
        if header.get("alg") != "RS256":
            raise BadProof("this link is not signed as Prolific does: got another algorithm, possible is RS256")
        key = self._key(str(header.get("kid", "")))
        if key is None or not _fits(*key, signed, signature):
            raise BadProof("Prolific has not signed this link: possible is the one Prolific opens")
        if payload.get("iss") != ISSUER or host.lower() not in _hosts(payload.get("aud")):
            raise BadProof("this link was signed for another place: possible is one for this address")
        ends = payload.get("exp")
        if not isinstance(ends, int | float) or ends + LEEWAY_SECONDS < time.time():
            raise BadProof("this link has run out: possible is to open the study from Prolific again")
        given = payload.get("prolific")
        ids = given if isinstance(given, dict) else payload
        return {name: value for name, value in ids.items() if isinstance(name, str) and isinstance(value, str)}

    def _key(self, identity: str) -> tuple[int, int] | None:
        now = time.monotonic()
        wanted = identity not in self._keys or now - self._had > KEEP_SECONDS
        # One asks at a time and seldom, whatever strangers send; the others go by what is known.
        if wanted and now - self._asked > ASK_AGAIN_SECONDS and self._asking.acquire(blocking=False):
            try:
                self._asked = now
                self._keys, self._had = self._published(), now
            finally:
                self._asking.release()
        if now - self._had > 2 * KEEP_SECONDS:
            raise KeysUnavailable("Prolific's keys cannot be had now: possible is to try again later")
        return self._keys.get(identity)

    def _published(self) -> dict[str, tuple[int, int]]:
        try:
            if urlsplit(self._source).scheme in ("http", "https"):
                answer = httpx.get(self._source, timeout=5).raise_for_status()
                found = answer.json()
            else:
                found = json.loads(Path(self._source).read_text(encoding="utf-8"))
            return dict(_key(each) for each in found["keys"] if each.get("kty") == "RSA")
        except (httpx.HTTPError, OSError, ValueError, KeyError, TypeError) as error:
            raise KeysUnavailable("Prolific's keys cannot be had now: possible is to try again later") from error


def _key(given: Mapping[str, Any]) -> tuple[str, tuple[int, int]]:
    modulus, exponent = (int.from_bytes(_decoded(given[name]), "big") for name in ("n", "e"))
    if modulus.bit_length() < LEAST_BITS or not 2 < exponent < 2**32:
        raise ValueError("not a key that signs safely")
    return str(given["kid"]), (modulus, exponent)


def _parts(token: str) -> tuple[dict[str, Any], dict[str, Any], bytes, bytes]:
    try:
        head, body, signature = token.split(".")
        header, payload = (json.loads(_decoded(each)) for each in (head, body))
        if not (isinstance(header, dict) and isinstance(payload, dict)):
            raise ValueError
        return header, payload, f"{head}.{body}".encode("ascii"), _decoded(signature)
    except (ValueError, RecursionError, binascii.Error) as error:
        raise BadProof("this link carries no token of Prolific's: possible is the one Prolific opens") from error


def _decoded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _fits(modulus: int, exponent: int, signed: bytes, signature: bytes) -> bool:
    """RSASSA-PKCS1-v1_5: what the signature opens to must be the one encoding of the digest, to the last byte."""
    size = (modulus.bit_length() + 7) // 8
    if len(signature) != size or (number := int.from_bytes(signature, "big")) >= modulus:
        return False
    found = pow(number, exponent, modulus).to_bytes(size, "big")
    ending = b"\x00" + _SHA256 + hashlib.sha256(signed).digest()
    return hmac.compare_digest(found, b"\x00\x01" + b"\xff" * (size - 2 - len(ending)) + ending)


def _hosts(audience: Any) -> set[str]:
    """Names of hosts in an `aud` claim: written as names or as addresses, one or several."""
    named = audience if isinstance(audience, list) else [audience]
    found = set()
    for each in named:
        if isinstance(each, str):
            try:
                found.add((urlsplit(each if "//" in each else f"//{each}").hostname or "").lower())
            except ValueError:
                continue
    return found - {""}
