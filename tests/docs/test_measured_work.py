"""Many texts, a busy machine and long ladders: what the benchmarks make of what they count."""

from pathlib import Path

import pytest
from benchmarks import busy, many_texts
from benchmarks.cuts import Held, Wrong, went_wrong, whereabouts
from benchmarks.ladder import section as ladder_section
from tests.docs.test_measured_waits import verdicts

from espalier.explain import ladder as ladders


def test_a_command_is_held_against_the_bare_model_with_its_start(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    enough = many_texts.Measured(texts=500, evaluations=30_000, command=100.0, one_text=6.0, bare=85.0)
    assert verdicts(many_texts.section("shap", "sst2-minilm", enough), page) == ["yes"]
    # 85 of the 94 seconds after the start would be enough; the command took 101.
    slower = many_texts.Measured(texts=500, evaluations=30_000, command=101.0, one_text=7.0, bare=85.0)
    assert verdicts(many_texts.section("ls-tree", "sst2-minilm", slower), page) == ["yes", "no"]


def test_busy_jobs_are_compared_by_their_evaluations(tmp_path: Path) -> None:
    found = busy.Compared()
    for seconds, evaluations in ((1.0, 1000), (1.1, 1000)):
        found.quiet.add(seconds, evaluations)
    for seconds in (4.0, 4.4):
        found.busy.add(seconds, 2000)
    assert found.ratio == pytest.approx(2.0)
    assert verdicts(busy.section({busy.SHIPPED: found}, 1, 2), tmp_path / "page.md") == ["yes"]
    found.busy.add(9.0, 2000)
    found.busy.add(9.0, 2000)
    assert verdicts(busy.section({busy.SHIPPED: found}, 1, 4), tmp_path / "page.md") == ["no"]


def cut(start: int, point: int, end: int) -> ladders.Step:
    return ladders.Step(start=start, point=point, end=end, interaction=0.0)


def test_what_is_lost_after_a_wrong_cut_counts_up_to_the_next_wrong_one() -> None:
    made = [cut(0, 3, 6), cut(0, 1, 3), cut(3, 5, 6), cut(1, 2, 3), cut(3, 4, 5)]
    best = [3, 2, 4, 2, 4]
    right = [True, False, False, True, True]
    shared = [True, False, False, False, True]
    found = went_wrong(made, best, right, shared)
    assert found == [Wrong(level=2, same_span=True, lost=1), Wrong(level=3, same_span=True, lost=2)]
    elsewhere = went_wrong(made, [3, 5, 5, 2, 4], [True, False, True, True, True], shared)
    assert elsewhere == [Wrong(level=2, same_span=False, lost=3)]


def test_wrong_cuts_are_told_by_where_they_are_and_certainties_by_how_often_they_are_right(tmp_path: Path) -> None:
    one = Held(
        words=7,
        evaluations=25,
        exact_evaluations=100,
        seconds=1.0,
        exact_seconds=4.0,
        cuts=0.97,
        certainties=(0.8,) * 6,
        right=(True, True, False, True, True, True),
        wrong=(Wrong(level=3, same_span=True, lost=2),),
    )
    assert [row[1:] for row in whereabouts([one])] == [("2", "0", "0", "0"), ("2", "1", "1", "2"), ("2", "0", "0", "0")]
    assert verdicts(ladder_section("sst2-cnn", {0.7: [one]}), tmp_path / "page.md") == ["yes", "yes"]
