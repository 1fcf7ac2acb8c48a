"""HEDGE, top-down and bottom-up, against a slow literal transcription of Eq. 1-5 in exact fractions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import factorial
from random import Random
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from espalier.explain.hedge import HedgeParameters, HedgeResult, hedge
from espalier.explain.hedge_merge import HedgeMergeParameters, HedgeMergeResult, hedge_merge
from espalier.explain.ladder import LadderResult, Span, most_players, top_phrase
from espalier.explain.neighbourhoods import MOST_TOGETHER
from espalier.explain.plan import Ask, BoolArray, FloatArray, GameShape
from espalier.explain.toy import Toy

Words = frozenset[int]
Partition = list[Words]
TARGET = 1


# The literal transcription ------------------------------------------------------------------------------------------


@dataclass
class Literal:
    """Equations 1 to 5 word for word, on sets of words, with no sharing: every evaluation is one call of the model."""

    outputs: Callable[[Words], list[int]]
    window: int
    weights: str = "paper"
    calls: list[Words] = field(default_factory=list)

    def f(self, words: Words) -> Fraction:
        """The model's output in the margin scale; it is both f in Eq. 3 and, for a span alone, Eq. 5."""
        self.calls.append(words)
        outputs = self.outputs(words)
        return Fraction(outputs[TARGET] - max(o for label, o in enumerate(outputs) if label != TARGET))

    def gamma(self, j1: Words, j2: Words, chosen: Words) -> Fraction:
        return self.f(chosen | j1 | j2) - self.f(chosen | j1) - self.f(chosen | j2) + self.f(chosen)

    def phi(self, j1: Words, j2: Words, partition: Partition) -> Fraction:
        first = partition.index(j1)
        neighbours = partition[max(0, first - self.window) : first] + partition[first + 2 : first + 2 + self.window]
        spans = len(neighbours) + 2 if self.weights == "paper" else len(partition)
        total = Fraction(0)
        for size in range(len(neighbours) + 1):
            weight = Fraction(factorial(size) * factorial(spans - size - 2), factorial(spans - 1))
            for chosen in combinations(neighbours, size):
                total += weight * self.gamma(j1, j2, frozenset().union(*chosen))
        return total if self.weights == "paper" else total / 2

    def divide(self, words: int) -> tuple[list[Partition], list[Fraction]]:
        partition: Partition = [frozenset(range(words))]
        levels, scores = [partition], []
        while len(partition) < words:
            best: tuple[Fraction, Partition] | None = None
            for position, span in enumerate(partition):
                in_order = sorted(span)
                for j in range(1, len(in_order)):
                    j1, j2 = frozenset(in_order[:j]), frozenset(in_order[j:])
                    divided = [*partition[:position], j1, j2, *partition[position + 1 :]]
                    score = self.phi(j1, j2, divided)
                    if best is None or score < best[0]:
                        best = (score, divided)
            assert best is not None
            scores.append(best[0])
            partition = best[1]
            levels.append(partition)
        return levels, scores

    def merge(self, words: int) -> tuple[list[Partition], list[Fraction]]:
        partition: Partition = [frozenset({word}) for word in range(words)]
        levels, scores = [partition], []
        while len(partition) > 1:
            found = [self.phi(j1, j2, partition) for j1, j2 in pairwise(partition)]
            strongest = found.index(max(found))
            scores.append(found[strongest])
            merged = partition[strongest] | partition[strongest + 1]
            partition = [*partition[:strongest], merged, *partition[strongest + 2 :]]
            levels.append(partition)
        return levels, scores


# Games --------------------------------------------------------------------------------------------------------------


def integer_game(seed: int, largest: int) -> Callable[[Words], list[int]]:
    """Outputs of three classes; a small `largest` makes many ties."""

    @cache
    def outputs(chosen: Words) -> list[int]:
        generator = Random(f"{seed} {sorted(chosen)}")
        return [generator.randint(0, largest) for _ in range(3)]

    return outputs


def margins(outputs: Callable[[Words], list[int]]) -> Callable[[BoolArray], FloatArray]:
    """What the plan is answered with: each class's own output minus the best of the others."""

    def values(coalitions: BoolArray) -> FloatArray:
        raw = [outputs(frozenset(np.flatnonzero(row).tolist())) for row in coalitions]
        return np.array(
            [[o - max(other for k, other in enumerate(row) if k != c) for c, o in enumerate(row)] for row in raw],
            dtype=float,
        )

    return values


def shape(words: int) -> GameShape:
    return GameShape(tuple(f"w{i}" for i in range(words)), ("no", "yes", "maybe"), TARGET)


