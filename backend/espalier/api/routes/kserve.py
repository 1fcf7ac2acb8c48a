"""KServe's V1 protocol on the same models, so that its clients work unchanged: list, predict, explain.

https://kserve.github.io/website/docs/concepts/architecture/data-plane/v1-protocol
"""

import asyncio
from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from espalier.api.dependencies import ClientDep, EngineDep, InTurn, ShelfDep
from espalier.api.documents import ExplanationDocument
from espalier.api.problems import NotReady, Unavailable
from espalier.engine.protocol import Engine
from espalier.explain.request import ExplanationRequest
from espalier.fields import MOST_PARAMETERS, Name, Several
from espalier.jobs import Job
from espalier.models.next_words import OTHER
from espalier.problems import BadParameter, Problem

router = APIRouter(prefix="/models", tags=["kserve"], responses=Unavailable.RESPONSES)

MOST_WORDS = 64
"""Next words of one instance that are looked at."""

MOST_PREDICTIONS = 2_000
"""Instances of one request for predictions: seconds of work, on a processor."""

MOST_EXPLANATIONS = 64
"""Instances of one request for explanations; for more there are batches."""

LONGEST_SECONDS = 300.0
"""How long one answer may take in all."""


class Instance(BaseModel):
    """A text, and for explanations how to explain it: any field of an explanation request."""

    model_config = ConfigDict(extra="allow")

    text: str
    pair: str | None = None


class NextWords(BaseModel):
    """Which next words of a language model are looked at."""

    model_config = ConfigDict(extra="forbid")

    outcomes: Several[Name] = Field(default=(), max_length=MOST_WORDS, examples=[[]])
    count: int | None = Field(default=None, ge=0, le=MOST_WORDS)


class PredictInstance(NextWords):
    """A text, and of a language model which next words to look at; those named for all instances when left out."""

    text: str
    pair: str | None = None


class PredictBody(BaseModel):
    instances: Several[str | PredictInstance] = Field(
        min_length=1, max_length=MOST_PREDICTIONS, examples=[["A lovely film.", "A dull film."]]
    )
    parameters: NextWords = Field(default=NextWords(), description="What holds for all instances.", examples=[{}])


class ExplainBody(BaseModel):
    instances: Several[str | Instance] = Field(
        min_length=1, max_length=MOST_EXPLANATIONS, examples=[[{"text": "A lovely film.", "method": "hedge"}]]
    )
    parameters: dict[Name, Any] = Field(
        default={},
        max_length=MOST_PARAMETERS,
        description="Fields of an explanation request that hold for all instances.",
        examples=[{"seed": 1}],
    )


class ModelNames(BaseModel):
    models: list[str]


class ModelReady(BaseModel):
    name: str
    ready: bool


class KServePrediction(BaseModel):
    label: str
    probabilities: dict[str, float]


class Predictions(BaseModel):
    predictions: list[KServePrediction] = Field(description="One for each instance, in order.")


class Explanations(BaseModel):
    explanations: list[ExplanationDocument] = Field(description="One for each instance, in order.")


@router.get("")
async def list_models(shelf: ShelfDep) -> ModelNames:
    """The names of all models."""
    return ModelNames(models=[entry.name for entry in shelf.catalog.entries()])


@router.get("/{model}")
async def show_model(model: str, shelf: ShelfDep, engine: EngineDep) -> ModelReady:
    """Whether a model can be asked. One that is not in memory is loaded when it is."""
    shelf.get(model)
    if not (await engine.status()).ready:
        raise NotReady("no worker is ready: wait a moment, or see the server's log")
    return ModelReady(name=model, ready=True)


@router.post("/{model}:predict", dependencies=[InTurn])
async def predict_instances(model: str, body: PredictBody, engine: EngineDep) -> Predictions:
    """What the model says of every instance. They go through the model together."""
    instances = [PredictInstance(text=each) if isinstance(each, str) else each for each in body.instances]
    if any(each.outcomes or each.count is not None for each in (body.parameters, *instances)):
        answers = [await _next_words(engine, model, body.parameters, each) for each in instances]
    else:
        answers = await engine.predict_all(model, [(each.text, each.pair) for each in instances])
    return Predictions(
        predictions=[
            KServePrediction(
                # "Any other word" is no next word, however likely.
                label=max((name for name in answer if name != OTHER), key=answer.__getitem__),
                probabilities=answer,
            )
            for answer in answers
        ]
    )


@router.post("/{model}:explain", response_model=Explanations)
async def explain_instances(model: str, body: ExplainBody, engine: EngineDep, client: ClientDep) -> Response:
    """Why the model says it of every instance. The answer comes when all are explained."""
    requests = [_request(model, body.parameters, _instance(each)) for each in body.instances]
    jobs: list[Job] = []
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            for request in requests:
                # One by one: those already submitted are cancelled when a later one is refused.
                jobs.append(await engine.submit(request, client=client))  # noqa: PERF401
            finished = [await _finished(engine, job) for job in jobs]
    except TimeoutError:
        await _cancel(engine, jobs)
        raise NotReady(
            f"this takes too long for one answer: got more than {LONGEST_SECONDS:g} seconds of work, "
            "possible are fewer instances, or a batch (POST /v1/batches)"
        ) from None
    except BaseException:
        await _cancel(engine, jobs)
        raise
    # As they were stored: to read dozens of documents here would keep everybody waiting.
    documents = ",".join(job.explanation or "null" for job in finished)
    return Response(f'{{"explanations":[{documents}]}}', media_type="application/json")


async def _next_words(engine: Engine, model: str, common: NextWords, instance: PredictInstance) -> dict[str, float]:
    """Each for itself: other words are looked at behind every text."""
    outcomes = instance.outcomes or common.outcomes
    count = common.count if instance.count is None else instance.count
    answer = await engine.predict(model, instance.text, instance.pair, outcomes, count)
    return {each["name"]: each["probability"] for each in answer["classes"]}


async def _finished(engine: Engine, job: Job) -> Job:
    while not job.is_finished:
        job = await engine.wait(job.id, LONGEST_SECONDS)
    if job.explanation is None:
        raise _Failed(job)
    return job


class _Failed(Problem):
    """The problem of one instance is the problem of the whole request."""

    def __init__(self, job: Job) -> None:
        problem = job.problem or {}
        super().__init__(str(problem.get("detail", "no explanation: got a cancelled job, possible is to ask again")))
        self.code = str(problem.get("type", "cancelled")).rpartition(":")[2]
        self.status = int(problem.get("status", 409))


async def _cancel(engine: Engine, jobs: list[Job]) -> None:
    for job in jobs:
        await engine.cancel(job.id)


def _instance(given: str | Instance) -> Instance:
    return Instance(text=given) if isinstance(given, str) else given


def _request(model: str, common: dict[str, Any], instance: Instance) -> ExplanationRequest:
    fields = common | instance.model_dump(exclude_unset=True) | {"model": model}
    try:
        return ExplanationRequest.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        possible = ", ".join(ExplanationRequest.model_fields)
        raise BadParameter(
            f"bad field of an explanation request: got {name} ({first['msg'].lower()}), possible are {possible}"
        ) from error
