"""What is kept of the runs that were looked at last: the numbers of all rows, and no row read twice in vain."""

import json
from dataclasses import replace

import numpy as np
from tests.lab.conftest import design

from espalier.lab.looks import Looks
from espalier.lab.matrix import Column, columns_of
from espalier.measure.curves import PERCENTS
from espalier.store.base import now
from espalier.store.evaluations import Evaluation, StoredRow

COUNT = 12
CHOSEN = design(measures=["aopc-delete", "cohesion"])


class Rows:
    """A table in which units appear, and which remembers how many rows it gave away."""

    def __init__(self) -> None:
        self.there: list[StoredRow] = []
        self.given = 0

    def add(self, text: int, model: int) -> None:
        for line in range(3):
            value = float(np.random.default_rng([text, model, line]).normal())
            content = {"values": {"aopc-delete": value}, "curves": {"aopc-delete": [value] * len(PERCENTS)}}
            if line < 2:
                content |= {"ranking": [0, 1], "evaluations": 5}  # type: ignore[dict-item]
            if text == 3 and line == 1:
                content = {"problem": "too long"}  # type: ignore[dict-item]
            self.there.append(StoredRow(text, model, line, json.dumps(content), 0.1))
        self.there.sort(key=lambda row: (row.text, row.model, row.condition))

    def after(self, text: int) -> list[StoredRow]:
        found = [row for row in self.there if row.text >= text]
        self.given += len(found)
        return found


def run(done: int, identity: str = "r") -> Evaluation:
    return Evaluation(identity, "", {}, COUNT, 2 * COUNT, now(), done=done)


def same(found: list[Column], expected: list[Column]) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert (one.model, one.condition) == (other.model, other.condition)
        np.testing.assert_array_equal(one.values["aopc-delete"], other.values["aopc-delete"])
        np.testing.assert_array_equal(one.curves["aopc-delete"], other.curves["aopc-delete"])
        np.testing.assert_array_equal(one.evaluations, other.evaluations)
        assert (one.rankings, one.problems) == (other.rankings, other.problems)


def test_a_run_under_way_has_the_numbers_of_all_its_rows_at_every_look() -> None:
    """Units come in any order, as several hands write them."""
    looks, rows = Looks(), Rows()
    units = [(text, model) for text in range(COUNT) for model in range(2)]
    order = [*units[:6], *units[7:15], units[6], *units[15:]]
    for done, unit in enumerate(order, start=1):
        rows.add(*unit)
        same(looks.columns(run(done), CHOSEN, rows.after), columns_of(CHOSEN, COUNT, rows.there))


def test_only_new_rows_are_read_and_none_when_nothing_was_done() -> None:
    looks, rows = Looks(), Rows()
    for text in range(8):
        rows.add(text, 0)
        rows.add(text, 1)
    looks.columns(run(16), CHOSEN, rows.after)
    assert rows.given == 8 * 6
    looks.columns(run(16), CHOSEN, rows.after)
    looks.columns(replace(run(16), status="cancelled"), CHOSEN, rows.after)
    assert rows.given == 8 * 6
    rows.add(9, 0)
    looks.columns(run(17), CHOSEN, rows.after)
    assert rows.given == 8 * 6 + 3


def test_who_reads_is_not_disturbed_by_rows_that_come() -> None:
    looks, rows = Looks(), Rows()
    rows.add(0, 0)
    first = looks.columns(run(1), CHOSEN, rows.after)
    rows.add(1, 0)
    looks.columns(run(2), CHOSEN, rows.after)
    assert np.isnan(first[0].values["aopc-delete"][1])
    assert list(first[0].rankings) == [0]


def test_the_longest_unseen_run_is_forgotten_first_and_a_large_one_at_once() -> None:
    looks, rows = Looks(most_runs=2), Rows()
    rows.add(0, 0)
    for identity in ("a", "b", "a", "c"):
        looks.columns(run(1, identity), CHOSEN, rows.after)
    assert rows.given == 3 * 3
    looks.columns(run(1, "a"), CHOSEN, rows.after)
    assert rows.given == 3 * 3
    looks.columns(run(1, "b"), CHOSEN, rows.after)
    assert rows.given == 4 * 3
    looks.forget("b")
    looks.columns(run(1, "b"), CHOSEN, rows.after)
    assert rows.given == 5 * 3
    small = Looks(most_rows=2)
    for _ in range(2):
        assert small.columns(run(1), CHOSEN, rows.after)
    assert rows.given == 7 * 3
