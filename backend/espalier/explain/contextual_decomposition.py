"""Contextual decomposition: the part of an LSTM's score that a phrase made (CD; Murdoch, Liu & Yu, 2018)."""

from collections.abc import Generator, Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from espalier.explain.plan import GameShape, Inspect, Plan, inspect
from espalier.explain.reading import Reading, Scored, read, words_of
from espalier.explain.registry import Method, Parameters, register
from espalier.explain.word_scores import WordScores

Phrase = tuple[int, int]
"""Players from the first number up to the second."""


class Relevances:
    """CD scores of phrases for the explained class, each decomposed once."""

    def __init__(self, game: GameShape) -> None:
        self._target = game.target
        self._known: dict[Phrase, float] = {}
        self.bias = 0.0

    def __getitem__(self, phrase: Phrase) -> float:
        return self._known[phrase]

    def learn(self, phrases: Iterable[Phrase]) -> Generator[Inspect, Any, None]:
        """Decompose what is not known yet, all in one batch."""
        unknown = [phrase for phrase in dict.fromkeys(phrases) if phrase not in self._known]
        if not unknown:
            return
        parts = yield from inspect("decompose", spans=unknown)
        self.bias = float(parts.bias[self._target])
        self._known.update(zip(unknown, parts.relevant[:, self._target].tolist(), strict=True))


class ContextualDecompositionParameters(Parameters):
    phrases: Annotated[bool, Field(description="Score the phrases of the parse tree too, not only the words.")] = True

    @property
    def wants_tree(self) -> bool:
        return self.phrases


class PhraseScore(BaseModel):
    """Players from `start` up to `end`."""

    model_config = ConfigDict(frozen=True)

    start: int
    end: int
    labels: tuple[str, ...]
    relevance: float = Field(description="The part of the score that the phrase made")


class ContextualDecompositionResult(WordScores):
    """The part of the score that each word made, and each phrase. The sum of its words is not a phrase's part: what
    words of the phrase do together counts for it, what they do with words outside does not."""

    method: Literal["contextual-decomposition"] = "contextual-decomposition"
    base: float = Field(description="The classifier's bias: what no word made")
    phrases: tuple[PhraseScore, ...] = Field(
        description="The phrases of the tree, every parent before its children; none without a tree. "
        "That of the whole text is full - base."
    )

    def reading(self) -> Reading:
        phrases = [Scored(phrase.start, phrase.end, phrase.relevance) for phrase in self.phrases]
        return read([*words_of(self.values), *phrases], exact=self.exact, base=self.base, full=self.full)


def contextual_decomposition(
    game: GameShape, parameters: ContextualDecompositionParameters
) -> Plan[ContextualDecompositionResult]:
    """Ask for every word, every phrase of the tree and the whole text in one batch."""
    words = [(word, word + 1) for word in range(game.size)]
    nodes = game.tree.nodes if game.tree is not None and parameters.phrases else ()
    relevances = Relevances(game)
    yield from relevances.learn([*words, *((node.start, node.end) for node in nodes), (0, game.size)])
    return ContextualDecompositionResult(
        exact=True,
        values=tuple(relevances[word] for word in words),
        base=relevances.bias,
        full=relevances.bias + relevances[0, game.size],
        phrases=tuple(
            PhraseScore(start=node.start, end=node.end, labels=node.labels, relevance=relevances[node.start, node.end])
            for node in nodes
            if not node.is_leaf
        ),
    )


register(
    Method(
        name="contextual-decomposition",
        title="Contextual decomposition",
        shows="Which part of an LSTM's score each word and each phrase made, with what they do together",
        parameters=ContextualDecompositionParameters,
        result=ContextualDecompositionResult,
        plan=contextual_decomposition,
        view="tokens",
        scale="logit",
        inspects=("decompose",),
    )
)
