"""The arrows of the ASIV paper's figures, as its published code makes them.

The code departs from Eq. 7 in two ways. It takes all orders of arrival, not those with j before i, and puts j in
anyway: that is the Shapley interaction index. And in the term without j it does not leave word i where it is but
writes it in j's place. So for a random set K of the words before i (j left out)

    arrow(j -> i) = v(K + i + j) - v(K + j) - v(K + i in j's place) + v(K)
                  = second difference of i and j  +  v(K + i) - v(K + i in j's place)

The second difference is symmetric: all that points from one word to the other is what word i loses by moving. Here the
two parts are kept beside the arrow.
"""

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from espalier.explain.coalitions.settle import stages
from espalier.explain.graph.asiv import Matrix
from espalier.explain.graph.pagerank import pagerank
from espalier.explain.plan import BoolArray, FloatArray, GameShape, Partial, Plan, arrange, ask
from espalier.explain.reading import PairScore, Reading, read, words_of
from espalier.explain.registry import BUYS_PRECISION, Method, MethodResult, Parameters, register

IntArray = NDArray[np.int64]


class PublishedParameters(Parameters):
    """Settings of the published arrows."""

    orders: Annotated[
        int,
        Field(
            ge=2,
            le=2000,
            description="Random orders of arrival, shared by all pairs (the paper: 500 for each pair).",
            json_schema_extra=BUYS_PRECISION,
        ),
    ] = 50
    seed: Annotated[int, Field(ge=0, description="Fixes the orders.")] = 0


class PublishedResult(MethodResult):
    """Row j and column i belong to the arrow j -> i."""

    method: Literal["asiv-published"] = "asiv-published"
    arrows: Matrix = Field(description="What the published code gives: interaction plus displacement.")
    interaction: Matrix = Field(description="Its symmetric part, an estimate of the Shapley interaction index.")
    displacement: Matrix = Field(description="What word i loses when it stands in the place of word j instead.")
    standard_errors: Matrix = Field(description="Of the arrows.")
    pagerank: list[float] = Field(description="PageRank over the positive arrows.")
    orders: int

    def reading(self) -> Reading:
        """Words score and rank by PageRank; a pair for each arrow, from its first player to its second."""
        return read(
            words_of(self.pagerank),
            exact=self.exact,
            pairs=[
                PairScore(first=given, second=adds, score=arrow, error=self.standard_errors[given][adds])
                for given, row in enumerate(self.arrows)
                for adds, arrow in enumerate(row)
                if given != adds
            ],
        )


def published(game: GameShape, parameters: PublishedParameters) -> Plan[PublishedResult]:
    """Second differences and displacements of all ordered pairs along the same random orders."""
    size = game.size
    generator = np.random.default_rng([parameters.seed, size])
    ranks = generator.random((parameters.orders, size))
    given, adds = (places.ravel() for places in np.nonzero(~np.eye(size, dtype=bool)))
    interaction = np.empty((0, len(given)))
    displacement = np.empty((0, len(given)))
    # One order gives no standard error, and two of all pairs are already many texts.
    for stage in stages(parameters.orders, first=2):
        block = ranks[len(interaction) : stage]
        before = contexts(block, given, adds)
        words, places = np.tile(adds, len(block)), np.tile(given, len(block))
        neither, only_word = before, with_player(before, words)
        only_given, both = with_player(before, places), with_player(only_word, places)
        asked = yield from ask(np.concatenate([neither, only_word, only_given, both]))
        at = asked[:, game.target].reshape(4, len(block), len(given))
        answer = yield from arrange(before, words, places)
        moved = answer[:, game.target].reshape(len(block), len(given))
        interaction = np.concatenate([interaction, at[3] - at[2] - at[1] + at[0]])
        displacement = np.concatenate([displacement, at[1] - moved])
        result = summary(interaction, displacement, given, adds, size)
        if stage < parameters.orders:
            yield Partial(result)
    return result


def evaluations(size: int, parameters: PublishedParameters) -> int:
    """Five texts for each order and each ordered pair; which of them are the same shows only when they are drawn."""
    return 5 * parameters.orders * size * (size - 1)


def contexts(ranks: FloatArray, given: IntArray, adds: IntArray) -> BoolArray:
    """Who comes before i, without j, for each order and each pair: bool[orders * pairs, n]."""
    size = ranks.shape[1]
    earlier = ranks[:, None, :] < ranks[:, adds, None]
    earlier[:, np.arange(len(given)), given] = False
    return earlier.reshape(-1, size)


def with_player(coalitions: BoolArray, players: IntArray) -> BoolArray:
    """Each coalition with one player more."""
    larger = coalitions.copy()
    larger[np.arange(len(larger)), players] = True
    return larger


def summary(
    interaction: FloatArray, displacement: FloatArray, given: IntArray, adds: IntArray, size: int
) -> PublishedResult:
    """Means over the orders, as matrices."""

    def matrix(entries: FloatArray) -> FloatArray:
        found = np.zeros((size, size))
        found[given, adds] = entries
        return found

    arrows = interaction + displacement
    mean = matrix(arrows.mean(axis=0))
    return PublishedResult(
        exact=False,
        arrows=mean.tolist(),
        interaction=matrix(interaction.mean(axis=0)).tolist(),
        displacement=matrix(displacement.mean(axis=0)).tolist(),
        standard_errors=matrix(arrows.std(axis=0, ddof=1) / np.sqrt(len(arrows))).tolist(),
        pagerank=pagerank(mean).tolist(),
        orders=len(arrows),
    )


register(
    Method(
        name="asiv-published",
        title="ASIV, as published",
        shows="The arrows of the ASIV paper's code, split into interaction and what a word loses by moving",
        parameters=PublishedParameters,
        result=PublishedResult,
        plan=published,
        expects=evaluations,
        view="graph",
        minimum_players=2,
        maximum_players=40,
    )
)
