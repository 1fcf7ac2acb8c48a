"""The strongest finding of an explanation in one sentence, read off its numbers: the headline of every picture."""

from collections.abc import Callable
from typing import Any

from espalier.explain.archipelago import ArchipelagoResult
from espalier.explain.explanation import Explanation
from espalier.explain.graph.asiv import AsivResult
from espalier.explain.graph.published import PublishedResult
from espalier.explain.ladder import LadderResult
from espalier.explain.ls_tree import LSTreeResult
from espalier.explain.mahe.method import MaheResult
from espalier.findings import graph, interactions, ladder, reading, tree

OWN: dict[type, Callable[[Explanation[Any]], str]] = {
    LSTreeResult: tree.sentence,
    LadderResult: ladder.sentence,
    MaheResult: interactions.levels_sentence,
    ArchipelagoResult: interactions.pairs_sentence,
    AsivResult: graph.arrows_sentence,
    PublishedResult: graph.published_sentence,
}
"""Methods that have more to say than their reading holds."""


def finding(explanation: Explanation[Any]) -> str | None:
    """One sentence with the class and the numbers it rests on; None for a result that says nothing."""
    own = next((said for kind, said in OWN.items() if isinstance(explanation.result, kind)), None)
    return reading.sentence(explanation) if own is None else own(explanation)