def divided(values: Callable[[BoolArray], FloatArray], words: int, **settings: Any) -> HedgeResult:
    return Toy(values).run(hedge(shape(words), HedgeParameters(**settings)))


def merged(values: Callable[[BoolArray], FloatArray], words: int, **settings: Any) -> HedgeMergeResult:
    return Toy(values).run(hedge_merge(shape(words), HedgeMergeParameters(**settings)))


def single(function: Callable[[BoolArray], Any]) -> Callable[[BoolArray], FloatArray]:
    """The same values for all classes, where only one is looked at."""
    return lambda coalitions: np.repeat(np.asarray(function(coalitions), dtype=float)[:, None], 3, axis=1)


def by_table(table: FloatArray) -> Callable[[BoolArray], FloatArray]:
    """Values by the number of the coalition."""
    return single(lambda coalitions: table[coalitions @ (1 << np.arange(coalitions.shape[1]))])


def edges(spans: Iterable[Span]) -> list[Words]:
    return [frozenset(range(span.start, span.end)) for span in spans]


def assert_equal_to_the_literal(result: LadderResult, literal: Literal, levels: Any, scores: Any) -> None:
    assert [edges(level.spans) for level in result.levels] == levels
    steps = [level.step for level in result.levels]
    assert steps[0] is None
    assert [step.interaction for step in steps[1:] if step] == pytest.approx([float(score) for score in scores])
    for level in result.levels:
        for span in level.spans:
            assert span.contribution == literal.f(frozenset(range(span.start, span.end)))  # Eq. 5
    assert result.base == literal.f(frozenset())


# The equations ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", ["paper", "published-code"])
@pytest.mark.parametrize("window", [0, 1, 2, 3])
@pytest.mark.parametrize("words", range(1, 10))
def test_the_splits_are_those_of_the_equations(words: int, window: int, weights: str) -> None:
    for seed, largest in ((words, 1000), (words + 50, 1)):
        outputs = integer_game(seed, largest)
        literal = Literal(outputs, window, weights)
        levels, scores = literal.divide(words)
        result = divided(margins(outputs), words, window=window, weights=weights)
        assert_equal_to_the_literal(result, literal, levels, scores)


@pytest.mark.parametrize("weights", ["paper", "published-code"])
@pytest.mark.parametrize("window", [0, 2, 3])
@pytest.mark.parametrize("words", range(1, 10))
def test_the_mergers_are_those_of_the_equations(words: int, window: int, weights: str) -> None:
    for seed, largest in ((words, 1000), (words + 50, 1)):
        outputs = integer_game(seed, largest)
        literal = Literal(outputs, window, weights)
        levels, scores = literal.merge(words)
        result = merged(margins(outputs), words, window=window, weights=weights)
        assert_equal_to_the_literal(result, literal, levels, scores)


@pytest.mark.parametrize("words", range(2, 7))
def test_a_window_as_wide_as_the_text_gives_the_full_interaction_of_equation_2(words: int) -> None:
    outputs = integer_game(words, 1000)
    literal = Literal(outputs, window=0)
    result = divided(margins(outputs), words, window=4)
    for before, after in pairwise(result.levels):
        assert after.step is not None
        j1 = frozenset(range(after.step.start, after.step.point))
        j2 = frozenset(range(after.step.point, after.step.end))
        others = [span for span in edges(after.spans) if span not in (j1, j2)]
        p = len(before.spans)
        total = Fraction(0)
        for size in range(len(others) + 1):
            for chosen in combinations(others, size):
                weight = Fraction(factorial(size) * factorial(p - size - 1), factorial(p))
                total += weight * literal.gamma(j1, j2, frozenset().union(*chosen))
        assert after.step.interaction == pytest.approx(float(total))


def test_with_two_classes_the_margin_splits_as_the_probability_does() -> None:
    for seed in range(10):
        probability = np.random.default_rng(seed).random(2**8)

        by_probability = divided(by_table(probability), 8)
        by_margin = divided(by_table(2 * probability - 1), 8)
        for one, other in zip(by_probability.levels, by_margin.levels, strict=True):
            assert edges(one.spans) == edges(other.spans)
            if one.step and other.step:
                assert other.step.interaction == pytest.approx(2 * one.step.interaction)


# Behaviour ----------------------------------------------------------------------------------------------------------


