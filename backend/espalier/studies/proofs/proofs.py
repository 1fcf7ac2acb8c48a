"""Both kinds of proof, as the desk asks for them; and links that an owner makes for each person."""

import base64
import hmac
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from espalier.studies.proofs.problems import BadProof
from espalier.studies.proofs.prolific import ProlificKeys

TOKEN = "prolific_token"
SIGNATURE = "signature"
UNTIL = "until"


class Proofs:
    """`secret` is asked for late: the store opens after the service was put together."""

    def __init__(self, secret: Callable[[], bytes], prolific: ProlificKeys) -> None:
        self._secret = secret
        self._prolific = prolific

    def prolific(self, parameters: Mapping[str, str], host: str) -> dict[str, str]:
        """The ids that Prolific signed. Those in the open must say the same."""
        claims = self._prolific.claims(parameters[TOKEN], host)
        for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"):
            if name in parameters and parameters[name] != claims.get(name):
                raise BadProof(f"what this link says is not what Prolific signed: got another {name}")
        return claims

    def query(self, study: str, name: str, until: int) -> str:
        """What makes a plain link one person's own, until a time in seconds since 1970."""
        signed = {"name": name, UNTIL: str(until), SIGNATURE: self._signature(study, name, str(until))}
        return urlencode(signed)

    def plain(self, study: str, name: str, parameters: Mapping[str, str]) -> bool:
        """Whether a link was made for this name. One that is signed wrongly is refused; one without a signature is not
        signed."""
        if SIGNATURE not in parameters:
            return False
        until = parameters.get(UNTIL, "")
        expected = self._signature(study, name, until)
        if not hmac.compare_digest(expected.encode(), parameters[SIGNATURE].encode("utf-8", "replace")):
            raise BadProof("this link was not made for this person and study: possible is the one you were sent")
        if int(until) < time.time():
            raise BadProof("this link has run out: possible is a new one from whoever sent it")
        return True

    def _signature(self, study: str, name: str, until: str) -> str:
        digest = hmac.digest(self._secret(), "\n".join((study, until, name)).encode("utf-8", "replace"), "sha256")
        return base64.urlsafe_b64encode(digest[:24]).decode()
