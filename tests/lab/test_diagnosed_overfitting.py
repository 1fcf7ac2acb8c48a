"""The test of overfitting as a run: the command's numbers, training texts apart, checkpoints one after the other."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.lab.conftest import Here
from tests.lab.test_diagnoses import TEXTS, design, found_by, numbers

import espalier
from espalier.engine.explainer import Explainer
from espalier.lab.diagnosis.export import raw_rows, table_rows
from espalier.lab.diagnosis.plan import plan
from espalier.lab.diagnosis.work import DiagnosisWork, new_diagnosis
from espalier.library import parse
from espalier.models.catalog import Catalog
from espalier.models.describe import Shelf
from espalier.problems import BadParameter, UnknownName
from espalier.settings import settings
from espalier.store import Store
from espalier.store.base import now
from espalier.store.evaluations import Evaluation, Evaluations

TRAINING = ("A masterpiece , not to be missed .", "Flat and lifeless .", "The plot is thin but the cast is fine .")
KNOWN = {"kind": "rows", "rows": [{"text": text, "label": "positive"} for text in TRAINING]}


def overfitted(**changes: Any) -> Any:
    return design(**({"diagnostics": ["overfitting", "depth"], "training": KNOWN} | changes))


def test_a_run_finds_the_test_of_the_command(store: Store, shelf: Shelf, engine: Here) -> None:
    run, found = found_by(store, shelf, engine, overfitted())
    assert (run.status, run.done, run.failed) == ("finished", 2 * 9, 0)
    assert (found.texts, found.training_texts) == (6, 3)
    same = espalier.diagnose(TEXTS, ["sst2-cnn", "sst2-lstm"], training=TRAINING, seed=3)
    for mine, other in zip(found.models, same.models, strict=True):
        assert mine.overfitting is not None
        assert other.overfitting is not None
        assert numbers(mine.overfitting.test.model_dump()) == pytest.approx(
            numbers(other.overfitting.test.model_dump()), abs=1e-6
        )
        assert mine.overfitting.p == pytest.approx(other.overfitting.p, abs=1e-3)
        assert mine.overfitting.train.variance.mean == pytest.approx(other.overfitting.train.variance.mean, abs=1e-6)
        # Labels are of the training texts only: the others have none.
        assert (mine.overfitting.train.accuracy is None, mine.overfitting.test.accuracy is None) == (False, True)
        # Other diagnostics know nothing of training texts.
        assert (mine.texts, mine.depths[0].depth.n) == (6, 6)
        assert numbers([each.model_dump() for each in mine.depths]) == pytest.approx(
            numbers([each.model_dump() for each in other.depths]), abs=1e-6
        )
    assert any("not corrected for the number of models" in said for said in found.warnings)
    evaluations = Evaluations(store)
    rows = list(raw_rows(overfitted(), evaluations.texts(run.id), evaluations.rows(run.id), 3))
    assert [row["training"] for row in rows] == [False] * 12 + [True] * 6
    assert rows[-1]["depth_top_1"] is None
    assert rows[-1]["score_variance"] > 0
    parts = {each["part"]: each for each in table_rows(found) if each["diagnostic"] == "overfitting"}
    assert parts["variance on other texts"]["n"] == 6


def test_more_checkpoints_than_a_worker_keeps_are_looked_at_one_after_the_other(shelf: Shelf) -> None:
    def order(models: int) -> list[tuple[int, int]]:
        new = new_diagnosis(overfitted(models=["sst2-cnn"]), shelf)
        chosen = overfitted(models=[f"epoch-{number}" for number in range(models)])
        kept = new.kept | {"design": chosen.model_dump(mode="json")}
        return list(DiagnosisWork(Evaluation("d", "", kept, 2, 2 * models, now())).places(2))

    assert order(2) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert order(9)[:3] == [(0, 0), (1, 0), (0, 1)]
    assert sorted(order(9)) == [(text, model) for text in range(2) for model in range(9)]


def test_what_cannot_be_tested_is_refused_before_it_begins(shelf: Shelf) -> None:
    with pytest.raises(BadParameter, match="overfitting needs training texts: got none, possible is a dataset"):
        plan(overfitted(training=None), shelf)
    both = {"kind": "rows", "rows": [{"text": TEXTS[0]}, {"text": "Another one ."}]}
    with pytest.raises(BadParameter, match="training texts must be others: got 1"):
        plan(overfitted(training=both), shelf)
    with pytest.raises(ValueError, match="at most 24"):
        overfitted(models=[f"epoch-{number}" for number in range(25)])


def test_checkpoints_that_the_operator_listed_are_models_of_a_run(store: Store, tmp_path: Path) -> None:
    # Of its own: everybody shares the process's one, and what is chosen by its folder stays in a catalog.
    own = Catalog(settings().catalog)
    engine = Here(Explainer(own.load, parse))
    folder = own.source("sst2-cnn").own_folder()
    epochs = [own.choose(str(shutil.copytree(folder, tmp_path / f"cnn-epoch-{number}"))) for number in (1, 2)]
    assert epochs == ["cnn-epoch-1", "cnn-epoch-2"]
    _, found = found_by(store, Shelf(own), engine, overfitted(models=["sst2-cnn", *epochs]))
    original, *copies = [each.overfitting for each in found.models]
    assert original is not None
    assert copies == [original, original]


def test_only_models_that_the_operator_listed_are_loaded(shelf: Shelf, tmp_path: Path) -> None:
    for given in (str(tmp_path), "../epochs/sst2-cnn-1", "org/name"):
        with pytest.raises(UnknownName, match="unknown model"):
            plan(overfitted(models=["sst2-cnn", given]), shelf)


def test_a_plan_counts_training_texts(shelf: Shelf) -> None:
    without, with_them = plan(design(diagnostics=["depth"]), shelf), plan(overfitted(), shelf)
    assert (with_them.texts, with_them.training_texts, with_them.units) == (6, 3, 18)
    assert with_them.evaluations > without.evaluations
    drawn = plan(overfitted(most_texts=2), shelf)
    assert (drawn.texts, drawn.training_texts) == (2, 2)
