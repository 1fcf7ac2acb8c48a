"""What an explanation offers to be shown: scored words and phrases, and the text divided into highlighted groups."""

from functools import singledispatch
from itertools import pairwise
from typing import Any

from espalier.explain.archipelago import ArchipelagoResult
from espalier.explain.contextual_decomposition import ContextualDecompositionResult
from espalier.explain.explanation import Explanation
from espalier.explain.graph.asiv import AsivResult
from espalier.explain.graph.published import PublishedResult
from espalier.explain.ladder import LadderResult
from espalier.explain.ls_tree import LSTreeResult
from espalier.explain.mahe.method import MaheResult
from espalier.explain.registry import MethodResult
from espalier.explain.word_scores import WordScores
from espalier.problems import NotSupported
from espalier.studies.items import Feature, Shows

LONGEST_PHRASE = 5
"""HEDGE, section 4.4: longer phrases are not friendly to the people who read them."""


def shows(explanation: Explanation[Any]) -> Shows:
    """Everything a study may show of an explanation of the predicted class."""
    return Shows(
        model=explanation.model,
        method=explanation.method,
        classes=explanation.classes,
        prediction=explanation.target_class,
        probability=explanation.probabilities[explanation.target],
        top=top(scored(explanation.result)),
        groups=tuple(groups(explanation.result)),
    )


def top(features: list[Feature]) -> Feature:
    """The highest-scored of at most five words; of equal ones the leftmost, then the shortest."""
    short = [feature for feature in features if len(feature.words) <= LONGEST_PHRASE]
    return min(short, key=lambda feature: (-feature.score, feature.words[0], len(feature.words)))


@singledispatch
def scored(result: MethodResult) -> list[Feature]:
    """All words and phrases the method scores."""
    raise NotSupported(f"this method's result cannot be shown in a study: got {type(result).__name__}")


@singledispatch
def groups(result: MethodResult) -> list[Feature]:
    """Every word once: alone, or in the group the method joins it to."""
    return scored(result)


@scored.register
def _(result: WordScores) -> list[Feature]:
    return _words(result.values)


@scored.register
def _(result: AsivResult) -> list[Feature]:
    return _words(result.values)


@scored.register
def _(result: PublishedResult) -> list[Feature]:
    return _words(result.pagerank)


@scored.register
def _(result: ContextualDecompositionResult) -> list[Feature]:
    return _words(result.values) + [_span(each.start, each.end, each.relevance) for each in result.phrases]


@groups.register
def _(result: ContextualDecompositionResult) -> list[Feature]:
    return _merged(_words(result.values), top(scored(result)))


@scored.register
def _(result: LadderResult) -> list[Feature]:
    spans = {(span.start, span.end): span.contribution for level in result.levels for span in level.spans}
    return [_span(start, end, score) for (start, end), score in spans.items()]


@groups.register
def _(result: LadderResult) -> list[Feature]:
    """The words, with the phrase that speaks most for the class in one piece."""
    features = scored(result)
    return _merged([each for each in features if len(each.words) == 1], top(features))


@scored.register
def _(result: LSTreeResult) -> list[Feature]:
    return [_span(node.start, node.end, node.value) for node in result.nodes]


@groups.register
def _(result: LSTreeResult) -> list[Feature]:
    """The words, with the phrase that bends their sum most in one piece."""
    phrases = [
        node for node in result.nodes if 2 <= node.end - node.start <= LONGEST_PHRASE and node.signed is not None
    ]
    words = _words(result.word_values)
    if not phrases:
        return words
    strongest = max(phrases, key=lambda node: (abs(node.signed or 0), -node.start))
    return _merged(words, _span(strongest.start, strongest.end, strongest.value))


@scored.register
def _(result: ArchipelagoResult) -> list[Feature]:
    return [Feature(words=tuple(sorted(island.players)), score=island.contribution) for island in result.islands]


@scored.register
def _(result: MaheResult) -> list[Feature]:
    features = _words(result.coefficients)
    return features + [each for each in groups(result) if len(each.words) > 1]


@groups.register
def _(result: MaheResult) -> list[Feature]:
    """The first level with an interaction, its attribution merged with those of its words (MAHE, section 5.2.2)."""
    if len(result.levels) < 2:
        return _words(result.coefficients)
    level = result.levels[1]
    words = [one + other for one, other in zip(result.coefficients, level.corrections, strict=True)]
    players = tuple(sorted(level.added))
    together = sum(term.contribution for term in level.terms if set(term.players) <= set(players))
    return _merged(_words(words), Feature(words=players, score=together + sum(words[word] for word in players)))


def polarity_differs(first: Shows, second: Shows) -> bool:
    """Whether words that the second explanation joins speak for another side there than one by one in the first."""
    return any(
        joined.score * sum(_part(alone, joined.words) for alone in first.groups) < 0
        for joined in second.groups
        if len(joined.words) > 1
    )


def has_interaction(shown: Shows) -> bool:
    return any(len(group.words) > 1 for group in shown.groups)


def phrase(text: str, places: list[tuple[int, int]], words: tuple[int, ...]) -> str:
    """Words as they stand in the text, with an ellipsis where some between are left out."""
    pieces: list[list[int]] = [[words[0]]]
    for before, word in pairwise(words):
        if word == before + 1:
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return " … ".join(text[places[piece[0]][0] : places[piece[-1]][1]] for piece in pieces)


def _part(feature: Feature, words: tuple[int, ...]) -> float:
    """The feature's share that falls on these words."""
    return feature.score * len(set(feature.words) & set(words)) / len(feature.words)


def _words(values: Any) -> list[Feature]:
    return [Feature(words=(word,), score=float(value)) for word, value in enumerate(values)]


def _span(start: int, end: int, score: float) -> Feature:
    return Feature(words=tuple(range(start, end)), score=score)


def _merged(words: list[Feature], phrase: Feature) -> list[Feature]:
    """The phrase in one piece, and the words outside of it."""
    return sorted(
        [*(each for each in words if each.words[0] not in phrase.words), phrase], key=lambda each: each.words[0]
    )
