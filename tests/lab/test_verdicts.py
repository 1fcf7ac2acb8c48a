"""Claims as they are judged, from numbers whose truth is known."""

import numpy as np
from benchmarks.verdicts.__main__ import designs, written
from benchmarks.verdicts.claims import CLAIMS, Claim, Side
from benchmarks.verdicts.judge import judged

from espalier.explain.registry import methods
from espalier.lab.matrix import Column
from espalier.measure.curves import PERCENTS
from espalier.measure.registry import measures
from espalier.measure.request import RANDOM
from espalier.models.catalog import catalog


def column(mean: float, seed: int, name: str = "aopc-delete") -> Column:
    values = np.random.default_rng(seed).normal(mean, 0.1, 80)
    curve = np.full((80, len(PERCENTS)), np.nan)
    curve[:, PERCENTS.index(20)] = values
    return Column(0, 0, {name: np.full(80, 9.0)}, {name: curve})


def claim(first: str, second: str, measure: str = "aopc-delete") -> Claim:
    return Claim("a paper", "one is better", measure, Side(first, "m", 0.5), Side(second, "m", 0.4))


def test_claims_are_held_refuted_or_left_open_by_their_numbers() -> None:
    columns = {
        ("m", "good"): column(0.5, 0),
        ("m", "bad"): column(0.3, 1),
        ("m", "same"): column(0.5, 2),
    }
    found = judged([claim("good", "bad"), claim("bad", "good"), claim("good", "same"), claim("good", "gone")], columns)
    assert [each.verdict for each in found] == ["held", "did not hold", "undecided", "not measured"]
    assert found[0].difference is not None
    assert found[0].difference.n == 80
    page = written(found, 80, "texts of a test")
    assert "Of 4 claims 1 held, 1 did not hold, 1 are undecided" in page
    assert "0.500 / 0.400" in page


def test_where_lower_is_better_a_lower_mean_holds() -> None:
    name = "log-odds-pad"
    columns = {("m", "good"): column(-2.0, 0, name), ("m", "bad"): column(-1.0, 1, name)}
    (found,) = judged([claim("good", "bad", name)], columns)
    assert found.verdict == "held"


def test_every_claim_can_be_measured_with_what_ships() -> None:
    assert len(CLAIMS) >= 20
    models = {entry.name for entry in catalog().entries()}
    for each in CLAIMS:
        assert each.measure in measures()
        for side in (each.first, each.second):
            assert side.model in models
            assert side.method in methods() or side.method == RANDOM
    assert set(designs(4, None)) == {"sst2-lstm", "sst2-cnn", "sst2-minilm"}
