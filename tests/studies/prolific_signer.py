"""Signs links as Prolific does, with a key that openssl made, so that our arithmetic is not its own judge."""

import base64
import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Signer:
    def __init__(self, folder: Path) -> None:
        self.secret = folder / "secret.pem"
        subprocess.run(["openssl", "genrsa", "-out", self.secret, "2048"], check=True, capture_output=True)
        said = subprocess.run(
            ["openssl", "rsa", "-in", self.secret, "-noout", "-modulus"], check=True, capture_output=True, text=True
        )
        modulus = bytes.fromhex(re.findall(r"Modulus=([0-9A-F]+)", said.stdout)[0])
        key = {"kty": "RSA", "kid": "k1", "alg": "RS256", "use": "sig", "n": encoded(modulus), "e": "AQAB"}
        self.published = folder / "jwks.json"
        self.published.write_text(json.dumps({"keys": [key]}))

    def token(self, host: str, header: dict[str, Any] | None = None, **claims: Any) -> str:
        ids = {"PROLIFIC_PID": "ada", "STUDY_ID": "s1", "SESSION_ID": "t1"}
        body = {
            "iss": "https://www.prolific.com",
            "aud": host,
            "exp": int(time.time()) + 60,
            "prolific": ids | {"workspace_id": "w"},
        } | claims
        parts = [encoded(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "k1"} | (header or {}), body)]
        signed = ".".join(parts)
        made = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.secret],
            input=signed.encode(),
            check=True,
            capture_output=True,
        )
        return f"{signed}.{encoded(made.stdout)}"
