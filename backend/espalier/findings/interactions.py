"""Findings of interactions: how much single words explain (MAHE), and which two do most together (Archipelago)."""

from typing import Any

from espalier.explain.archipelago import ArchipelagoResult
from espalier.explain.explanation import Explanation
from espalier.explain.mahe.method import MaheResult
from espalier.findings.wording import KINDS, ROUNDING, Numbers, group, names, printable, quoted


def levels_sentence(explanation: Explanation[Any]) -> str:
    result: MaheResult = explanation.result
    target, kind = printable(explanation.target_class), KINDS[explanation.player_kind]
    first, last = result.levels[0].r2_held_out, result.levels[-1].r2_held_out
    alone = f"Single {kind}s explain {_share(first)} of how the model answers around this text"
    terms = result.levels[-1].terms
    if not terms:
        return f"{alone}; no interaction adds enough to that."
    strongest = max(terms, key=lambda term: abs(term.contribution))
    numbers = Numbers.like([strongest.contribution])
    amount = f"{numbers.signed(strongest.contribution)}{numbers.error(strongest.standard_error)}"
    count = "one interaction" if len(terms) == 1 else f"{len(terms)} interactions"
    name = quoted(group(explanation, strongest.players))
    which = "that is" if len(terms) == 1 else "the strongest is"
    return f"{alone}, with {count} it is {_share(last)}: {which} {name} ({amount} for {target})."


def _share(r_squared: float) -> str:
    """R² as a share, never rounded up to all of it."""
    if r_squared <= 0:
        return "nothing"
    return "over 99%" if 0.995 <= r_squared < 1 else f"{r_squared:.0%}"


def pairs_sentence(explanation: Explanation[Any]) -> str:
    result: ArchipelagoResult = explanation.result
    target, kind = printable(explanation.target_class), KINDS[explanation.player_kind]
    pair = result.pairs[0]
    largest = max(abs(result.base), abs(result.full), *(abs(island.contribution) for island in result.islands))
    if max(abs(pair.in_full_text), abs(pair.alone)) <= ROUNDING * largest:
        return f"No two {kind}s do anything together for {target} that they do not do apart."
    numbers = Numbers.like((pair.in_full_text, pair.alone))
    first, second = (quoted(names(explanation)[player]) for player in pair.players)
    return (
        f"{first} and {second} interact most: together {numbers.signed(pair.in_full_text)} for {target} "
        f"beyond their sum in the text, {numbers.signed(pair.alone)} by themselves."
    )
