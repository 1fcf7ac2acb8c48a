"""What can go wrong for a user, in one grammar: what was wrong, what was got, what is possible."""

from collections.abc import Iterable


class Problem(ValueError):
    """A request that cannot be served as it is. The message says what would be right.

    `code` names the kind for programs; `status` is the HTTP status the service answers with.
    """

    code = "bad-request"
    status = 400

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BadText(Problem):
    """Text that no model can read: empty, too long, or not valid Unicode."""

    code = "bad-text"
    status = 422


class TooLong(Problem):
    """Text beyond a model's or a method's limit. Nothing is ever cut silently."""

    code = "too-long"
    status = 422


class BadParameter(Problem):
    """A parameter outside what is possible."""

    code = "bad-parameter"
    status = 422


class UnknownName(Problem):
    """A model, method, reference or class that is not there."""

    code = "unknown-name"
    status = 404

    def __init__(self, kind: str, got: str, possible: Iterable[str]) -> None:
        super().__init__(f"unknown {kind}: got {got!r}, possible are {', '.join(sorted(possible)) or 'none'}")


class BadModel(Problem):
    """A model folder, weight file or callable that does not do what a model must."""

    code = "bad-model"
    status = 422


class NotSupported(Problem):
    """A method that needs what this model or this reference does not have."""

    code = "not-supported"
    status = 422
