"""Which questions there are, and who can answer them."""

from collections.abc import Callable, Mapping
from typing import Any

from espalier.models.inside.decompose import decompose
from espalier.models.inside.gradients import text_gradients, word_gradients
from espalier.models.inside.moved import moved
from espalier.models.inside.rescale import rescale
from espalier.models.inside.weights import weights
from espalier.models.protocol import Family, HostedModel, refuse

ANSWERS: Mapping[Family, Mapping[str, Callable[..., Any]]] = {
    "transformer": {"gradients": text_gradients, "moved": moved},
    "adapter": {"gradients": text_gradients, "moved": moved},
    "bow": {"weights": weights, "moved": moved},
    "cnn": {"gradients": word_gradients, "rescale": rescale, "moved": moved},
    "lstm": {"gradients": word_gradients, "decompose": decompose, "moved": moved},
}


def questions(family: Family) -> tuple[str, ...]:
    """What a family can be asked: a method suits a model when all that it `inspects` is among these."""
    return tuple(ANSWERS.get(family, {}))


def answer(model: HostedModel, question: str, arguments: Mapping[str, Any]) -> Any:
    """The model's answer, or a refusal with what it can answer."""
    if question not in questions(model.family):
        raise refuse(model, question, questions(model.family))
    return ANSWERS[model.family][question](model, **arguments)
