"""Why somebody is not believed."""

from espalier.problems import Problem


class BadProof(Problem):
    """A signature that does not fit, or no longer."""

    code = "bad-proof"
    status = 403


class ProofNeeded(Problem):
    """A link without a signature, where only signed ones let people in."""

    code = "proof-needed"
    status = 403


class KeysUnavailable(Problem):
    """Prolific's public keys cannot be had at the moment."""

    code = "not-ready"
    status = 503
    retry_after = 30
