"""A job that comes back to a crew while its worker still has it from before, as when two servers take it in turns."""

import asyncio
from pathlib import Path

from espalier.engine.crews.embedded.crew import EmbeddedCrew
from espalier.engine.crews.protocol import Assignment
from espalier.engine.messages import Began, Cancelled, Succeeded
from espalier.explain.request import ExplanationRequest

JOB = Assignment("job", ExplanationRequest(text="A film."))


class Crew(EmbeddedCrew):
    """Whose worker does what the test says: `told` is what it was told."""

    def __init__(self) -> None:
        super().__init__(Path("catalog.toml"), ("cpu",))
        (self.worker,) = self.workers
        self.worker.state = "ready"
        self.told: list[str] = []
        self.worker.run = self._was_told_to_run  # type: ignore[method-assign]
        self.worker.cancel = lambda job: self.told.append(f"cancel {job}")  # type: ignore[method-assign]

    def _was_told_to_run(self, assignment: Assignment) -> None:
        self.worker.running.add(assignment.job)
        self.told.append(f"run {assignment.job}")


async def taken_back_and_given_again(crew: Crew):
    """The stream of the second turn."""
    first = crew.run(JOB)
    assert isinstance(await anext(first), Began)
    await first.aclose()
    assert crew.told == ["run job", "cancel job"]
    second = crew.run(JOB)
    waiting = asyncio.ensure_future(anext(second))
    await asyncio.sleep(0)
    return second, waiting


def test_the_end_of_an_earlier_turn_is_not_that_of_the_next_one():
    async def scenario():
        crew = Crew()
        second, waiting = await taken_back_and_given_again(crew)
        # The worker has not let go yet: it must not have the same job twice.
        assert crew.told == ["run job", "cancel job"]
        crew._heard(crew.worker, Cancelled("job"))
        assert crew.told == ["run job", "cancel job", "run job"]
        assert isinstance(await waiting, Began)
        crew._heard(crew.worker, Succeeded("job", 3, 0.1, "{}"))
        assert isinstance(await anext(second), Succeeded)

    asyncio.run(scenario())


def test_a_worker_that_dies_with_an_earlier_turn_has_the_next_one_begun_once():
    async def scenario():
        crew = Crew()
        second, waiting = await taken_back_and_given_again(crew)
        jobs, crew.worker.running = crew.worker.running, set()
        crew._lost(crew.worker, jobs, own_doing=True)
        assert crew.told == ["run job", "cancel job", "run job"]
        assert isinstance(await waiting, Began)
        assert not crew.duties["job"].is_suspect, "it was not there when the worker died"
        crew._heard(crew.worker, Succeeded("job", 3, 0.1, "{}"))
        assert isinstance(await anext(second), Succeeded)

    asyncio.run(scenario())