def test_a_linear_model_has_no_interactions_and_comes_apart_from_the_left() -> None:
    weights = np.random.default_rng(1).normal(size=12)
    result = divided(single(lambda coalitions: coalitions @ weights + 0.3), 12)
    assert [level.step.point for level in result.levels if level.step] == list(range(1, 12))
    assert [level.step.interaction for level in result.levels if level.step] == pytest.approx([0] * 11, abs=1e-12)


def test_a_linear_model_is_merged_from_the_left() -> None:
    weights = np.random.default_rng(2).normal(size=12)
    result = merged(single(lambda coalitions: coalitions @ weights + 0.3), 12)
    assert [level.step.point for level in result.levels if level.step] == list(range(1, 12))


@pytest.mark.parametrize("explain", [divided, merged])
def test_a_model_that_always_answers_zero_comes_apart_from_the_left(explain: Callable[..., LadderResult]) -> None:
    result = explain(single(lambda coalitions: np.zeros(len(coalitions))), 5)
    assert [level.step.point for level in result.levels if level.step] == [1, 2, 3, 4]


def test_words_that_need_each_other_are_parted_last_and_merged_first() -> None:
    def together(coalitions: BoolArray) -> FloatArray:
        return (coalitions[:, 4] & coalitions[:, 5]).astype(float)

    parted = divided(single(together), 9).levels[-1].step
    joined = merged(single(together), 9).levels[1].step
    assert parted is not None
    assert joined is not None
    assert (parted.start, parted.point, parted.end) == (joined.start, joined.point, joined.end) == (4, 5, 6)
    assert [parted.interaction, joined.interaction] == pytest.approx([1, 1])


def test_words_that_weaken_each_other_are_parted_first() -> None:
    step = divided(single(lambda c: -(c[:, 4] & c[:, 5]).astype(float)), 9).levels[1].step
    assert step is not None
    assert (step.start, step.point, step.end) == (0, 5, 9)
    assert step.interaction == pytest.approx(-1)


@pytest.mark.parametrize("explain", [divided, merged])
def test_one_word_is_one_level(explain: Callable[..., LadderResult]) -> None:
    result = explain(single(lambda coalitions: coalitions[:, 0] * 0.75 - 0.5), 1)
    (level,) = result.levels
    assert level.spans == [Span(start=0, end=1, contribution=0.25)]
    assert level.step is None
    assert result.top_phrase == level.spans[0]
    assert result.base == -0.5


def test_the_top_phrase_is_the_best_span_of_up_to_five_words() -> None:
    for seed in range(5):
        result = divided(margins(integer_game(seed, 1000)), 9)
        assert result.top_phrase is not None
        short = [span for level in result.levels for span in level.spans if span.end - span.start <= 5]
        assert result.top_phrase.contribution == max(span.contribution for span in short)
        assert result.top_phrase in short


def test_of_equal_phrases_the_leftmost_then_the_shortest_is_the_top() -> None:
    spans = [
        Span(start=a, end=b, contribution=c) for a, b, c in ((0, 6, 9), (2, 3, 1), (1, 4, 1), (1, 2, 1), (0, 1, 0))
    ]
    assert top_phrase(spans, longest=5) == spans[3]
    assert top_phrase(spans, longest=6) == spans[0]
    assert top_phrase(spans[:1], longest=5) is None


