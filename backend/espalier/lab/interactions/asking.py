"""From a text to its game on a model, and a plan's answer there."""

from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

from espalier.engine.explainer import Explainer, Prepared
from espalier.explain.plan import GameShape, Plan
from espalier.games.references import USUAL_REFERENCE, ReferenceName
from espalier.games.scales import Scale
from espalier.measure.interactions import local_request
from espalier.problems import BadParameter, UnknownName

Found = TypeVar("Found")


class Asking(BaseModel):
    """What is asked about every text: which model, which class, and how the local sample is drawn."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str
    target: str | None = Field(default=None, description="The class; the model's last one when left out.")
    reference: ReferenceName = USUAL_REFERENCE
    scale: Scale = "log_odds"
    draws: int = Field(default=1000, ge=100, le=20_000)
    vicinity: float = Field(default=1.0, gt=0, le=1)
    seed: int = Field(default=0, ge=0)


def prepared(explainer: Explainer, asking: Asking, text: str) -> Prepared:
    """Refused as the method `mahe` refuses: what is too long, what is too short."""
    return explainer.prepare(local_request(text, asking.model, asking.reference))


def answer(explainer: Explainer, asking: Asking, text: str, plan: Callable[[GameShape], Plan[Found]]) -> Found:
    """The same class for every text, so that signs can be compared."""
    ready = prepared(explainer, asking, text)
    shape = ready.game.shape(target_of(asking, ready.game.outcomes.names))
    found: Found = explainer.driving(plan(shape), ready.game, asking.model, asking.scale).run().result
    return found


def target_of(asking: Asking, classes: tuple[str, ...]) -> int:
    if not classes:
        raise BadParameter(f"{asking.model} has no classes: got a language model, possible are classifiers")
    if asking.target is None:
        return len(classes) - 1
    if asking.target not in classes:
        raise UnknownName("class", asking.target, classes)
    return classes.index(asking.target)
