"""What can go wrong for a user, in one grammar: what was wrong, what was got, what is possible."""

from collections.abc import Iterable

LONGEST_QUOTE = 100
"""Characters of what somebody sent that a message repeats."""

LONGEST_MESSAGE = 2_000


def quoted(got: object) -> str:
    """What somebody sent, as a message repeats it: never more than can be read."""
    said = repr(got[: 2 * LONGEST_QUOTE] if isinstance(got, str) else got)
    size = len(got) if isinstance(got, str) else len(said)
    return said if size <= LONGEST_QUOTE else f"{said[: LONGEST_QUOTE - 1]}… ({size:,} characters)"


def _readable(message: str) -> str:
    """Beginning and end of a message that quotes too much all the same."""
    if len(message) <= LONGEST_MESSAGE:
        return message
    return f"{message[: LONGEST_MESSAGE * 2 // 3]} … {message[-LONGEST_MESSAGE // 3 :]}"


class Problem(ValueError):
    """A request that cannot be served as it is. The message says what would be right.

    `code` names the kind for programs; `status` is the HTTP status the service answers with.
    """

    code = "bad-request"
    status = 400

    def __init__(self, message: str) -> None:
        self.message = _readable(message)
        super().__init__(self.message)


class NoMemory(Problem):
    """A worker had none left just then. What else it was doing may have been the reason."""

    code = "out-of-memory"
    status = 503
    retry_after = 5


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
        super().__init__(f"unknown {kind}: got {quoted(got)}, possible are {', '.join(sorted(possible)) or 'none'}")


class BadModel(Problem):
    """A model folder, weight file or callable that does not do what a model must."""

    code = "bad-model"
    status = 422


class NotSupported(Problem):
    """A method that needs what this model or this reference does not have."""

    code = "not-supported"
    status = 422


class BeingMadeReady(Problem):
    """A model that is prepared once, before its first use, by a process of its own. It will be there in a moment."""

    code = "being-made-ready"
    status = 503
    retry_after = 1

    def __init__(self, model: str, done: int, count: int) -> None:
        self.model = model
        self.progress = (done, count)
        super().__init__(
            f"{model} is being made ready for its first use, once: got {done} of {count} parts so far, possible is to "
            "ask again in a moment"
        )