# What is asked, and when --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("window", [0, 2, 4])
@pytest.mark.parametrize("words", [1, 2, 3, 8])
def test_exactly_the_coalitions_of_the_equations_are_asked_for_each_once(
    words: int, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("espalier.explain.hedge.AHEAD", 0)
    outputs = integer_game(words, 1000)
    ends: set[Words] = {frozenset(), frozenset(range(words))}
    for plan, procedure in (
        (hedge(shape(words), HedgeParameters(window=window)), Literal.divide),
        (hedge_merge(shape(words), HedgeMergeParameters(window=window)), Literal.merge),
    ):
        literal = Literal(outputs, window)
        procedure(literal, words)
        toy = Toy(margins(outputs))
        toy.run(plan)
        assert toy.asked == toy.distinct == len(ends.union(literal.calls))


def test_at_twenty_words_four_of_five_calls_of_the_published_procedure_are_repeats() -> None:
    outputs = integer_game(0, 1000)
    literal = Literal(outputs, window=2)
    literal.divide(20)
    toy = Toy(margins(outputs))
    toy.run(hedge(shape(20), HedgeParameters()))
    assert toy.asked == toy.distinct >= len(set(literal.calls))
    assert 4 * toy.asked < len(literal.calls)


@pytest.mark.parametrize("window", [1, 2])
def test_looking_ahead_makes_the_same_cuts_in_fewer_asks_of_hardly_more(
    window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of games without order: in a text, what is far away mostly changes less."""
    asks, asked, found = ({True: [], False: []} for _ in range(3))
    for ahead in (True, False):
        if not ahead:
            monkeypatch.setattr("espalier.explain.hedge.AHEAD", 0)
        for seed in range(6):
            steps, _, result = run_recording(
                hedge(shape(18), HedgeParameters(window=window)), margins(integer_game(seed, 1000))
            )
            keys = [row.tobytes() for step in steps for row in step.coalitions]
            assert len(set(keys)) == len(keys)
            asks[ahead].append(len(steps))
            asked[ahead].append(len(keys))
            found[ahead].append(result)
    assert found[True] == found[False]
    assert sum(asks[True]) < sum(asks[False])
    assert sum(asked[False]) < sum(asked[True]) < 1.25 * sum(asked[False])


def test_what_is_asked_ahead_is_little_is_said_and_may_be_left_out() -> None:
    for seed in range(3):
        values = margins(integer_game(seed, 1000))
        steps, _, result = run_recording(hedge(shape(30), HedgeParameters()), values)
        for step in steps:
            assert step.needed is not None
            assert step.needed <= len(step.coalitions) <= max(step.needed, MOST_TOGETHER)
        assert any(step.needed < len(step.coalitions) for step in steps)
        assert run_recording(hedge(shape(30), HedgeParameters()), values, guesses=False)[2] == result


def run_recording(
    plan: Any, values: Callable[[BoolArray], FloatArray], guesses: bool = True
) -> tuple[list[Ask], list[Any], LadderResult]:
    """Without `guesses`, what is asked for ahead is left unanswered."""
    asks: list[Ask] = []
    partials: list[Any] = []
    toy, reply = Toy(values), None
    while True:
        try:
            step = plan.send(reply)
        except StopIteration as finished:
            return asks, partials, finished.value
        if isinstance(step, Ask):
            asks.append(step)
            reply = toy.answer(step.coalitions if guesses else step.coalitions[: step.needed])
        else:
            partials.append(step.result)
            reply = None


@pytest.mark.parametrize(
    "plan", [hedge(shape(8), HedgeParameters()), hedge_merge(shape(8), HedgeMergeParameters())], ids=["down", "up"]
)
def test_every_level_is_a_partial_result_after_one_batch_at_most(plan: Any) -> None:
    asks, partials, result = run_recording(plan, margins(integer_game(3, 1000)))
    assert len(result.levels) == len(partials) == 8
    assert len(asks) <= 8
    for count, partial in enumerate(partials, start=1):
        assert type(partial) is type(result)
        assert partial.levels == result.levels[:count]
    assert partials[-1] == result


def test_while_all_spans_are_too_long_there_is_no_top_phrase() -> None:
    plan = hedge(shape(9), HedgeParameters(longest_phrase=1))
    _, partials, result = run_recording(plan, margins(integer_game(4, 1000)))
    for partial in partials:
        has_word = any(span.end - span.start == 1 for level in partial.levels for span in level.spans)
        assert (partial.top_phrase is not None) == has_word
    assert partials[0].top_phrase is None
    assert result.top_phrase is not None


def test_the_expected_number_is_near_at_first_and_never_below_what_was_asked() -> None:
    for seed in range(5):
        outputs = margins(integer_game(seed, 1000))
        for plan in (hedge(shape(16), HedgeParameters()), hedge_merge(shape(16), HedgeMergeParameters())):
            asks, _, _ = run_recording(plan, outputs)
            total = sum(len(step.coalitions) for step in asks)
            assert asks[0].expected is not None
            assert total / 2 < asks[0].expected < total * 2
            asked = 0
            for step in asks:
                asked += len(step.coalitions)
                assert step.expected is not None
                assert step.expected >= asked


def test_a_result_survives_the_wire() -> None:
    values = margins(integer_game(5, 1000))
    assert HedgeResult.model_validate_json(divided(values, 6).model_dump_json()) == divided(values, 6)
    assert HedgeMergeResult.model_validate_json(merged(values, 6).model_dump_json()) == merged(values, 6)


@pytest.mark.parametrize(
    "setting", [{"window": -1}, {"window": 5}, {"weights": "mine"}, {"longest_phrase": 0}, {"m": 2}]
)
def test_impossible_settings_are_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        HedgeParameters(**setting)


def test_a_wide_window_allows_fewer_players() -> None:
    limits = [most_players(HedgeParameters(window=window)) for window in range(5)]
    assert limits == sorted(limits, reverse=True)
    assert limits[2] == 400 > limits[4]
