"""The strongest finding of an explanation in one sentence, read off its numbers: the headline of every picture."""

from typing import Any

from espalier.explain.archipelago import ArchipelagoResult
from espalier.explain.explanation import Explanation
from espalier.explain.graph.asiv import AsivResult
from espalier.explain.graph.published import PublishedResult
from espalier.explain.ladder import LadderResult
from espalier.explain.ls_tree import LSTreeNode, LSTreeResult
from espalier.explain.mahe.method import MaheResult
from espalier.explain.word_scores import WordScores
from espalier.pictures.bars import adds_up, errors_of
from espalier.pictures.graph import graph_of, published_arrows, telling_arrows
from espalier.pictures.ladder import Speech
from espalier.pictures.wording import KINDS, ROUNDING, Numbers, group, names, phrase, printable, quoted

NOTABLE = 0.1
"""Share of the largest value that a phrase must have before it is said to be turned around."""

CLEAR = 2
"""Standard errors that a number must be away from zero."""


def finding(explanation: Explanation[Any]) -> str | None:
    """One sentence with the class and the numbers it rests on; None for a method whose results it cannot read."""
    match explanation.result:
        case LSTreeResult():
            return _of_tree(explanation)
        case LadderResult():
            return _of_ladder(explanation)
        case WordScores():
            return _of_words(explanation)
        case MaheResult():
            return _of_levels(explanation)
        case ArchipelagoResult():
            return _of_pairs(explanation)
        case AsivResult():
            return _of_arrows(explanation)
        case PublishedResult():
            return _of_published(explanation)
    return None


def _of_tree(explanation: Explanation[Any]) -> str:
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


def _of_ladder(explanation: Explanation[Any]) -> str:
    result: LadderResult = explanation.result
    target, speech = printable(explanation.target_class), Speech.of(explanation)
    spans = [span for level in result.levels for span in level.spans]
    whole = max(spans, key=lambda span: span.end - span.start)
    top = result.top_phrase or whole
    said = quoted(phrase(explanation, top.start, top.end))
    if top == whole:
        return f"No part of {said} speaks more for {target} than the whole: {speech.number(whole)}."
    if speech.says(top) <= 0:
        return (
            f"Nothing speaks for {target} on its own; {said} comes closest with {speech.number(top)}, "
            f"and the whole text has {speech.number(whole)}."
        )
    return f"{said} alone speaks most for {target}: {speech.number(top)}; the whole text has {speech.number(whole)}."


def _of_words(explanation: Explanation[Any]) -> str:
    result: WordScores = explanation.result
    target, kind = printable(explanation.target_class), KINDS[explanation.player_kind]
    numbers, called, errors = Numbers.like(result.values), names(explanation), errors_of(result)
    ends = f"from {numbers.plain(result.base)} to {numbers.plain(result.full)}"
    if len(called) == 1:
        return f"{quoted(called[0])} stands alone: it takes {target} {ends}."

    def shown(player: int) -> str:
        return f"{numbers.signed(result.values[player])}{numbers.error(errors[player])}"

    rounding = ROUNDING * max(abs(result.base), abs(result.full))
    order = sorted(range(len(called)), key=lambda player: result.values[player])
    clear = [p for p in order if abs(result.values[p]) > max(rounding, CLEAR * (errors[p] or 0.0))]
    if not clear:
        largest = max(order, key=lambda player: abs(result.values[player]))
        return f"No {kind} clearly speaks for or against {target}; {quoted(called[largest])} has {shown(largest)}."
    lowest, highest = clear[0], clear[-1]
    speaks = f"{quoted(called[highest])} speaks most for {target} ({shown(highest)})"
    if result.values[highest] < 0:
        sentence = f"{quoted(called[lowest])} speaks most against {target} ({shown(lowest)}), no {kind} clearly for it"
    elif result.values[lowest] > 0:
        sentence = f"{speaks}, no {kind} clearly against it"
    else:
        sentence = f"{speaks}, {quoted(called[lowest])} most against it ({shown(lowest)})"
    return f"{sentence}; all {kind}s together go {ends}." if adds_up(result) else f"{sentence}."


def _of_levels(explanation: Explanation[Any]) -> str:
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


def _of_pairs(explanation: Explanation[Any]) -> str:
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


def _of_arrows(explanation: Explanation[Any]) -> str:
    result: AsivResult = explanation.result
    target, kind, called = (
        printable(explanation.target_class),
        KINDS[explanation.player_kind],
        graph_of(explanation).nodes,
    )
    for arrow in telling_arrows(result):
        if abs(arrow.numbers["synergy"]) > CLEAR * (arrow.errors["synergy"] or 0.0):
            numbers = Numbers.like((arrow.numbers["absent"], arrow.numbers["present"]))
            absent, present = (
                f"{numbers.signed(arrow.numbers[name])}{numbers.error(arrow.errors[name])}"
                for name in ("absent", "present")
            )
            given, adds = quoted(called[arrow.given]), quoted(called[arrow.adds])
            return f"{adds} adds {absent} for {target} without {given}, and {present} once it is there."
    return f"No {kind} clearly changes what another one adds for {target}."


def _of_published(explanation: Explanation[Any]) -> str:
    target, called = printable(explanation.target_class), names(explanation)
    arrow = published_arrows(explanation.result)[0]
    numbers = Numbers.like(arrow.numbers.values())
    whole, together, moved = (numbers.signed(arrow.numbers[name]) for name in ("arrow", "interaction", "displacement"))
    given, adds = quoted(called[arrow.given]), quoted(called[arrow.adds])
    return (
        f"The published code's strongest arrow is {given} → {adds}, {whole}{numbers.error(arrow.errors['arrow'])} "
        f"for {target}: {together} is their interaction, {moved} what {adds} loses in the place of {given}."
    )
