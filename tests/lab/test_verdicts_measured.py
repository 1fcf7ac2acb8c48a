"""Verdicts measured on shipped models and few texts: what is kept, what goes on, and what a trial leaves alone."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.verdicts import corpus, epochs, interactions, ls_tree, mahe, rankings
from benchmarks.verdicts.__main__ import written
from benchmarks.verdicts.asked import Asked, revision
from benchmarks.verdicts.interactions import Kept
from benchmarks.verdicts.judge import judged
from benchmarks.verdicts.kept import DIGITS, Lines, place, whole
from benchmarks.verdicts.parts import PARTS

from espalier.datasets.forms import Row
from espalier.diagnostics.documents import Fitted, OverfittingTest
from espalier.lab.diagnose import Diagnosing
from espalier.lab.interactions.fit import fit_table
from espalier.library import shared_explainer
from espalier.statistics.documents import MeanInterval

SAID = [
    *(
        "It is not good .",
        "Not bad , but slow .",
        "Fun , but not new .",
        "A dull film .",
        "I like it , but not a lot .",
    ),
    *("Clever but not deep .", "Loud , but good and not long ."),
]


def test_other_texts_settings_or_weights_are_another_file(tmp_path: Path) -> None:
    """As many of them or not: names by counts would let a trial get into the real run."""
    asked: list[tuple[object, ...]] = [(["a", "b"], 500, "r1"), (["a", "c"], 500, "r1"), (["a", "b"], 400, "r1")]
    places = {place(tmp_path, "fit", *each) for each in [*asked, (["a", "b"], 500, "r2")]}
    assert len(places) == 4
    assert place(tmp_path, "fit", ["a", "b"], 500, "r1") in places


def test_what_was_measured_is_not_measured_again_and_a_torn_line_is(tmp_path: Path) -> None:
    asked: list[str] = []

    def measure(key: str) -> list[float]:
        asked.append(key)
        return [float(len(asked))]

    for _ in range(2):
        lines = Lines(tmp_path / "kept.json")
        assert [lines.get(key, lambda key=key: measure(key)) for key in ("a", "b")] == [[1.0], [2.0]]  # type: ignore[misc]
    assert asked == ["a", "b"]
    path = tmp_path / "kept.jsonl"
    path.write_bytes(path.read_bytes()[:-4])
    lines = Lines(tmp_path / "kept.json")
    assert lines.get("a", lambda: measure("a")) == [1.0]
    assert lines.get("b", lambda: measure("b")) == [3.0]
    assert Lines(tmp_path / "kept.json").get("b", lambda: measure("b")) == [3.0]


def test_a_file_that_could_not_be_finished_is_not_there(tmp_path: Path) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        whole(tmp_path / "found.json", stopped)
    assert whole(tmp_path / "found.json", lambda: 7) == 7


def test_errors_of_levels_are_those_of_the_lab_and_go_on_where_they_were_stopped(tmp_path: Path) -> None:
    asking = mahe.asking("CNN", 300)
    kept = Kept(tmp_path, revision(asking.model))
    first = interactions.level_errors(SAID[:2], asking, kept)
    (file,) = tmp_path.iterdir()
    before = file.read_text(encoding="utf-8")
    found = interactions.level_errors(SAID[:3], asking, kept)
    assert file.read_text(encoding="utf-8").startswith(before)
    assert found[:2] == first
    (line,) = fit_table(SAID[:3], shared_explainer(), [asking])
    assert found == line.errors


def test_signs_of_pairs_are_kept_text_by_text(tmp_path: Path) -> None:
    asking = mahe.asking("CNN", 100)
    kept = Kept(tmp_path, revision(asking.model))
    texts = [*SAID, "This is not so good .", "A good film , not long ."]
    found = interactions.signs(("not", "good"), texts, asking, kept, most=5, pairs=4)
    assert found is not None
    assert found.same.of == 2
    (file,) = tmp_path.iterdir()
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 + sum(each.of for _, each in found.random_pairs)
    assert interactions.signs(("not", "good"), texts, asking, kept, most=5, pairs=4) == found
    assert file.read_text(encoding="utf-8").splitlines() == lines
    assert interactions.signs(("never", "seen"), texts, asking, kept, most=5, pairs=4) is None


def test_ls_trees_claims_are_decided_by_the_diagnostics() -> None:
    """On two shipped models and few texts: the numbers of the page are those of the diagnosis."""
    with_few = ("sst2-bow", "sst2-cnn")
    texts, training = (
        [Row(text=text) for text in given] for given in (SAID, ["A fine film .", "I do not .", "Slow ."])
    )
    found = Diagnosing(shared_explainer(), with_few, texts, training, ls_tree.LINEAR)
    evidence = ls_tree.measured(found)
    cnn = found.diagnosis().models[1]
    own, known = (evidence.columns["sst2-cnn", line] for line in (ls_tree.SCORES, ls_tree.TRAINING))
    assert cnn.linearity is not None
    assert cnn.overfitting is not None
    assert np.nanmean(own.values[ls_tree.CORRELATION]) == pytest.approx(cnn.linearity.words.mean)
    assert own.values[ls_tree.SCORE].mean() == pytest.approx(cnn.contrast.average.mean)
    assert own.values[ls_tree.VARIANCE].mean() == pytest.approx(cnn.overfitting.test.variance.mean)
    assert known.values[ls_tree.VARIANCE].mean() == pytest.approx(cnn.overfitting.train.variance.mean)
    told = next(each for each in cnn.contrast.words if each.word == "but")
    of_nodes, of_phrases = (
        evidence.outcomes["sst2-cnn", name] for name in (ls_tree.parent_of("but"), ls_tree.among_phrases("but"))
    )
    assert of_nodes.first == pytest.approx(told.parent.ratio)
    assert of_phrases.first == pytest.approx(told.parent_among_phrases.ratio)
    assert of_nodes.difference.n == told.parent.sentences == 5
    assert 0 < of_nodes.p <= 1
    # Four texts would have been too few, and "while" is in none.
    assert ("sst2-cnn", ls_tree.parent_of("while (contrast)")) not in evidence.outcomes
    assert all(each.verdict in ("undecided", "not measured") for each in judged(ls_tree.CLAIMS, evidence))


def test_parts_keep_what_they_found_and_the_page_says_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "texts.tsv"
    file.write_text("text\tlabel\n" + "".join(f"{text}\t0\n" for text in SAID), encoding="utf-8")
    kept = tmp_path / "kept"
    committed = tmp_path / "found"
    asked, trial = Asked(file, kept=kept, found=committed), Asked(file, kept=kept, texts=5)
    levels = next(part for part in PARTS if part.name == "levels-cnn")
    levels.run(trial)
    assert levels.found(asked) is None
    # What was found on other weights goes, what other parts found stays.
    committed.mkdir()
    old, other = (committed / f"part-{name}-{'0' * DIGITS}.json" for name in ("levels-cnn", "levels-lstm"))
    for path in (old, other):
        path.write_text("{}", encoding="utf-8")
    levels.run(asked)
    assert [path.name for path in committed.iterdir() if path != other] == [levels.place(asked).name] != [old.name]
    assert other.exists()
    found = levels.found(asked)
    assert found is not None
    assert len(found.columns["sst2-cnn", mahe.ONE].values[mahe.ERROR]) == len(SAID)
    page = written(asked)
    assert "| one interaction fits better than words alone (CNN) | `squared-error` | – / – | 0." in page
    assert "rankings-bert (--only rankings-bert)" in page
    assert "passages (--passages 200)" in page
    assert "levels-cnn (" not in page


def test_rankings_are_runs_of_the_lab_in_a_folder_that_was_not_there(tmp_path: Path) -> None:
    file = tmp_path / "texts.tsv"
    file.write_text("text\n" + "".join(f"{text}\n" for text in SAID[:5]), encoding="utf-8")
    asked = Asked(file, kept=tmp_path / "new" / "kept")
    part = next(part for part in PARTS if part.name == "rankings-cnn")
    part.run(asked)
    found = part.found(asked)
    assert found is not None
    for claim in part.claims:
        for side in (claim.first, claim.second):
            column = found.columns[side.model, side.line]
            for name in (claim.measure, rankings.OTHERWISE[claim.measure]):
                assert not np.isnan(column.curves[name]).any()


def test_the_corpus_has_sentences_with_the_words_and_a_draw_of_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "MATCHES", 3)
    monkeypatch.setattr(corpus, "REST", 4)
    monkeypatch.setattr(corpus, "REVIEWS", 2)
    short = [f"Film number {at} is not that good ." for at in range(5)] + [f"A film of {at} hours ." for at in range(9)]
    long = ["This is not funny at all. Truly, it is a film.\nNever mind that."] + [
        "Some words here. And there they are."
    ] * 5
    found = corpus.chosen(short, long)
    assert sum("that good" in text for text in found) == 3
    assert "This is not funny at all." in found
    assert len(found) == 3 + 1 + 4
    assert found == corpus.chosen(short, long)
    assert corpus.table(["a b", "c"]) == "text\na b\nc\n"


def test_checkpoints_are_taken_in_the_order_of_their_epochs(tmp_path: Path) -> None:
    for name in ("sst2-cnn-1", "sst2-cnn-10", "sst2-cnn-2", "sst2-cnn-best", "sst2-lstm-1"):
        (tmp_path / name).mkdir()
    assert [path.name for path in epochs.checkpoints(tmp_path, "sst2-cnn")] == [
        "sst2-cnn-1",
        "sst2-cnn-2",
        "sst2-cnn-10",
    ]


def test_over_epochs_the_alarm_stands_beside_the_lowest_loss() -> None:
    def fitted(loss: float | None) -> Fitted:
        return Fitted(variance=MeanInterval(mean=1, low=None, high=None, n=9), loss=loss, accuracy=None)

    def over(p: list[float], losses: list[float | None]) -> str:
        tests = [
            OverfittingTest(train=fitted(0.1), test=fitted(loss), difference=0.1, p=each, permutations=99)
            for each, loss in zip(p, losses, strict=True)
        ]
        return epochs.said("CNN", tests)

    assert "first at epoch 3 of 3; the loss on new texts is lowest at epoch 2." in over(
        [0.5, 0.2, 0.01], [0.5, 0.4, 0.6]
    )
    assert "at none of 2 epochs; without labels" in over([0.5, 0.2], [None, None])


def test_scores_of_two_epochs_are_compared_on_the_same_texts(tmp_path: Path) -> None:
    """Two folders with the same shipped weights: nothing grows."""
    import shutil

    from espalier.models.catalog import catalog

    folder = catalog().source("sst2-cnn").folder
    for epoch in (1, 2):
        shutil.copytree(folder, tmp_path / f"sst2-cnn-{epoch}")
    texts, training = ([Row(text=text) for text in given] for given in (SAID[:5], SAID[5:]))
    evidence = epochs.measured(tmp_path, texts, training)
    grown = evidence.columns["sst2-cnn", epochs.NEW].values[epochs.GROWN]
    assert len(grown) == 5
    assert not grown.any()
    assert evidence.columns["sst2-cnn", epochs.KNOWN].values[epochs.LAST].shape == (2,)
    assert evidence.notes[0].startswith("Figure 5 (CNN): p is below 5 %")
