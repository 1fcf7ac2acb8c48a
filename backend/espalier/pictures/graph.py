"""What a picture of a graph shows: nodes, the arrows that tell most, and a matrix of all of them (ASIV)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from espalier.explain.explanation import Explanation
from espalier.explain.graph.asiv import AsivResult
from espalier.explain.graph.published import PublishedResult
from espalier.pictures.wording import ROUNDING, names, phrase, shortened

MOST_ARROWS = 10
MOST_RANKS = 5
LONGEST_NAME = 24

Matrix = Sequence[Sequence[float]]


class Arrow(NamedTuple):
    """From the node that is given to the node that adds, with its numbers by name and their standard errors."""

    given: int
    adds: int
    numbers: Mapping[str, float]
    errors: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Graph:
    """`strong` and `pale` name the numbers that arrows are drawn by; `headings` put the numbers' names in words."""

    nodes: Sequence[str]
    values: Sequence[float]
    arrows: Sequence[Arrow]
    headings: Mapping[str, str]
    strong: str
    pale: str | None
    matrix: Matrix
    reads: str
    pagerank: Sequence[float]

    def ranks(self) -> str:
        """The nodes that the arrows lead to."""
        order = sorted(range(len(self.nodes)), key=lambda node: -self.pagerank[node])[:MOST_RANKS]
        ranked = ", ".join(f"{shortened(self.nodes[node], LONGEST_NAME)} {self.pagerank[node]:.2f}" for node in order)
        return f"PageRank, negative arrows left out: {ranked}"


def graph_of(explanation: Explanation[Any]) -> Graph:
    """The graph of an ASIV result, of this project's own kind or as the paper's code makes it."""
    result: AsivResult | PublishedResult = explanation.result
    if isinstance(result, PublishedResult):
        return Graph(
            nodes=names(explanation),
            values=[0.0] * len(explanation.players),
            arrows=published_arrows(result)[:MOST_ARROWS],
            headings={"arrow": "arrow", "interaction": "interaction", "displacement": "lost by moving"},
            strong="arrow",
            pale=None,
            matrix=result.arrows,
            reads="arrows from rows to columns",
            pagerank=result.pagerank,
        )
    return Graph(
        nodes=[phrase(explanation, start, end) for start, end in result.nodes],
        values=result.values,
        arrows=telling_arrows(result)[:MOST_ARROWS],
        headings={"absent": "without", "present": "with", "synergy": "synergy, both ways"},
        strong="present",
        pale="absent",
        matrix=result.present,
        reads="what each adds (columns) once another is there (rows)",
        pagerank=result.pagerank,
    )


def telling_arrows(result: AsivResult) -> list[Arrow]:
    """One arrow for each pair that has a synergy, the largest first; a pair that was asked for before all others.

    Of a pair's two arrows the one that tells more: whose sign the other word turns, or else which is larger without it.
    """
    asked = set(result.pair or ())
    rounding = ROUNDING * max(abs(value) for row in result.present for value in row)
    pairs = [
        (j, i)
        for j in range(len(result.nodes))
        for i in range(j)
        if {j, i} == asked or abs(result.synergy[j][i]) > rounding
    ]
    pairs.sort(key=lambda pair: (set(pair) != asked, -abs(result.synergy[pair[0]][pair[1]])))
    return [max((_arrow(result, i, j), _arrow(result, j, i)), key=_tells) for j, i in pairs]


def _arrow(result: AsivResult, given: int, adds: int) -> Arrow:
    errors = result.standard_errors
    read = ("absent", "present", "synergy")
    return Arrow(
        given,
        adds,
        {name: getattr(result, name)[given][adds] for name in read},
        {name: None if errors is None else getattr(errors, name)[given][adds] for name in read},
    )


def _tells(arrow: Arrow) -> tuple[bool, float]:
    absent, present = arrow.numbers["absent"], arrow.numbers["present"]
    return absent * present < 0, abs(absent)


def published_arrows(result: PublishedResult) -> list[Arrow]:
    """All arrows of the published code, the largest first."""
    size = len(result.arrows)
    arrows = [
        Arrow(
            given,
            adds,
            {
                "arrow": result.arrows[given][adds],
                "interaction": result.interaction[given][adds],
                "displacement": result.displacement[given][adds],
            },
            {"arrow": result.standard_errors[given][adds], "interaction": None, "displacement": None},
        )
        for given in range(size)
        for adds in range(size)
        if given != adds
    ]
    return sorted(arrows, key=lambda arrow: -abs(arrow.numbers["arrow"]))
