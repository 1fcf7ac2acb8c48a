"""L-Shapley and C-Shapley: Shapley values that only look at a word's neighbours (Chen et al., 2019).

Words far apart are taken not to interact, so only coalitions of neighbours are compared, with everything outside the
neighbourhood absent. L-Shapley takes all subsets of the neighbourhood, C-Shapley only the unbroken ones.

C-Shapley's weight 2/(l (l+1) (l+2)) of a phrase of l words is the chance that, in a random order, the word comes last
of the phrase and the two words beside it come later still: the Myerson value of a chain. A phrase at the edge of the
text has one such word, or none, and its chance would be 1/(l (l+1)), or 1/l. Definition 2 of the paper has the first
weight for every phrase, and so has this: a word near the edges is weighed by less than 1 in all, and the values need
not sum to what the text adds.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from espalier.explain.plan import Ask, BoolArray, FloatArray, GameShape, Plan, ask
from espalier.explain.registry import Method, Parameters, register
from espalier.explain.word_scores import WordScores


class LShapleyParameters(Parameters):
    """Settings of L-Shapley."""

    radius: Annotated[
        int,
        Field(ge=1, le=5, description="Neighbours on each side; up to 2^(2 radius) evaluations for each word."),
    ] = 2


class CShapleyParameters(Parameters):
    """Settings of C-Shapley."""

    radius: Annotated[
        int,
        Field(ge=1, le=30, description="Neighbours on each side; about radius² evaluations for each word."),
    ] = 4


class LShapleyResult(WordScores):
    """The Shapley value of each word in the game of its neighbours."""

    method: Literal["l-shapley"] = "l-shapley"
    radius: int


class CShapleyResult(WordScores):
    """What each word adds to the unbroken phrases around it. A word's weights, those of Definition 2, only reach 1 for
    a wide radius far from the edges of the text, so the values need not sum to full - base."""

    method: Literal["c-shapley"] = "c-shapley"
    radius: int


MOST_COALITIONS = 100_000
"""What a radius may cost in all: a larger one is for shorter texts."""


def most_players_for_subsets(parameters: LShapleyParameters) -> int:
    return int(min(400, MOST_COALITIONS // 4**parameters.radius))


def most_players_for_phrases(parameters: CShapleyParameters) -> int:
    return int(min(400, MOST_COALITIONS // (parameters.radius + 1) ** 2))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A word, a coalition it is in, and the weight of what the word adds there."""

    word: int
    coalition: frozenset[int]
    weight: float


def subset_comparisons(size: int, radius: int) -> Iterator[Comparison]:
    """All subsets T of the neighbourhood that hold the word, with weight 1/((k+1) C(k, |T|-1)) for k neighbours."""
    for word in range(size):
        neighbours = [other for other in neighbourhood(word, size, radius) if other != word]
        for others in range(len(neighbours) + 1):
            weight = 1 / ((len(neighbours) + 1) * comb(len(neighbours), others))
            for chosen in combinations(neighbours, others):
                yield Comparison(word, frozenset((word, *chosen)), weight)


def phrase_comparisons(size: int, radius: int) -> Iterator[Comparison]:
    """All unbroken phrases of l words in the neighbourhood that hold the word, with weight 2/(l (l+1) (l+2))."""
    for word in range(size):
        around = neighbourhood(word, size, radius)
        for start in range(around.start, word + 1):
            for end in range(word + 1, around.stop + 1):
                length = end - start
                weight = 2 / (length * (length + 1) * (length + 2))
                yield Comparison(word, frozenset(range(start, end)), weight)


def neighbourhood(word: int, size: int, radius: int) -> range:
    """The word and up to `radius` words on each side of it."""
    return range(max(0, word - radius), min(size, word + radius + 1))


def l_shapley(game: GameShape, parameters: LShapleyParameters) -> Plan[LShapleyResult]:
    """Definition 1: the exact Shapley value of each word among its neighbours, all others absent."""
    values, base, full = yield from _compare(game, list(subset_comparisons(game.size, parameters.radius)))
    return LShapleyResult(exact=True, values=tuple(values.tolist()), base=base, full=full, radius=parameters.radius)


def c_shapley(game: GameShape, parameters: CShapleyParameters) -> Plan[CShapleyResult]:
    """Definition 2: what each word adds to the unbroken phrases around it, long phrases counting less."""
    values, base, full = yield from _compare(game, list(phrase_comparisons(game.size, parameters.radius)))
    return CShapleyResult(exact=True, values=tuple(values.tolist()), base=base, full=full, radius=parameters.radius)


def _compare(
    game: GameShape, comparisons: list[Comparison]
) -> Generator[Ask, FloatArray, tuple[FloatArray, float, float]]:
    """Ask for every coalition once, with and without its word, and add up the weighted differences."""
    nobody, everybody = frozenset[int](), frozenset(range(game.size))
    rows: dict[frozenset[int], int] = {nobody: 0}
    rows.setdefault(everybody, len(rows))
    for comparison in comparisons:
        rows.setdefault(comparison.coalition, len(rows))
        rows.setdefault(comparison.coalition - {comparison.word}, len(rows))
    coalitions: BoolArray = np.zeros((len(rows), game.size), dtype=bool)
    for words, row in rows.items():
        coalitions[row, list(words)] = True
    answers = (yield from ask(coalitions, expected=len(coalitions)))[:, game.target]
    values = np.zeros(game.size)
    for comparison in comparisons:
        without = comparison.coalition - {comparison.word}
        values[comparison.word] += comparison.weight * (answers[rows[comparison.coalition]] - answers[rows[without]])
    return values, float(answers[rows[nobody]]), float(answers[rows[everybody]])


register(
    Method(
        name="l-shapley",
        title="L-Shapley",
        shows="What each word adds to any of its neighbours, everything farther away being absent",
        parameters=LShapleyParameters,
        result=LShapleyResult,
        plan=l_shapley,
        view="tokens",
        maximum_players=most_players_for_subsets,
    )
)

register(
    Method(
        name="c-shapley",
        title="C-Shapley",
        shows="What each word adds to the unbroken phrases around it, everything else being absent",
        parameters=CShapleyParameters,
        result=CShapleyResult,
        plan=c_shapley,
        view="tokens",
        maximum_players=most_players_for_phrases,
    )
)
