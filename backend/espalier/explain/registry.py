"""The methods there are. A new one is a file in this folder that registers itself, or comes with another package."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import packages_distributions, version
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.config import JsonDict

from espalier.explain.plan import GameShape, Plan
from espalier.explain.reading import Reading
from espalier.extensions import extensions, report
from espalier.games.scales import Scale
from espalier.problems import BadParameter, TooLong, UnknownName

BUYS_PRECISION: JsonDict = {"buys_precision": True}
"""For the field of a method's parameters that says how much work its numbers are worth
(`Field(…, json_schema_extra=BUYS_PRECISION)`): the interface offers to raise it."""

FOR_EACH_PLAYER = "for_each_player"
"""Beside it, where the method takes at least so much of that field for each player: the interface asks for enough."""

LONG_SENTENCES = "long_sentences"
"""For a field of which one value does with much less work on long sentences, at a price that its result names:
`{LONG_SENTENCES: {"value": …, "more_than": words, "up_to": words}}`. The interface asks for that value there, and
offers the default beside the picture; everybody else gets the default."""


NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


class Parameters(BaseModel):
    """A method's settings. Each method has its own subclass; unknown settings are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class MethodResult(BaseModel):
    """What a method found. Each method has its own subclass with a literal `method` field, so that results can be told
    apart on the wire. `exact` says whether the numbers are exact for this game; if not, they carry standard errors."""

    model_config = ConfigDict(frozen=True)

    exact: bool

    def reading(self) -> Reading:
        """What it says in the one form that everything but its own picture reads. Here nothing; methods say more."""
        return Reading(exact=self.exact)


MOST_EVALUATIONS = 500_000
"""Of one job. It is hours of work on a processor, and as many values as fit in a worker's memory beside everyone's."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method as the catalog lists it."""

    name: str
    title: str
    shows: str
    parameters: type[Parameters]
    result: type[MethodResult]
    plan: Callable[[GameShape, Any], Plan[Any]]
    view: str
    scale: Scale = "probability"
    needs_tree: bool = False
    minimum_players: int = 1
    maximum_players: Callable[[Any], int] | int = 400
    inspects: tuple[str, ...] = ()
    expects: Callable[[int, Any], int] | None = None
    """Distinct coalitions it will ask for, by players and parameters, where that can be known before it begins. Methods
    with a `budget` or a number of `samples` need not say."""
    redraws: bool = True
    """Whether its plan is run again without each draw of a reference that draws, to see how much the draws matter. Not
    where a run is much work by itself."""
    version: str = ""
    """Of the package it comes with; none for the house's own. Results of another version are made again."""

    def start(self, game: GameShape, parameters: Parameters) -> Plan[Any]:
        """The plan, after everything that can be refused has been refused."""
        self.check(game, parameters)
        return self.plan(game, parameters)

    def most_players(self, parameters: Parameters) -> int:
        return self.maximum_players if isinstance(self.maximum_players, int) else self.maximum_players(parameters)

    def check_size(self, size: int, parameters: Parameters) -> None:
        """How many players there may be, which is known before a text is parsed."""
        if size < self.minimum_players:
            raise BadParameter(
                f"too few players for {self.name}: got {size}, possible are {self.minimum_players} or more"
            )
        limit = self.most_players(parameters)
        if size > limit:
            raise TooLong(
                f"too many players for {self.name}: got {size}, possible are up to {limit}; "
                "explain phrases or sentences instead (players = phrases or sentences), or a shorter text"
            )

        expected = self.expected(size, parameters)
        if expected is not None and expected > MOST_EVALUATIONS:
            raise BadParameter(
                f"too much work for {self.name}: got about {expected:,} evaluations for {size} players with these "
                f"parameters, possible are up to {MOST_EVALUATIONS:,}; lower the parameters, or explain phrases or "
                "sentences instead (players = phrases or sentences)"
            )

    def expected(self, size: int, parameters: Parameters) -> int | None:
        """Evaluations that it will take, or None where only the plan can know."""
        if self.expects is not None:
            return self.expects(size, parameters)
        given: int | None = getattr(parameters, "budget", None) or getattr(parameters, "samples", None)
        return None if given is None else min(given, 1 << size)

    def check(self, game: GameShape, parameters: Parameters) -> None:
        self.check_size(game.size, parameters)
        if self.needs_tree and game.tree is None:
            raise BadParameter(f"{self.name} needs a tree: got none, parse the text or give a bracketed tree")


_house: dict[str, Method] = {}


def register(method: Method) -> Method:
    _house[method.name] = method
    return method


def house_methods() -> dict[str, Method]:
    """Those of this project."""
    import espalier.explain.all_methods  # noqa: F401  (each file registers itself when imported)

    return dict(_house)


def methods() -> dict[str, Method]:
    """All methods by name, those of installed packages included."""
    return house_methods() | _offered()


@cache
def _offered() -> dict[str, Method]:
    """Methods that other packages offer as entry points. What cannot be used is reported and left out."""
    known, found = house_methods(), dict[str, Method]()
    for name, offered in extensions("espalier.methods").items():
        if reason := _unusable(offered, known | found):
            report(name, "espalier.methods", reason)
        else:
            found[offered.name] = replace(offered, version=_version_of(offered))
    return found


def _unusable(offered: Any, known: Mapping[str, Method]) -> str | None:
    if not isinstance(offered, Method):
        return f"a {type(offered).__name__}; possible is a Method"
    if not NAME.fullmatch(offered.name):
        return f"the name {offered.name!r}; possible are small letters, digits and hyphens"
    if offered.name in known:
        return f"a second method called {offered.name}; possible is another name"
    try:
        # All that the catalog will ask of it, at every listing.
        offered.most_players(offered.parameters())
        offered.parameters.model_json_schema()
    except ValidationError:
        return f"parameters of {offered.name} without a default; possible is a default for each"
    except Exception as error:  # anything can happen in other people's code
        return f"{type(error).__name__}: {error}"
    return None


def _version_of(offered: Method) -> str:
    """Of the package that the plan is in: a newer one must not be answered with an older one's results."""
    package = offered.plan.__module__.partition(".")[0]
    return ",".join(f"{name} {version(name)}" for name in sorted(set(packages_distributions().get(package, ()))))


def method(name: str) -> Method:
    known = methods()
    if name not in known:
        raise UnknownName("method", name, known)
    return known[name]
