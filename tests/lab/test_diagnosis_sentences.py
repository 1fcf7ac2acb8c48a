"""A diagnosis sentence by sentence: single numbers are those that means are of, and each says its method."""

import asyncio

import pytest
from tests.lab.conftest import Here, finished

from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.results import results
from espalier.lab.diagnosis.sentences import FITTED, SCORED, documents, points
from espalier.lab.diagnosis.service import design_of
from espalier.lab.runner import Runner
from espalier.models.describe import Shelf
from espalier.store import Store
from espalier.store.evaluations import Evaluations, StoredRow

TEXTS = (
    "It is not good but it is not dull .",
    "A lovely , warm film .",
    "Not without charm , and quite good .",
    "Dull .",
)
DESIGN = DiagnosisDesign.model_validate(
    {
        "dataset": {"kind": "rows", "rows": [{"text": text} for text in TEXTS]},
        "models": ["sst2-cnn", "sst2-bow"],
        "diagnostics": ["linearity", "depth", "contrast", "fit", "context-free"],
        "linear": "sst2-bow",
        "interactions": [["Not", "good"]],
        "random_pairs": 0,
        "draws": 100,
    }
)


def test_means_are_of_the_numbers_that_sentences_show(store: Store, shelf: Shelf, engine: Here) -> None:
    evaluations = Evaluations(store)
    identity = asyncio.run(finished(Runner(engine, evaluations, shelf), DESIGN))  # type: ignore[arg-type]
    run = evaluations.get(identity)
    assert run is not None
    rows = list(evaluations.rows(identity))
    found = results(run, design_of(run), evaluations.texts(identity), rows)
    numbers = {each.name: points(DESIGN, each, rows) for each in found.quantities}
    assert {each.method for each in found.quantities} == {SCORED, FITTED}

    network = found.models[0]
    assert network.linearity is not None
    assert network.fit is not None
    depth, words, error, term = (numbers[name] for name in ("top-depth", "word-correlation", "error", "term not good"))
    assert depth.texts == [0, 1, 2, 3]
    assert mean(depth.values[0]) == pytest.approx(network.depths[0].depth.mean)
    assert mean(words.values[0]) == pytest.approx(network.linearity.words.mean)
    assert len([each for each in error.values[0] if each is not None]) == network.fit.found.of
    assert term.texts == [0, 2]
    assert term.values[0] == [each.contribution for each in network.context_free[0].occurrences]
    # "not" comes twice in the first text, and counts where it weighs more.
    around = numbers["around not"]
    assert (around.texts, around.lines[1]["model"]) == ([0, 2], "sst2-bow")
    heavy = [(each.word, each.text, each.score) for each in network.heaviest if each.word == "not"]
    scores = sorted(zip(around.values[0], (TEXTS[0], TEXTS[2]), strict=True), reverse=True)
    assert heavy == [("not", text, score) for score, text in scores]
    assert "around but" in numbers
    assert "around yet" not in numbers


def test_a_row_says_for_each_method_why_there_are_no_numbers() -> None:
    row = StoredRow(3, 1, 0, '{"target": "positive", "unfitted": "too short"}', 0.5)
    scored, fitted = documents(DESIGN, row)
    assert (scored.method, scored.measured["problem"]) == (SCORED, None)
    assert (fitted.method, fitted.measured["problem"], fitted.measured["values"]) == (FITTED, "too short", {})
    assert {scored.model, fitted.model} == {"sst2-bow"}


def mean(values: list[float | None]) -> float:
    there = [value for value in values if value is not None]
    return sum(there) / len(there)
