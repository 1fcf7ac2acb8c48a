"""Interactions as diagnoses: the numbers of `espalier interactions`, and texts that are chosen once for all models."""

import pytest
from tests.lab.conftest import Here
from tests.lab.test_diagnoses import design, found_by

from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.export import raw_rows, table_rows
from espalier.lab.diagnosis.plan import plan
from espalier.lab.interactions.asking import Asking
from espalier.lab.interactions.context_free import context_free
from espalier.lab.interactions.fit import fit_table
from espalier.library import shared_explainer
from espalier.models.describe import Shelf
from espalier.problems import BadParameter
from espalier.store import Store
from espalier.store.evaluations import Evaluations

TEXTS = (
    "This is not a good film .",
    "Not very good .",
    "It is good , not bad .",
    "They are not that good at it .",
    "The songs are not as good as the film .",
    "No .",
)
MODELS = ("sst2-cnn", "sst2-bow")


def interactions(**changes: object) -> DiagnosisDesign:
    given = {
        "dataset": {"kind": "rows", "rows": [{"text": text} for text in TEXTS]},
        "models": list(MODELS),
        "diagnostics": ["fit", "context-free"],
        "linear": None,
        "interactions": [["not", "good"]],
        "random_pairs": 2,
        "draws": 200,
    }
    return design(**(given | changes))


def test_a_run_finds_the_numbers_of_the_commands(store: Store, shelf: Shelf, engine: Here) -> None:
    run, found = found_by(store, shelf, engine, interactions())
    assert (run.status, run.done) == ("finished", 12)
    askings = [Asking(model=name, draws=200, seed=3) for name in MODELS]
    fitted = fit_table(TEXTS, shared_explainer(), askings)
    for mine, line, asking in zip(found.models, fitted, askings, strict=True):
        assert mine.fit is not None
        assert mine.fit.model_dump(exclude={"errors"}) == line.model_dump(exclude={"errors"})
        (signs,) = mine.context_free
        alone = context_free(("not", "good"), TEXTS, shared_explainer(), asking, random_pairs=2)
        assert signs.model_dump() == alone.model_dump()
        assert (signs.texts, signs.same.of) == (4, 4)
    network, bag = found.models
    assert network.fit is not None
    assert network.fit.found.count > 0
    # On log-odds a bag of words has no interactions.
    assert (bag.fit and bag.fit.found.count, bag.context_free[0].sign) == (0, 0)
    assert (network.linearity, network.depths, network.contrast) == (None, [], None)


def test_only_texts_with_the_words_are_asked_about_them(store: Store, shelf: Shelf, engine: Here) -> None:
    chosen = interactions(diagnostics=["context-free"], models=["sst2-cnn"], random_pairs=0, most_matching=3)
    run, found = found_by(store, shelf, engine, chosen)
    ((signs,),) = [each.context_free for each in found.models]
    assert (signs.texts, signs.same.of, signs.rank) == (4, 3, None)
    evaluations = Evaluations(store)
    rows = list(raw_rows(chosen, evaluations.texts(run.id), evaluations.rows(run.id)))
    asked = [row["sentence"] for row in rows if row["terms"]]
    assert len(asked) == 3
    assert set(asked) <= {TEXTS[0], TEXTS[1], TEXTS[3], TEXTS[4]}
    # As many as the plan said, or fewer: a short text has fewer sets of words than were to be drawn.
    assert 0 < run.evaluated <= plan(chosen, shelf).evaluations
    parts = {row["part"]: row for row in table_rows(found)}
    assert parts["not … good, same sign"]["n"] == 3
    assert parts["not … good, same sign"]["low"] < parts["not … good, same sign"]["value"]


def test_what_is_too_short_to_fit_says_so_and_is_scored_all_the_same(store: Store, shelf: Shelf, engine: Here) -> None:
    rows = [{"text": "Dull"}, {"text": "A fine film , but not a good one ."}]
    chosen = interactions(
        dataset={"kind": "rows", "rows": rows}, diagnostics=["depth", "fit"], models=["sst2-cnn"], interactions=[]
    )
    run, found = found_by(store, shelf, engine, chosen)
    assert (run.done, run.failed) == (2, 0)
    (model,) = found.models
    assert model.fit is not None
    assert (model.texts, model.fit.left_out, model.depths[0].depth.n) == (2, 1, 2)
    assert sum(model.problems.values()) == 1


def test_words_that_are_nowhere_are_refused_before_it_begins(shelf: Shelf) -> None:
    with pytest.raises(BadParameter, match="no text with never … mind: got 6 without these words"):
        plan(interactions(interactions=[["never", "mind"]]), shelf)
    with pytest.raises(BadParameter, match="context-free needs words: got no interactions"):
        plan(interactions(interactions=[]), shelf)
    assert any("not … good stands in 4 texts" in said for said in plan(interactions(), shelf).warnings)
