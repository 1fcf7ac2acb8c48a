"""What a request wants explained: a class of a classifier, or words that may come next in a language model."""

from collections.abc import Sequence

import numpy as np

from espalier.engine.host import ModelHost
from espalier.explain.request import ExplanationRequest
from espalier.models.next_words import COUNT, OTHER, LanguageModel
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import Encoding
from espalier.problems import BadParameter, UnknownName


def outcomes_of(request: ExplanationRequest, host: ModelHost, encoding: Encoding) -> Outcomes:
    """Refuses what does not suit the kind of model. The likeliest next words are read from the whole text, on the
    model's own thread."""
    model = host.model
    if not isinstance(model, LanguageModel):
        if request.outcome is not None or request.against is not None or request.outcomes:
            raise BadParameter(
                f"{request.model} chooses between classes: got a next word, possible is target, one of "
                f"{', '.join(model.outcomes.names)}"
            )
        if request.target is not None and request.target not in model.outcomes.names:
            raise UnknownName(f"class of {request.model}", request.target, model.outcomes.names)
        return model.outcomes
    if request.target is not None:
        raise BadParameter(
            f"{request.model} says next words: got target = {request.target!r}, possible is outcome, a word that may "
            "come next"
        )
    if request.against is not None and request.against == request.outcome:
        raise BadParameter(f"a contrast needs two words: got {request.against!r} twice, possible is another one")
    if request.against is not None and request.scale not in (None, "log_odds"):
        raise BadParameter(
            f"one word against another is measured in log_odds: got scale = {request.scale}, possible is log_odds"
        )
    return next_words(host, encoding, named(request), 0 if request.outcomes else COUNT)


def named(request: ExplanationRequest) -> tuple[str, ...]:
    """All words that a request names, each once."""
    words = (*request.outcomes, request.outcome, request.against)
    return tuple(dict.fromkeys(word for word in words if word is not None))


def next_words(host: ModelHost, encoding: Encoding, words: Sequence[str] = (), count: int = COUNT) -> Outcomes:
    """Likely next words and those that somebody named, chosen on the model's own thread."""
    model = host.model
    assert isinstance(model, LanguageModel)
    chosen: Outcomes = host.consult(lambda: model.choose(encoding, words, count)).future.result()
    return chosen


def target_of(request: ExplanationRequest, outcomes: Outcomes, probabilities: Sequence[float]) -> int:
    """The named outcome, else the likeliest: of words, one that is a word, and not the one it is held against."""
    name = request.outcome if request.outcome is not None else request.target
    if name is not None:
        return outcomes.names.index(name)
    possible = [each not in (OTHER, request.against) for each in outcomes.names]
    if not any(possible):
        raise BadParameter(f"nothing to hold against {request.against!r}: got no other word, possible is outcome")
    return int(np.argmax(np.where(possible, probabilities, -1.0)))
