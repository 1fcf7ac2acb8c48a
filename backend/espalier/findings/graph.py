"""What a graph says: its nodes, the arrows that tell most, a matrix of all of them, and its finding (ASIV)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from espalier.explain.explanation import Explanation
from espalier.explain.graph.asiv import AsivResult
from espalier.explain.graph.published import PublishedResult
from espalier.findings.wording import (
    CLEAR,
    KINDS,
    ROUNDING,
    Numbers,
    names,
    phrase,
    printable,
    quoted,
    shortened,
)

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
            arrows=published_arrows(explanation)[:MOST_ARROWS],
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
        arrows=telling_arrows(explanation)[:MOST_ARROWS],
        headings={"absent": "without", "present": "with", "synergy": "synergy, both ways"},
        strong="present",
        pale="absent",
        matrix=result.present,
        reads="what each adds (columns) once another is there (rows)",
        pagerank=result.pagerank,
    )


def telling_arrows(explanation: Explanation[AsivResult]) -> list[Arrow]:
    """One arrow for each pair that has a synergy: a pair that was asked for before all others, then those that are
    clear of their errors, then the rest; of each the largest first.

    Of a pair's two arrows the one that tells more: whose sign the other word turns, or else which is larger without it.
    """
    result = explanation.result
    asked = set(result.pair or ())
    rounding = ROUNDING * max(abs(value) for row in result.present for value in row)
    pairs = [
        (j, i)
        for j in range(len(result.nodes))
        for i in range(j)
        if {j, i} == asked or abs(result.synergy[j][i]) > rounding
    ]
    starts, errors = [start for start, _ in result.nodes], _errors(explanation)

    def order(pair: tuple[int, int]) -> tuple[bool, bool, float]:
        synergy = abs(result.synergy[pair[0]][pair[1]])
        error = errors[starts[pair[1]], starts[pair[0]]]
        return set(pair) != asked, synergy <= CLEAR * error, -synergy

    pairs.sort(key=order)
    return [max((_arrow(result, i, j), _arrow(result, j, i)), key=_tells) for j, i in pairs]


def _errors(explanation: Explanation[Any]) -> dict[tuple[int, int], float]:
    """Of the pairs by their players, with what the draws add; zero where there are none."""
    return {(pair.first, pair.second): pair.whole_error or 0.0 for pair in explanation.read().pairs}


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


def published_arrows(explanation: Explanation[PublishedResult]) -> list[Arrow]:
    """All arrows of the published code: those that are clear of their errors first, of each the largest first."""
    result, errors = explanation.result, _errors(explanation)
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

    def order(arrow: Arrow) -> tuple[bool, float]:
        strength = abs(arrow.numbers["arrow"])
        return strength <= CLEAR * errors[arrow.given, arrow.adds], -strength

    return sorted(arrows, key=order)


def arrows_sentence(explanation: Explanation[Any]) -> str:
    """The pair whose one word changes most what the other adds."""
    target, kind = printable(explanation.target_class), KINDS[explanation.player_kind]
    called, errors = graph_of(explanation).nodes, _errors(explanation)
    starts = [start for start, _ in explanation.result.nodes]
    for arrow in telling_arrows(explanation):
        first, second = sorted((arrow.given, arrow.adds))
        if abs(arrow.numbers["synergy"]) > CLEAR * errors[starts[first], starts[second]]:
            numbers = Numbers.like((arrow.numbers["absent"], arrow.numbers["present"]))
            absent, present = (
                f"{numbers.signed(arrow.numbers[name])}{numbers.error(arrow.errors[name])}"
                for name in ("absent", "present")
            )
            given, adds = quoted(called[arrow.given]), quoted(called[arrow.adds])
            return f"{adds} adds {absent} for {target} without {given}, and {present} once it is there."
    return f"No {kind} clearly changes what another one adds for {target}."


def published_sentence(explanation: Explanation[Any]) -> str:
    """The strongest arrow of the published code, and its two parts."""
    target, called = printable(explanation.target_class), names(explanation)
    arrow = published_arrows(explanation)[0]
    numbers = Numbers.like(arrow.numbers.values())
    whole, together, moved = (numbers.signed(arrow.numbers[name]) for name in ("arrow", "interaction", "displacement"))
    given, adds = quoted(called[arrow.given]), quoted(called[arrow.adds])
    return (
        f"The published code's strongest arrow is {given} → {adds}, {whole}{numbers.error(arrow.errors['arrow'])} "
        f"for {target}: {together} is their interaction, {moved} what {adds} loses in the place of {given}."
    )
