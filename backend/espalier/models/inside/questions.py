"""Questions about the inside of a model, answered by the families that can."""

from collections.abc import Mapping
from typing import Any

from espalier.models.families import answer_of, questions
from espalier.models.protocol import HostedModel, refuse


def answer(model: HostedModel, question: str, arguments: Mapping[str, Any]) -> Any:
    """The model's answer, or a refusal with what it can answer."""
    possible = questions(model.family)
    if question not in possible:
        raise refuse(model, question, possible)
    return answer_of(model.family, question)(model, **arguments)
