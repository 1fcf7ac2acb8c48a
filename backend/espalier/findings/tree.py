"""The finding of a parse tree: which word turns which phrase, or which phrase is more than its words (LS-Tree)."""

from typing import Any

from espalier.explain.explanation import Explanation
from espalier.explain.ls_tree import LSTreeNode, LSTreeResult
from espalier.findings.wording import ROUNDING, Numbers, group, phrase, printable, quoted

NOTABLE = 0.1
"""Share of the largest value that a phrase must have before it is said to be turned around."""


def sentence(explanation: Explanation[Any]) -> str:
    result: LSTreeResult = explanation.result
    target = printable(explanation.target_class)
    numbers = Numbers.like(node.value for node in result.nodes)
    if len(result.nodes) == 1:
        only = quoted(phrase(explanation, 0, 1))
        return f"{only} stands alone: {numbers.signed(result.word_values[0])} for {target}."
    phrases = [node for node in result.nodes if node.children and node.signed is not None]
    strongest = max(phrases, key=lambda node: abs(node.signed or 0.0), default=None)
    largest = max(abs(node.value) for node in result.nodes)
    if strongest is None or strongest.signed is None or abs(strongest.signed) <= ROUNDING * largest:
        return f"No phrase says more or less for {target} than its words added up."
    if (turned := _turned(result, strongest, NOTABLE * largest)) is not None:
        others = [*range(strongest.start, turned.start), *range(turned.end, strongest.end)]
        change = f"from {numbers.signed(turned.value)} to {numbers.signed(strongest.value)}"
        inner = quoted(phrase(explanation, turned.start, turned.end))
        return f"{quoted(group(explanation, others))} turns {inner} {change} for {target}."
    whole = quoted(phrase(explanation, strongest.start, strongest.end))
    amount = Numbers.like([strongest.signed]).plain(abs(strongest.signed))
    if strongest.signed > 0:
        return f"{whole} adds {amount} for {target} to the sum of its words."
    return f"{whole} takes {amount} for {target} off the sum of its words."


def _turned(result: LSTreeResult, node: LSTreeNode, notable: float) -> LSTreeNode | None:
    """The heaviest part of a phrase, if the phrase has the other sign although its parts added up have not."""
    parts = [result.nodes[child] for child in node.children]
    heaviest = max(parts, key=lambda part: abs(part.value))
    added_up = sum(part.value for part in parts)
    turned = node.value * heaviest.value < 0 and added_up * heaviest.value > 0
    return heaviest if turned and min(abs(node.value), abs(heaviest.value)) >= notable else None
