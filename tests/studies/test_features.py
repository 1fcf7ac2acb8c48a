"""What is shown of an explanation, for every family of results."""

import pytest

from espalier.explain.archipelago import ArchipelagoResult, Island
from espalier.explain.contextual_decomposition import ContextualDecompositionResult, PhraseScore
from espalier.explain.hedge import HedgeResult
from espalier.explain.ladder import Level, Span
from espalier.explain.leave_one_out import LeaveOneOutResult
from espalier.explain.ls_tree import LSTreeNode, LSTreeResult
from espalier.explain.mahe.method import MaheLevel, MaheResult, MaheTerm
from espalier.explain.reading import GroupScore
from espalier.studies.features import phrase


def parts(groups: tuple[GroupScore, ...]) -> dict[tuple[int, ...], float]:
    return {group.players: group.score for group in groups}


def mahe(*levels: MaheLevel) -> MaheResult:
    plain = MaheLevel(added=(), bias=0, corrections=(0, 0, 0), terms=(), r2_train=1, r2_held_out=1, r2_standard_error=0)
    return MaheResult(
        exact=False,
        intercept=0,
        coefficients=(0.5, -0.2, 0.1),
        standard_errors=(0, 0, 0),
        levels=(plain, *levels),
        ranking=(),
        full=1,
        samples=10,
        distinct=8,
        held_out=0,
    )


def test_of_word_scores_the_highest_word_is_shown() -> None:
    result = LeaveOneOutResult(exact=True, values=(0.1, -3.0, 0.4), base=0, full=1)
    assert result.reading().top.players == (2,)
    assert parts(result.reading().groups) == {(0,): 0.1, (1,): -3.0, (2,): 0.4}


def test_phrases_of_more_than_five_words_are_not_shown() -> None:
    spans = [Span(start=0, end=6, contribution=9.0), Span(start=6, end=7, contribution=0.1)]
    inner = [Span(start=0, end=5, contribution=3.0), Span(start=5, end=6, contribution=0.2), spans[1]]
    result = HedgeResult(
        exact=True, levels=[Level(spans=spans, step=None), Level(spans=inner, step=None)], base=0, top_phrase=None
    )
    assert result.reading().top.players == (0, 1, 2, 3, 4)


def test_a_ladder_shows_its_top_phrase_in_one_piece_among_the_words() -> None:
    words = [Span(start=k, end=k + 1, contribution=0.1 * k) for k in range(3)]
    pair = [Span(start=0, end=2, contribution=2.0), words[2]]
    levels = [Level(spans=pair, step=None), Level(spans=words, step=None)]
    result = HedgeResult(exact=True, levels=levels, base=0, top_phrase=None)
    assert parts(result.reading().groups) == {(0, 1): 2.0, (2,): 0.2}


def test_mahe_merges_its_first_interaction_with_the_attributions_of_its_words() -> None:
    term = MaheTerm(players=(0, 2), contribution=-1.0, standard_error=0, cells=(0, 0, 0, -1.0))
    level = MaheLevel(
        added=(0, 2),
        bias=0,
        corrections=(0.1, 0.0, 0.2),
        terms=(term,),
        r2_train=1,
        r2_held_out=1,
        r2_standard_error=0,
    )
    assert parts(mahe(level).reading().groups) == pytest.approx({(0, 2): -1.0 + 0.6 + 0.3, (1,): -0.2})


def test_mahe_without_an_interaction_shows_words() -> None:
    assert parts(mahe().reading().groups) == {(0,): 0.5, (1,): -0.2, (2,): 0.1}


def test_ls_tree_joins_the_phrase_that_bends_the_sum_of_its_words_most() -> None:
    def node(start: int, end: int, children: list[int], value: float, signed: float) -> LSTreeNode:
        return LSTreeNode(
            start=start,
            end=end,
            labels=[],
            children=children,
            depth=1,
            value=value,
            signed=signed,
            absolute=abs(signed),
        )

    nodes = [
        node(0, 3, [1, 2], 1.0, 0.1),
        node(0, 1, [], 0.2, 0.2),
        node(1, 3, [3, 4], -0.7, -0.9),
        node(1, 2, [], 0.1, 0.1),
        node(2, 3, [], 0.3, 0.3),
    ]
    result = LSTreeResult(exact=True, nodes=nodes, word_values=[0.2, 0.1, 0.3], base=0, full=1)
    assert parts(result.reading().groups) == {(0,): 0.2, (1, 2): -0.7}
    assert result.reading().top.players == (0, 1, 2)


def test_archipelago_shows_its_islands() -> None:
    islands = (Island(players=(2, 0), contribution=1.5), Island(players=(1,), contribution=-0.5))
    result = ArchipelagoResult(exact=True, pairs=(), islands=islands, base=0, full=1)
    assert parts(result.reading().groups) == {(0, 2): 1.5, (1,): -0.5}


def test_contextual_decomposition_scores_words_and_phrases() -> None:
    result = ContextualDecompositionResult(
        exact=True,
        values=(0.1, 0.2, 0.0),
        base=0,
        full=1,
        phrases=(PhraseScore(start=0, end=2, labels=("NP",), relevance=0.9),),
    )
    assert result.reading().top.players == (0, 1)
    assert parts(result.reading().groups) == {(0, 1): 0.9, (2,): 0.0}


def test_words_left_out_of_a_phrase_are_marked() -> None:
    text, places = "not so very bad", [(0, 3), (4, 6), (7, 11), (12, 15)]
    assert phrase(text, places, (0, 1)) == "not so"
    assert phrase(text, places, (0, 3)) == "not … bad"
