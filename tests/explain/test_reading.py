"""The one reading of every result: spans in their places, the ranking of words, and the facts all methods share."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from espalier.explain.acd import AcdResult
from espalier.explain.archipelago import ArchipelagoResult, Island, Pair
from espalier.explain.graph.asiv import AsivParameters, asiv
from espalier.explain.ladder import Level, Span
from espalier.explain.leave_one_out import LeaveOneOutResult
from espalier.explain.plan import GameShape
from espalier.explain.reading import Scored, nested, read, words_of
from espalier.explain.registry import methods
from espalier.explain.toy import Toy
from espalier.trees.tree import from_spans

SIZE = 4
WORDS = tuple("abcd")
TREE = from_spans(SIZE, {(0, 2): ("A",), (2, 4): ("B",), (0, 4): ("S",)})
MOVING_WORDS = {"asiv-published"}
"""A toy game has no places to move words to."""
BY_OUTPUTS = sorted(name for name, method in methods().items() if not method.inspects and name not in MOVING_WORDS)
METHODS_WITHOUT_BASE = {"mahe"}


def crooked(rows):
    """A game in which words, pairs and the order of players all matter."""
    return rows @ np.array([0.4, -0.3, 0.2, 0.1]) - 0.5 * rows[:, 1] * rows[:, 3]


def found(name, game=crooked, **settings):
    method = methods()[name]
    return Toy(game).run(method.start(GameShape(WORDS, ("class",), 0, TREE), method.parameters(**settings)))


@pytest.mark.parametrize("name", BY_OUTPUTS)
def test_every_method_ranks_every_player_and_divides_the_text(name):
    reading = found(name).reading()
    assert sorted(reading.ranking) == list(range(SIZE))
    assert sorted(player for group in reading.groups for player in group.players) == list(range(SIZE))
    assert reading.top is not None
    json.dumps(reading.model_dump(mode="json"), allow_nan=False)


@pytest.mark.parametrize("name", BY_OUTPUTS)
def test_the_ends_are_the_game_s_values_of_nothing_and_of_everything(name):
    reading = found(name).reading()
    nothing, everything = crooked(np.array([[0.0] * SIZE, [1.0] * SIZE]))
    assert reading.full == pytest.approx(everything)
    if name not in METHODS_WITHOUT_BASE:
        assert reading.base == pytest.approx(nothing)


@pytest.mark.parametrize("name", BY_OUTPUTS)
def test_only_numbers_that_are_not_exact_have_errors(name):
    reading = found(name).reading()
    assert reading.has_errors == (not reading.exact)


def test_words_are_ranked_by_what_they_say_for_the_class():
    reading = LeaveOneOutResult(exact=True, values=(0.1, -3.0, 0.4, 0.1), base=0, full=1).reading()
    assert reading.ranking == (2, 0, 3, 1)


def test_a_hierarchy_ranks_words_by_its_bottom_level():
    reading = found("hedge").reading()
    # HEDGE on the game's own scale: what each word says alone.
    assert reading.ranking == (0, 2, 3, 1)
    assert [span.score for span in reading.words] == pytest.approx([0.4, -0.3, 0.2, 0.1])


def test_a_tree_keeps_its_shape():
    reading = found("ls-tree").reading()
    places = [(span.start, span.end, span.level, span.parent) for span in reading.spans]
    assert places == [
        (0, 4, 2, None),
        (0, 2, 1, 0),
        (0, 1, 0, 1),
        (1, 2, 0, 1),
        (2, 4, 1, 0),
        (2, 3, 0, 4),
        (3, 4, 0, 4),
    ]


def test_a_graph_ranks_words_by_pagerank_also_where_some_play_as_one():
    shape = GameShape(WORDS, ("class",), 0, None)
    result = Toy(crooked).run(asiv(shape, AsivParameters(groups=((0, 2), (3, 4)))))
    ranks = [rank for (start, end), rank in zip(result.nodes, result.pagerank, strict=True) for _ in range(start, end)]
    reading = result.reading()
    assert list(reading.ranking) == sorted(range(SIZE), key=lambda player: (-ranks[player], player))
    assert [(pair.first, pair.second) for pair in reading.pairs] == [(0, 2), (0, 3), (2, 3)]


def test_the_synergy_of_a_pair_is_that_of_the_game():
    reading = found("asiv").reading()
    # The only interaction of the game is that of the second and the fourth word.
    scores = {(pair.first, pair.second): pair.score for pair in reading.pairs}
    assert scores.pop((1, 3)) < -0.1
    assert all(abs(score) < 1e-9 for score in scores.values())


def test_an_island_of_words_apart_is_a_group_but_no_span():
    pair = Pair(players=(0, 2), strength=1, in_full_text=0.8, alone=0.6)
    islands = (Island(players=(0, 2), contribution=1.5), Island(players=(1,), contribution=-0.5))
    reading = ArchipelagoResult(exact=True, pairs=(pair,), islands=islands, base=0, full=1).reading()
    assert [(span.start, span.end) for span in reading.spans] == [(1, 2)]
    assert [group.players for group in reading.groups] == [(0, 2), (1,)]
    assert reading.ranking == (0, 2, 1)


def test_the_parts_of_a_score_and_its_bias_are_the_whole():
    levels = [
        Level(spans=[Span(start=0, end=1, contribution=0.5), Span(start=1, end=2, contribution=0.1)], step=None),
        Level(spans=[Span(start=0, end=2, contribution=0.9)], step=None),
    ]
    reading = AcdResult(exact=True, levels=levels, base=0.25, top_phrase=None).reading()
    assert reading.full == 1.15


def test_of_equal_scores_the_leftmost_and_then_the_shortest_is_on_top():
    spans = [Scored(1, 2, 1.0), Scored(0, 2, 1.0), Scored(0, 1, 1.0)]
    assert read(spans, exact=True).top.players == (0,)


def test_where_no_phrase_is_short_the_top_is_found_among_the_long_ones():
    spans = [Scored(0, 7, 0.2), Scored(7, 14, 0.3)]
    assert read(spans, exact=True).top.players == tuple(range(7, 14))


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=8), st.randoms())
def test_a_span_s_parent_is_the_smallest_one_around_it(scores, random):
    # A random hierarchy: the text is divided again and again.
    size = len(scores)
    waiting, spans = [(0, size)], words_of(scores)
    while waiting:
        start, end = waiting.pop()
        spans.append(Scored(start, end, 0.0))
        if end - start > 1:
            point = random.randrange(start + 1, end)
            waiting += [(start, point), (point, end)]
    random.shuffle(spans)
    placed = nested(spans)
    for span in placed:
        around = [other for other in placed if other != span and other.start <= span.start and span.end <= other.end]
        smallest = min(around, key=lambda other: other.end - other.start, default=None)
        assert (None if span.parent is None else placed[span.parent]) == smallest
        assert span.level == max((below.level + 1 for below in placed if below.parent == placed.index(span)), default=0)
