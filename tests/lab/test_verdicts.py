"""Claims as they are judged, from numbers whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.thesis.measured import Explained
from benchmarks.verdicts import ls_tree, mahe, rankings, thesis
from benchmarks.verdicts.claims import Claim, Side
from benchmarks.verdicts.contrast import any_in_its_place
from benchmarks.verdicts.evidence import Evidence, Outcome
from benchmarks.verdicts.interactions import Edited
from benchmarks.verdicts.judge import Judged, judged
from benchmarks.verdicts.page import page
from benchmarks.verdicts.parts import PARTS

from espalier.datasets.forms import Samples
from espalier.explain.registry import methods
from espalier.lab.interactions.context_free import ContextFree
from espalier.lab.matrix import Column
from espalier.measure.curves import PERCENTS
from espalier.measure.registry import measures
from espalier.measure.request import RANDOM
from espalier.models.catalog import catalog
from espalier.statistics.documents import MeanInterval
from espalier.statistics.shares import share


def column(mean: float, seed: int, name: str = "aopc-delete") -> Column:
    values = np.random.default_rng(seed).normal(mean, 0.1, 80)
    curve = np.full((80, len(PERCENTS)), np.nan)
    curve[:, PERCENTS.index(20)] = values
    return Column(0, 0, {name: np.full(80, 9.0)}, {name: curve})


def claim(first: str, second: str, measure: str = "aopc-delete") -> Claim:
    return Claim("a paper", f"{first} is better", measure, Side(first, "m", 0.5), Side(second, "m", 0.4))


def good_and_bad() -> Evidence:
    return Evidence({("m", "good"): column(0.5, 0), ("m", "bad"): column(0.3, 1), ("m", "same"): column(0.5, 2)})


def test_claims_are_held_refuted_or_left_open_by_their_numbers() -> None:
    claims = [claim("good", "bad"), claim("bad", "good"), claim("good", "same"), claim("good", "gone")]
    found = judged(claims, good_and_bad())
    assert [each.verdict for each in found] == ["held", "did not hold", "undecided", "not measured"]
    assert found[0].outcome is not None
    assert found[0].outcome.difference.n == 80


def test_where_lower_is_better_a_lower_mean_holds() -> None:
    name = "log-odds-pad"
    columns = {("m", "good"): column(-2.0, 0, name), ("m", "bad"): column(-1.0, 1, name)}
    (found,) = judged([claim("good", "bad", name)], Evidence(columns))
    assert found.verdict == "held"


def test_each_paper_is_corrected_for_by_itself() -> None:
    """A second claim of the same paper doubles the smallest p value; one of another paper does not."""
    weak = Evidence({("m", "good"): column(0.5, 0), ("m", "bad"): column(0.46, 5), ("m", "same"): column(0.5, 2)})
    alone, other = claim("good", "bad"), claim("good", "same")
    (once,) = judged([alone], weak)
    together = judged([alone, other], weak)[0]
    apart = judged([alone, replace(other, paper="another")], weak)[0]
    assert once.corrected == apart.corrected
    assert together.corrected == pytest.approx(2 * (once.corrected or 0))


def test_the_page_is_by_paper_and_says_what_speaks_against_it() -> None:
    evidence = good_and_bad()
    for name, mean in (("good", 0.5), ("bad", 0.9)):
        other = column(mean, 7, "aopc-pad")
        evidence.columns["m", name].values |= other.values
        evidence.columns["m", name].curves |= other.curves
    claims = [claim("good", "bad"), claim("good", "gone"), replace(claim("good", "same"), paper="HEDGE, Table 2")]
    said = page(judged(claims, evidence), evidence, {"HEDGE": ["A note."]}, ["a part (--only it)"], "80 texts.")
    assert "80 texts. Of 3 claims 1 held, 0 did not hold, 1 are undecided, 1 were not measured." in said
    assert "Not measured yet: a part (--only it)." in said
    first, second = said.index("## a paper"), said.index("## HEDGE")
    assert "1 of 1 measured claims held.** Not measured: 1." in said[first:second]
    good, bad = (np.random.default_rng(seed).normal(mean, 0.1, 80).mean() for seed, mean in ((0, 0.5), (1, 0.3)))
    assert f"0.500 / 0.400 | {good:.3f} / {bad:.3f} | {good - bad:.3f} [" in said
    assert "| 80 (0) | < 0.001 | **held** |" in said
    assert "- A note." in said[second:]
    # With the other operator the other one is far better.
    assert "1 of 1 verdicts change: good is better: held, then did not hold." in said


def test_what_only_a_correction_paper_by_paper_lets_hold_is_said() -> None:
    weak = Outcome(1.0, 0.5, MeanInterval(mean=0.5, low=0.4, high=0.6, n=99), 0.03)
    nothing = replace(weak, p=0.9)
    own = replace(claim("good", "bad"), test="own", better="higher")
    claims = [own, *(replace(own, paper=f"paper {at}", measure=f"other {at}") for at in range(3))]
    evidence = Evidence(outcomes={("m", each.measure): weak if each is own else nothing for each in claims})
    found = judged(claims, evidence)
    assert found[0].verdict == "held"
    assert "1 would be undecided: good is better." in page(found, evidence, {}, [], "")


def test_every_claim_can_be_measured_with_what_ships() -> None:
    claims = (*rankings.CLAIMS, *rankings.REFERENCE_CLAIMS)
    models = {entry.name for entry in catalog().entries()}
    for each in claims:
        assert each.measure in measures()
        for side in (each.first, each.second):
            assert side.model in models
            assert side.method in methods() or side.method == RANDOM
    designs = rankings.designs(Samples(), 4)
    assert set(designs) == {"sst2-lstm", "sst2-cnn", "sst2-minilm"}
    under = rankings.reference_design(Samples(), 4)
    lines = {f"{method} ({reference})" for method, reference in under.labels}
    assert {side.line for each in rankings.REFERENCE_CLAIMS for side in (each.first, each.second)} <= lines
    for each in rankings.CLAIMS:  # with the operator of the paper, and with the other one
        assert {each.measure, rankings.OTHERWISE.get(each.measure, each.measure)} <= set(
            designs[each.first.model].measures
        )


def test_the_parts_have_all_claims_of_five_papers_once() -> None:
    claims = [each for part in PARTS for each in part.claims]
    assert len({(each.says, each.measure) for each in claims}) == len(claims)
    assert {each.family for each in claims} == {"HEDGE", "ASIV", "Edin et al.", "LS-Tree", "MAHE", "SHAP thesis"}
    expected = (*rankings.CLAIMS, *rankings.REFERENCE_CLAIMS, *ls_tree.CLAIMS, *mahe.FIT_CLAIMS, *mahe.SIGN_CLAIMS)
    assert set(expected) <= set(claims)


def test_two_groups_of_different_texts_are_compared_without_pairs() -> None:
    said = Claim("a paper", "more", "score-variance", Side("new", "m", None), Side("known", "m", None), None)
    generator = np.random.default_rng(1)

    def judge(mean: float) -> Judged:
        new, known = generator.normal(mean, 1, 90), generator.normal(0, 1, 60)
        columns = {
            ("m", "new"): Column(0, 0, {"score-variance": new}),
            ("m", "known"): Column(0, 0, {"score-variance": np.append(known, np.nan)}),
        }
        (found,) = judged([replace(said, better="higher", test="unpaired")], Evidence(columns))
        assert found.outcome is not None
        difference = found.outcome.difference
        assert (difference.n, found.left_out) == (150, 1)
        assert difference.mean == pytest.approx(new.mean() - known.mean())
        assert difference.low < difference.mean < difference.high  # type: ignore[operator]
        return found

    assert [judge(mean).verdict for mean in (1.0, -1.0, 0.0)] == ["held", "did not hold", "undecided"]


def test_any_node_in_the_place_of_a_word_is_as_likely_as_the_word() -> None:
    """Skewed scores, and the word's node is one like the others: p values are uniform. Where it scores twice as much,
    they are small."""
    generator = np.random.default_rng(3)

    def p_value(times: float, seed: int) -> float:
        pools = [generator.lognormal(0, 1.5, int(generator.integers(5, 40))) for _ in range(30)]
        there = [(times * generator.choice(pool, 1 + at % 3, replace=False), pool) for at, pool in enumerate(pools)]
        return any_in_its_place(there, seed, draws=199)

    by_chance = np.array([p_value(1.0, seed) for seed in range(400)])
    # Four standard errors of a share of 400.
    assert abs((by_chance <= 0.05).mean() - 0.05) < 0.044
    assert abs((by_chance <= 0.5).mean() - 0.5) < 0.1
    assert np.median([p_value(3.0, seed) for seed in range(40)]) < 0.02


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
    evidence = thesis.of_passages(dict(zip(thesis.RUNS, (as_said, other), strict=True)))
    found = judged(thesis.CLAIMS, evidence)
    verdicts = ["held", "did not hold", "held", "held", "held", "did not hold"]
    assert [each.verdict for each in found] == verdicts
    assert found[0].outcome is not None
    assert found[0].outcome.first == pytest.approx(1.4 / 1.43)
    speaks_against = found[-1].outcome
    assert speaks_against is not None
    assert speaks_against.difference.n == 10
    assert speaks_against.p == pytest.approx(2 * 0.5**10)


def signs(own: int, others: list[int], texts: int = 40) -> ContextFree:
    """One pair with so many texts of one sign, and random pairs with theirs."""
    rank = (1 + sum(each >= own for each in others)) / (1 + len(others))
    mean = float(np.mean(others)) / texts
    return ContextFree(
        words=("not", "good"),
        model="m",
        texts=texts,
        sign=-1,
        same=share(own, texts),
        clear=share(own, texts),
        mean=MeanInterval(mean=-1.0, low=None, high=None, n=texts),
        gap=1.0,
        random=MeanInterval(mean=mean, low=mean - 0.02, high=mean + 0.02, n=len(others)),
        rank=rank,
        occurrences=[],
        random_pairs=[((f"a{at}", "b"), share(each, texts)) for at, each in enumerate(others)],
    )


def test_one_sign_is_decided_by_its_rank_among_random_pairs_of_words() -> None:
    """Forty texts of one sign are nothing where a tenth of all pairs have as many; thirty of a hundred are not, either.
    With sign flips against the mean of the random pairs, the first would have held."""
    common = [35] * 90 + [40] * 10
    (undecided,) = mahe.of_signs("m", signs(40, common)).outcomes.values()
    assert undecided.p == pytest.approx(2 * 11 / 101)
    (held,) = mahe.of_signs("m", signs(40, [30] * 119)).outcomes.values()
    assert held.p == pytest.approx(2 / 120)
    assert held.difference.low is not None
    assert 0 < held.difference.low < 0.25
    (worse,) = mahe.of_signs("m", signs(22, [30] * 119)).outcomes.values()
    assert worse.p == pytest.approx(2 / 120)
    assert (worse.difference.mean or 0) < 0
    few = mahe.of_signs("m", signs(40, [30] * 59))
    (open_,) = few.outcomes.values()
    assert open_.p == 1.0
    assert "Fewer than 60: nothing is decided." in few.notes[0]


def test_an_edit_is_decided_by_other_texts_and_by_what_it_costs() -> None:
    found = Edited([True] * 30 + [False] * 3, [True] * 99 + [False], [True] * 50 + [False] * 50)
    evidence = mahe.of_edit("sst2-cnn", found)
    claims = [each for each in mahe.EDIT_CLAIMS if each.first.model == "sst2-cnn"]
    turned, cost = judged(claims, evidence)
    assert (turned.verdict, cost.verdict) == ("held", "did not hold")
    assert cost.outcome is not None
    assert (cost.outcome.first, cost.outcome.second) == (0.5, pytest.approx(0.97))
    free = mahe.of_edit("sst2-cnn", replace(found, after=found.before))
    assert judged(claims, free)[1].verdict == "held"
    assert "Nothing to turn round." in mahe.of_edit("m", Edited([], [], [], "nothing to turn round")).notes[0]


def test_evidence_is_the_same_after_it_was_kept() -> None:
    outcome = Outcome(0.9, 0.5, MeanInterval(mean=0.4, low=None, high=0.5, n=3), 0.01, 0.002)
    made = Evidence({("m", "good"): column(0.5, 0)}, {("m", "same-sign"): outcome}, ["A note."])
    made.columns["m", "good"].problems["too long"] += 2
    again = Evidence.from_json(made.to_json())
    assert (again.outcomes, again.notes) == (made.outcomes, made.notes)
    before, after = made.columns["m", "good"], again.columns["m", "good"]
    assert before.problems == after.problems
    np.testing.assert_array_equal(before.curves["aopc-delete"], after.curves["aopc-delete"])
