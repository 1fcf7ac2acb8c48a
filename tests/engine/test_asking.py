"""A reference that asks another model: its rows go to that model's host, through the same driver as everything else."""

import threading
from typing import ClassVar

import numpy as np
import pytest

from espalier.engine.address import address
from espalier.engine.driver import Cancelled, Drive, Silence
from espalier.engine.host import ModelHost
from espalier.explain.plan import ask
from espalier.explain.request import ExplanationRequest
from espalier.games.game import make_game
from espalier.games.pool import Pool
from espalier.games.references import Elsewhere, Reference, references
from espalier.models.callable import CallableModel
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import TokenRow
from espalier.problems import NotSupported
from espalier.text import read

TEXT = "one two three four five six"
WORDS = 6
EVERYTHING = np.array(list(np.ndindex((2,) * WORDS)), dtype=bool)
NEXT_WORD = Outcomes(("the number of the word that stands in",), read="first absent")


class Filler:
    """A toy language model: for the first absent place of a row it names a word by what is present. Each call waits for
    permission, and the batches are remembered."""

    name, family, classes, max_length, revision = "filler", "toy", (), 512, "1"
    mask_id = pad_id = None
    outcomes = NEXT_WORD

    def __init__(self, opened: bool = True):
        self.gate = threading.Semaphore(10**6 if opened else 0)
        self.started = threading.Semaphore(0)
        self.asked: list[tuple[int, Outcomes]] = []

    def outputs(self, rows, outcomes=None):
        self.started.release()
        assert self.gate.acquire(timeout=20)
        self.asked.append((len(rows), outcomes))
        return np.array([[(row.positions.sum() + len(row.ids)) % WORDS] for row in rows], dtype=float)


class Filled(Reference):
    """Absent words are filled in one after the other, from the left, each by a word the filler names."""

    name: ClassVar[str] = "filled"
    description: ClassVar[str] = "The filler's words."

    @classmethod
    def asks(cls, wish):
        return ("filler",)

    @classmethod
    def of(cls, setting, wish):
        assert list(setting.others) == ["filler"]
        return cls(setting.encoding)

    def stand_ins(self):
        raise NotSupported("what stands in depends on what is present")

    def rows(self, present):
        texts, known = np.where(present, self.ids, -1), present.copy()
        while not known.all():
            waiting = np.flatnonzero(~known.all(axis=1))
            rows = [TokenRow(texts[each][known[each]], np.flatnonzero(known[each]), WORDS) for each in waiting]
            named = yield Elsewhere("filler", rows, NEXT_WORD)
            first = known[waiting].argmin(axis=1)
            texts[waiting, first] = self.ids[named[:, 0].astype(int)]
            known[waiting, first] = True
        return [TokenRow(ids, np.arange(WORDS), WORDS) for ids in texts]


def filled_by_hand(coalition):
    """The same text, word by word."""
    words, known = TEXT.split(), list(coalition)
    while not all(known):
        place = known.index(False)
        there = [position for position in range(WORDS) if known[position]]
        words[place] = TEXT.split()[(sum(there) + len(there)) % WORDS]
        known[place] = True
    return " ".join(words)


def letters(texts):
    share = np.array([0.1 + 0.8 * text.count("e") / len(text.replace(" ", "")) for text in texts])
    return np.stack([share, 1 - share], axis=1)


@pytest.fixture(autouse=True)
def _offered(monkeypatch):
    monkeypatch.setitem(references(), "filled", Filled)


@pytest.fixture
def model():
    return CallableModel(letters, ["many", "few"])


@pytest.fixture
def game(model):
    return game_of(model, Filler())


def game_of(model, filler):
    return make_game(model, [read(TEXT)], reference="filled", other_model={"filler": filler}.__getitem__)


def plan(coalitions=EVERYTHING):
    values = yield from ask(coalitions)
    return values


def test_absent_words_are_filled_in_by_the_other_model_before_the_explained_one_is_asked(game, model):
    filler = Filler()
    with ModelHost(model) as host, ModelHost(filler) as other:
        outcome = Drive(plan(), game, Pool(), host, "probability", other_host={"filler": other}.__getitem__).run()
    np.testing.assert_allclose(outcome.result, letters([filled_by_hand(row) for row in EVERYTHING]), atol=1e-12)


def test_what_is_asked_elsewhere_goes_in_batches_and_is_counted(game, model):
    filler = Filler()
    with ModelHost(model) as host, ModelHost(filler, batch_tokens=10**6) as other:
        outcome = Drive(plan(), game, Pool(), host, "probability", other_host={"filler": other}.__getitem__).run()
    absent_words = int((~EVERYTHING).sum())
    assert outcome.counts.elsewhere == absent_words
    assert (outcome.counts.asked, outcome.counts.distinct) == (64, 64)
    assert len(filler.asked) == WORDS
    assert sum(rows for rows, _ in filler.asked) <= absent_words  # equal rows of one order are run once
    assert {outcomes for _, outcomes in filler.asked} == {NEXT_WORD}


def test_a_coalition_in_the_pool_asks_nobody(game, model):
    pool, filler = Pool(), Filler()
    with ModelHost(model) as host, ModelHost(filler) as other:
        hosts = {"filler": other}.__getitem__
        first = Drive(plan(), game, pool, host, "probability", other_host=hosts).run()
        again = Drive(plan(), game, pool, host, "probability", other_host=hosts).run()
    np.testing.assert_array_equal(first.result, again.result)
    assert (again.counts.reused, again.counts.elsewhere) == (64, 0)


def test_a_run_is_cancelled_while_the_other_model_works(game, model):
    filler = Filler(opened=False)
    with ModelHost(model) as host, ModelHost(filler, batch_tokens=6) as other:
        drive = Drive(plan(), game, Pool(), host, "probability", Silence(), other_host={"filler": other}.__getitem__)
        ended: list[BaseException] = []

        def run():
            try:
                drive.run()
            except Cancelled as error:
                ended.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        assert filler.started.acquire(timeout=20)
        drive.cancel()
        filler.gate.release(10**6)
        thread.join(timeout=20)
        assert len(ended) == 1
        assert len(filler.asked) == 1
        assert host.evaluated == 0


def test_a_failure_of_the_other_model_ends_the_run(game, model):
    class Broken(Filler):
        def outputs(self, rows, outcomes=None):
            raise ValueError("no words today")

    with ModelHost(model) as host, ModelHost(Broken()) as other:
        drive = Drive(plan(), game, Pool(), host, "probability", other_host={"filler": other}.__getitem__)
        with pytest.raises(ValueError, match="no words today"):
            drive.run()


def test_without_other_hosts_the_reference_is_refused(game, model):
    with ModelHost(model) as host, pytest.raises(NotSupported, match="got filler"):
        Drive(plan(), game, Pool(), host, "probability").run()


def test_another_revision_of_the_model_that_is_asked_is_another_game(model):
    one, two, changed = Filler(), Filler(), Filler()
    changed.revision = "2"
    assert game_of(model, one).key == game_of(model, two).key
    assert game_of(model, one).key != game_of(model, changed).key


def test_a_game_whose_reference_asks_needs_the_model_it_asks(model):
    with pytest.raises(NotSupported, match="the reference asks another model: got filler"):
        make_game(model, [read(TEXT)], reference="filled")


def test_the_revision_of_the_model_that_is_asked_is_part_of_the_results_address():
    request = ExplanationRequest(text=TEXT, model="own", reference="filled", method="lime")
    addresses = {address(request, "r", others=others) for others in (None, {"filler": "1"}, {"filler": "2"})}
    assert len(addresses) == 3
