"""Which job is next: by turns between clients, the oldest of a client first, and suspects by themselves."""

from collections import Counter
from collections.abc import Callable

from espalier.engine.crews.duty import Duty, Game
from espalier.engine.crews.embedded.worker import Worker

MOST_GAMES = 10_000

MOST_BESIDE_OTHERS = 4
"""Jobs of one client that a worker has while another client has any. More of them fill the model's batches no better,
and their threads take turns with those of the others."""


class Queue:
    """Jobs that wait, each for one worker: the one that has the game in memory, else the one with the least to do."""

    def __init__(self, workers: list[Worker], slots: int) -> None:
        self._workers = workers
        self._slots = slots
        self._waiting: dict[str, list[Duty]] = {worker.name: [] for worker in workers}
        self._games: dict[Game, Worker] = {}
        self._owned: Counter[str] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def place(self, game: Game) -> Worker:
        """The worker that a game belongs to, from now on."""
        worker = self._games.get(game)
        # A worker that does not come up must not keep the jobs of its games.
        if worker is None or (worker.state != "ready" and self._any_ready()):
            # Requests that come together are placed before any of them is a job: at a tie they take turns.
            worker = min(
                self._workers, key=lambda each: (each.state != "ready", self.load(each), self._owned[each.name])
            )
            self._forget(game)
            self._games[game] = worker
            self._owned[worker.name] += 1
            if len(self._games) > MOST_GAMES:
                self._forget(next(iter(self._games)))
        return worker

    def _forget(self, game: Game) -> None:
        if (owner := self._games.pop(game, None)) is not None:
            self._owned[owner.name] -= 1

    def add(self, duty: Duty) -> None:
        self._waiting[self.place(duty.game).name].append(duty)

    def load(self, worker: Worker) -> int:
        return len(worker.running) + len(self._waiting[worker.name])

    def remove(self, duty: Duty) -> bool:
        """Take a job out; false when a worker has it already."""
        for waiting in self._waiting.values():
            if duty in waiting:
                waiting.remove(duty)
                return True
        return False

    def move_from(self, worker: Worker) -> None:
        """Give what waits for a worker that has ended to others, if there are others."""
        waiting, self._waiting[worker.name] = self._waiting[worker.name], []
        for duty in waiting:
            self.add(duty)

    def next_for(self, worker: Worker, duty_of: Callable[[str], Duty | None]) -> Duty | None:
        """The job a worker should begin now, if it should begin any."""
        if worker.state != "ready" or worker.is_leaving or len(worker.running) >= self._slots:
            return None
        waiting = [duty for duty in self._waiting[worker.name] if not self._is_held(duty)]
        if not waiting:
            return None
        running = [duty for job in worker.running if (duty := duty_of(job)) is not None]
        suspects = [duty for duty in waiting if duty.is_suspect]
        chosen = None
        if suspects or any(duty.is_suspect for duty in running):
            # Alone, so that a job that ends workers ends no other job with it, and is known by it.
            if suspects and not worker.running:
                chosen = suspects[0]
        else:
            busy = Counter(duty.client for duty in running)
            chosen = min(waiting, key=lambda duty: busy[duty.client])
            alone = {*busy, *(duty.client for duty in waiting)} == {chosen.client}
            if not alone and busy[chosen.client] >= MOST_BESIDE_OTHERS:
                chosen = None
        if chosen is not None:
            self._waiting[worker.name].remove(chosen)
        return chosen

    def _is_held(self, duty: Duty) -> bool:
        """It was taken back and given again, and a worker still has it from its earlier turn."""
        return any(duty.job in worker.running for worker in self._workers)

    def _any_ready(self) -> bool:
        return any(worker.state == "ready" for worker in self._workers)
