"""Ten thousand texts: everything that a page asks for can be opened. Rows are made up, and so are their numbers."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from sqlalchemy import insert, update
from tests.lab.conftest import Here, design

from espalier.access import Caller
from espalier.datasets.tables import csv_lines
from espalier.lab.service import Lab
from espalier.measure.curves import PERCENTS
from espalier.measure.registry import USUAL, measure
from espalier.models.describe import Shelf
from espalier.store import Store
from espalier.store.base import now
from espalier.store.evaluations import Evaluation, EvaluationRow, Evaluations, MeasuredRow, StoredRow

TEXTS = 10_000
WORDS = 20
METHODS = ("leave-one-out", "lime", "shap", "hedge")
OWNER = Caller("key:a", False)


def unit(text: int, generator: np.random.Generator) -> list[StoredRow]:
    """One text with six lines: four methods and two baselines."""
    rows = []
    for line in range(6):
        value = float(generator.normal(0.4 + 0.02 * line, 0.2))
        content: dict[str, Any] = {
            "words": WORDS,
            "values": dict.fromkeys(USUAL, value),
            "curves": {name: [value] * len(PERCENTS) for name in USUAL if measure(name).kind.has_curve},
        }
        if line < len(METHODS):
            content |= {"ranking": generator.permutation(WORDS).tolist(), "evaluations": 100}
        rows.append(StoredRow(text, 0, line, json.dumps(content), 0.1))
    return rows


@pytest.fixture
def filled(store: Store) -> str:
    chosen = design(
        models=["sst2-cnn"],
        methods=[{"method": name} for name in METHODS],
        measures=USUAL,
        most_texts=None,
        best_order=True,
    )
    evaluations, generator = Evaluations(store), np.random.default_rng(0)
    kept = {"design": chosen.model_dump(mode="json"), "suited": {"sst2-cnn": [0, 1, 2, 3]}, "left_out": []}
    run = Evaluation("large", OWNER.client, kept, TEXTS, TEXTS, now())
    evaluations.add(run, [(f"A film of number {index} .", "1") for index in range(TEXTS)])
    rows = [asdict(row) | {"evaluation": "large"} for index in range(TEXTS) for row in unit(index, generator)]
    with store.write() as session:  # at once: as a run writes them, ten thousand units take minutes
        session.execute(insert(MeasuredRow), rows)
        session.execute(update(EvaluationRow).values(done=TEXTS, wanted=500 * TEXTS, evaluated=300 * TEXTS))
    return "large"


@pytest.mark.slow
def test_a_run_of_ten_thousand_texts_is_opened(
    store: Store, shelf: Shelf, engine: Here, filled: str, record_property: Callable[[str, object], None]
) -> None:
    lab, evaluations = Lab(engine, store, shelf), Evaluations(store)  # type: ignore[arg-type]

    def timed(what: str, ask: Callable[[], Any]) -> Any:
        began = time.perf_counter()
        found = ask()
        record_property(what, time.perf_counter() - began)  # told by --junitxml; how long is long differs by machine
        return found

    assert timed("list", lambda: lab.all(OWNER)).evaluations[0].id == filled
    under_way = timed("results under way", lambda: lab.results(filled, OWNER))
    assert not under_way.complete
    assert timed("the same again", lambda: lab.results(filled, OWNER)) is under_way
    evaluations.end(filled, "finished")
    found = timed("results, finished", lambda: lab.results(filled, OWNER))
    assert found.complete
    assert [line.cells[0].interval.n for line in found.lines] == [TEXTS] * 6
    best = found.lines[3].cells[0].interval.mean
    assert best is not None
    assert abs(best - 0.46) < 4 * 0.2 / TEXTS**0.5
    assert timed("kept results", lambda: lab.results(filled, OWNER)) == found
    first = timed("points", lambda: lab.points(filled, OWNER, "aopc-delete"))
    assert len(first.texts) == TEXTS
    assert len(first.values) == 6
    timed("points of another measure", lambda: lab.points(filled, OWNER, "cohesion"))
    last = timed("last page of rows", lambda: lab.rows(filled, OWNER, TEXTS - 10, 10))
    assert [len(each.rows) for each in last.texts] == [6] * 10
    assert last.after is None

    def lines() -> Iterator[str]:
        return csv_lines(lab.raw(filled, OWNER))

    assert timed("CSV", lambda: sum(1 for _ in lines())) == 1 + 6 * TEXTS
