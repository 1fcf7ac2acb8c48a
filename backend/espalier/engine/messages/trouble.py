"""A problem on its way from one process to another."""

from dataclasses import dataclass

from espalier.problems import BeingMadeReady, Problem


@dataclass(frozen=True, slots=True)
class Trouble:
    """A problem, as it travels."""

    code: str
    status: int
    message: str
    making: tuple[str, int, int] | None = None
    """A model that is being made ready, and how far."""

    @classmethod
    def of(cls, problem: Problem) -> "Trouble":
        making = (problem.model, *problem.progress) if isinstance(problem, BeingMadeReady) else None
        # Lone surrogates in what it quotes are not UTF-8.
        said = problem.message.encode("utf-8", "backslashreplace").decode()
        return cls(problem.code, problem.status, said, making)

    def problem(self) -> Problem:
        if self.making is not None:
            return BeingMadeReady(*self.making)
        made = Problem(self.message)
        made.code, made.status = self.code, self.status
        return made


class BrokenMessage(Exception):
    """What came is no message: the fault of whoever wrote it, never of a job."""
