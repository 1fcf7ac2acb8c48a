"""Claims as they are judged, from numbers whose truth is known."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.thesis.measured import Explained
from benchmarks.verdicts import ls_tree, mahe, thesis
from benchmarks.verdicts.__main__ import designs, diagnosing, written
from benchmarks.verdicts.claims import CLAIMS, MODELS, Claim, Side
from benchmarks.verdicts.judge import Judged, judged

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


def test_two_groups_of_different_texts_are_compared_without_pairs() -> None:
    said = Claim("a paper", "more", "score-variance", Side("new", "m", None), Side("known", "m", None), None)
    generator = np.random.default_rng(1)

    def judge(mean: float) -> Judged:
        new, known = generator.normal(mean, 1, 90), generator.normal(0, 1, 60)
        columns = {
            ("m", "new"): Column(0, 0, {"score-variance": new}),
            ("m", "known"): Column(0, 0, {"score-variance": np.append(known, np.nan)}),
        }
        (found,) = judged([replace(said, better="higher", test="unpaired")], columns)
        assert found.difference is not None
        assert found.difference.n == 150
        assert found.difference.mean == pytest.approx(new.mean() - known.mean())
        assert found.difference.low < found.difference.mean < found.difference.high  # type: ignore[operator]
        return found

    assert [judge(mean).verdict for mean in (1.0, -1.0, 0.0)] == ["held", "did not hold", "undecided"]


def test_ls_trees_claims_are_decided_by_the_diagnostics(tmp_path: Path) -> None:
    """On two shipped models and few texts: the numbers of the page are those of the diagnosis."""
    texts = tmp_path / "texts.tsv"
    said = ["It is not good .", "Not bad , but slow .", "Fun , but not new .", "A dull film .", "I like it a lot ."]
    texts.write_text("text\n" + "".join(f"{each}\n" for each in said), encoding="utf-8")
    training = tmp_path / "train.tsv"
    training.write_text("text\nA fine film .\nIt is not good .\nI do not like it .\nSlow .\n", encoding="utf-8")
    with_few = ("sst2-bow", "sst2-cnn")
    found = diagnosing(None, texts, training, with_few)
    assert [len(found.training[name]) for name in with_few] == [3, 3]  # the one that is tested is no training text
    columns = ls_tree.columns(found)
    told = found.diagnosis()
    cnn = told.models[1]
    own, training_texts = columns[("sst2-cnn", ls_tree.SCORES)], columns[("sst2-cnn", ls_tree.TRAINING)]
    assert cnn.linearity is not None
    assert cnn.overfitting is not None
    assert np.nanmean(own.values[ls_tree.CORRELATION]) == pytest.approx(cnn.linearity.words.mean)
    assert own.values[ls_tree.SCORE].mean() == pytest.approx(cnn.contrast.average.mean)
    assert own.values[ls_tree.VARIANCE].mean() == pytest.approx(cnn.overfitting.test.variance.mean)
    assert training_texts.values[ls_tree.VARIANCE].mean() == pytest.approx(cnn.overfitting.train.variance.mean)
    # One "but" in each of two texts: their mean is the ratio of the table.
    assert np.isnan(own.values[ls_tree.parent_of("but")]).tolist() == [True, False, False, True, True]
    ratio = next(each.parent.ratio for each in cnn.contrast.words if each.word == "but")
    assert np.nanmean(own.values[ls_tree.parent_of("but")]) == pytest.approx(ratio)
    page = written(judged(ls_tree.CLAIMS, columns), 5, "texts of a test")
    assert "vary more on new ones" in page
    verdicts = {each.claim.says: each.verdict for each in judged(ls_tree.CLAIMS, columns)}
    assert verdicts[next(said for said in verdicts if "vary more on new" in said and "CNN" in said)] != "not measured"


def test_ls_trees_claims_name_what_there_is() -> None:
    models = {entry.name for entry in catalog().entries()}
    assert len(ls_tree.CLAIMS) >= 20
    for each in ls_tree.CLAIMS:
        assert each.measure in ls_tree.MEASURES
        assert each.better is not None
        assert {each.first.model, each.second.model} <= models


def test_the_thesis_claims_are_decided_by_values_of_passages() -> None:
    """The LSTM here is as the thesis has it; the other model speaks of the first word only, and always for it."""
    close = [0.0] * 30 + [0.01] * 3 + [0.5, 0.9]
    far = [0.9] + [0.01] * 34
    nothing = [0.0] * 35
    as_said = [Explained(at, False, close, nothing, [*close[:-1], -0.2], close) for at in range(20)]
    other = [Explained(at, at < 10, far, nothing, far, far) for at in range(20)]
    columns = thesis.columns(dict(zip(thesis.RUNS, (as_said, other), strict=True)))
    found = {each.claim.says: each for each in judged(thesis.CLAIMS, columns)}
    verdicts = [(each.verdict, each.first) for each in found.values()]
    assert [verdict for verdict, _ in verdicts] == ["held", "did not hold", "held", "held", "held", "did not hold"]
    assert verdicts[0][1] == pytest.approx(1.4 / 1.43)
    assert found["where the model is wrong, the last word speaks against the real one (GPT-2)"].difference.n == 10  # type: ignore[union-attr]


def test_the_claims_of_mahe_are_decided_by_what_was_kept(tmp_path: Path) -> None:
    """What is measured is kept, so that here nothing is: every claim reads its numbers."""
    for model in MODELS.values():
        errors = [[0.3, 0.2, 0.1 + 0.001 * number] for number in range(20)]
        (tmp_path / f"mahe-fit-{model}-1.json").write_text(json.dumps(errors))
        signs = {"same": [True] * 30, "random": 0.6} if model != "sst2-cnn" else {"problem": "no text"}
        (tmp_path / f"mahe-signs-{model}-2.json").write_text(json.dumps(signs))
        edited = {
            "opposite": [True] * 30,
            "right_before": [True] * 99 + [False],
            "right_after": [True] * 50 + [False] * 50,
        }
        (tmp_path / f"mahe-edit-{model}-2-1.json").write_text(json.dumps(edited))
    (tmp_path / "mahe-synthetic.json").write_text(json.dumps([True] * 60 + [False] * 20))
    found = judged(mahe.CLAIMS, mahe.columns(["a"], [("a", "0")], ["a", "b"], tmp_path))
    said = {each.claim.says: each for each in found}
    assert len(said) == len(found) == 16
    assert said["one interaction fits better than words alone (LSTM)"].verdict == "held"
    assert said["(not, good) has one sign in more texts than random pairs have (BERT)"].verdict == "held"
    assert said["(not, good) has one sign in more texts than random pairs have (CNN)"].verdict == "not measured"
    assert said["edited in one text, (not, good) has the opposite sign in most others (CNN)"].verdict == "held"
    lost = said["such an edit costs less than 2 points of accuracy (CNN)"]
    assert (lost.verdict, lost.first) == ("did not hold", 0.5)
    assert lost.second == pytest.approx(0.97)
    assert said["the true interaction of F1 to F4 is ranked first more often than not"].first == 0.75
    assert "0.056 / 0.101" in written(found, 1, "texts of a test")
