"""ASIV: which word changes what another one adds (Lu, Ma & Zhang, 2023), and the directed graph of all pairs.

Eq. 7 compares what i adds after j with what it adds in the same places without j. The two halves are directed and are
kept apart here: G1(j -> i) with j present, G0(j -> i) without. Their difference, the paper's ASIV, is a second
difference of one set function and so exactly the same in both directions; it is shown as the synergy of the pair. (Eq.
10 is half of Eq. 7, and the arrows of the paper's figures come from its code, see `published`.)

All pairs are estimated from one draw of coalitions instead of one for each ordered pair.
"""

from itertools import combinations
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from espalier.explain.coalitions.draw import Draw
from espalier.explain.coalitions.estimate import Evidence, pair_estimates, player_estimate, weigh, weigh_again
from espalier.explain.coalitions.settle import Settled, settle, spend
from espalier.explain.coalitions.weights import (
    gain_with,
    gain_without,
    shapley_interaction,
    shapley_value,
    synergy,
)
from espalier.explain.graph.groups import Span, merged, spread_out
from espalier.explain.graph.pagerank import pagerank
from espalier.explain.plan import FloatArray, GameShape, Plan
from espalier.explain.reading import PairScore, Reading, Scored, read
from espalier.explain.registry import BUYS_PRECISION, Method, Parameters, register
from espalier.explain.stopping import StopAt, Stoppable, share, until

Matrix = list[list[float]]


class AsivParameters(Parameters):
    """Settings of the graph."""

    budget: Annotated[
        int | None,
        Field(
            ge=4,
            le=2**18,
            description="Distinct coalitions to evaluate. When left out: all of them up to 12 players, 2,000 above.",
            json_schema_extra=BUYS_PRECISION,
        ),
    ] = None
    stop_at: StopAt = None
    groups: Annotated[
        tuple[Span, Span] | None,
        Field(description="Two ranges of players that each play as one, such as [[0, 2], [5, 8]]: phrase with phrase."),
    ] = None
    seed: Annotated[int, Field(ge=0, description="Fixes the coalitions that are drawn.")] = 0


class GraphErrors(BaseModel):
    """Standard errors, each of the number of the same name and place."""

    model_config = ConfigDict(frozen=True)

    present: Matrix
    absent: Matrix
    synergy: Matrix
    interaction: Matrix
    values: list[float]


class AsivResult(Stoppable):
    """All pairs. In every matrix row j and column i belong to the arrow j -> i."""

    method: Literal["asiv"] = "asiv"
    nodes: list[Span] = Field(description="The players of each node, as ranges: one each, but for groups.")
    present: Matrix = Field(
        description="G1, the arrows: what i adds when j is there already. Half of it is the Bivariate Shapley value."
    )
    absent: Matrix = Field(description="G0: what i adds in the same places without j.")
    synergy: Matrix = Field(description="ASIV (Eq. 7), present minus absent. Symmetric: the same both ways.")
    interaction: Matrix = Field(description="The Shapley interaction index. Symmetric.")
    values: list[float] = Field(description="The Shapley value of each node.")
    pagerank: list[float] = Field(
        description="PageRank of each node over the arrows `present`, negative ones left out. Adds up to 1."
    )
    base: float = Field(description="The model's value with all players absent.")
    full: float = Field(description="The model's value of the whole text.")
    coalitions: int = Field(description="Distinct coalitions this rests on.")
    standard_errors: GraphErrors | None = Field(default=None, description="None where the numbers are exact.")
    pair: Span | None = Field(default=None, description="Where groups were asked for: their nodes, in the order given.")

    def accuracy(self) -> float:
        """Of the arrows, which are what is drawn."""
        errors = self.standard_errors
        return 0.0 if errors is None else share(np.array(errors.present), np.array(self.present))

    def reading(self) -> Reading:
        """Nodes score by their Shapley value and rank by PageRank, as in the paper; pairs score by their synergy."""
        errors = self.standard_errors
        value_errors = [None] * len(self.nodes) if errors is None else errors.values
        rows = zip(self.nodes, self.values, value_errors, strict=True)
        return read(
            [Scored(start, end, value, error) for (start, end), value, error in rows],
            exact=self.exact,
            base=self.base,
            full=self.full,
            pairs=[
                PairScore(
                    first=self.nodes[one][0],
                    second=self.nodes[other][0],
                    score=self.synergy[one][other],
                    error=None if errors is None else errors.synergy[one][other],
                )
                for one, other in combinations(range(len(self.nodes)), 2)
            ],
            rank_by={
                player: rank
                for (start, end), rank in zip(self.nodes, self.pagerank, strict=True)
                for player in range(start, end)
            },
        )


def asiv(game: GameShape, parameters: AsivParameters) -> Plan[AsivResult]:
    """Every ordered pair from one draw; a budget too small or groups that overlap are refused before any work."""
    nodes = merged(game.size, parameters.groups)
    budget = spend(len(nodes), parameters.budget)
    pair = None
    if parameters.groups is not None:
        first, second = parameters.groups
        pair = (nodes.index(first), nodes.index(second))

    def summarise(draw: Draw, values: FloatArray, roughly: bool) -> Settled[AsivResult]:
        evidence = weigh(draw, values, roughly=roughly)

        def again(others: FloatArray) -> AsivResult:
            return graph_of(draw, others, weigh_again(evidence, draw, others), nodes, pair, errors=False)

        return Settled(graph_of(draw, values, evidence, nodes, pair, errors=not draw.complete), again)

    plan = settle(
        game,
        len(nodes),
        budget,
        parameters.seed,
        summarise,
        lambda coalitions: spread_out(coalitions, nodes),
        may_stop=parameters.stop_at is not None,
    )
    return until(plan, parameters.stop_at)


def graph_of(
    draw: Draw, values: FloatArray, evidence: Evidence, nodes: tuple[Span, ...], pair: Span | None, errors: bool
) -> AsivResult:
    """The graph that a draw's values give, exact when it holds every coalition. `values` is float[side, pair]."""
    size = draw.size
    arrows = {
        "present": gain_with(size),
        "absent": gain_without(size),
        "synergy": synergy(size),
        "interaction": shapley_interaction(size),
    }
    estimates = dict(zip(arrows, pair_estimates(evidence, list(arrows.values()), errors), strict=True))
    estimates["values"] = player_estimate(evidence, shapley_value(size), errors)
    stated = GraphErrors(**{name: estimate.errors.tolist() for name, estimate in estimates.items()})
    return AsivResult(
        exact=draw.complete,
        nodes=list(nodes),
        pagerank=pagerank(estimates["present"].values).tolist(),
        base=float(values[0, 0]),
        full=float(values[1, 0]),
        coalitions=2 * draw.pairs,
        standard_errors=stated if errors else None,
        pair=pair,
        **{name: estimate.values.tolist() for name, estimate in estimates.items()},
    )


register(
    Method(
        name="asiv",
        title="Directed interactions (ASIV)",
        shows="What each word adds once another one is there, and what it adds without it",
        parameters=AsivParameters,
        result=AsivResult,
        plan=asiv,
        view="graph",
        minimum_players=2,
        maximum_players=100,
    )
)
