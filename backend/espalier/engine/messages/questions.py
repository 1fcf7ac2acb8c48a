"""Questions to a worker that are no jobs, each with the type of its answer."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter, ValidationError

from espalier.compact_json import compact
from espalier.engine.messages.answers import (
    About,
    Checked,
    Prediction,
    Predictions,
    StandInTexts,
    Surprised,
    Tree,
)
from espalier.engine.messages.trouble import BrokenMessage
from espalier.explain.request import ExplanationRequest
from espalier.measure.units import FoundUnit, UnitRequest

REMEMBERED = 64
"""Requests that a process knows by their bytes: as many as are kept between their check and their run."""


@lru_cache(REMEMBERED)
def _request(sent: str) -> ExplanationRequest:
    """What was asked about first and is to be run then is parsed, and its settings checked, only the first time."""
    return ExplanationRequest.model_validate_json(sent)


Sent = Annotated[
    ExplanationRequest,
    PlainSerializer(ExplanationRequest.model_dump_json, return_type=str),
    BeforeValidator(_request),
]
"""A request on its way to another process."""

Answered = TypeVar("Answered")


class Asking(Generic[Answered]):
    """A question that is answered by this."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Check(Asking[Checked]):
    """Can this be explained, and how many evaluations will it take?"""

    request: Sent
    kind: Literal["check"] = "check"


@dataclass(frozen=True, slots=True)
class Predict(Asking[Prediction]):
    model: str
    text: str
    pair: str | None = None
    outcomes: tuple[str, ...] = ()
    count: int | None = None
    kind: Literal["predict"] = "predict"


@dataclass(frozen=True, slots=True)
class PredictAll(Asking[Predictions]):
    """Texts, each with the second one of a pair or None."""

    model: str
    instances: tuple[tuple[str, str | None], ...]
    kind: Literal["predict-all"] = "predict-all"


@dataclass(frozen=True, slots=True)
class Surprise(Asking[Surprised]):
    """How surprising was each word of this running text?"""

    model: str
    text: str
    count: int
    kind: Literal["surprise"] = "surprise"


@dataclass(frozen=True, slots=True)
class StandIns(Asking[StandInTexts]):
    """What stands in for these players of a text? Of the request method and parameters do not count."""

    request: Sent
    absent: tuple[int, ...]
    kind: Literal["stand-ins"] = "stand-ins"


@dataclass(frozen=True, slots=True)
class Parse(Asking[Tree]):
    text: str
    kind: Literal["parse"] = "parse"


@dataclass(frozen=True, slots=True)
class Measure(Asking[FoundUnit]):
    """Explain a text in several ways and measure each, or diagnose a model on it: no small question, and the only one
    that can be cancelled."""

    request: UnitRequest
    client: str
    kind: Literal["measure"] = "measure"


@dataclass(frozen=True, slots=True)
class Load(Asking[About]):
    model: str
    kind: Literal["load"] = "load"


Question = Check | Predict | PredictAll | Surprise | StandIns | Parse | Measure | Load

_ANSWERS: dict[type, TypeAdapter[Any]] = {
    kind: TypeAdapter(get_args(kind.__orig_bases__[0])[0]) for kind in get_args(Question)
}


def write_answer(question: Asking[Answered], answer: Answered) -> str:
    """In JSON."""
    return compact(_ANSWERS[type(question)].dump_python(answer, mode="json"))


def read_answer(question: Asking[Answered], body: str) -> Answered:
    try:
        found: Answered = _ANSWERS[type(question)].validate_json(body)
    except ValidationError as error:
        raise BrokenMessage(f"no answer to {type(question).__name__}: {str(error)[:400]}") from error
    return found
