"""The methods there are. A new one is a file in this folder that registers itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from espalier.explain.plan import GameShape, Plan
from espalier.games.scales import Scale
from espalier.problems import BadParameter, TooLong, UnknownName


class Parameters(BaseModel):
    """A method's settings. Each method has its own subclass; unknown settings are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class MethodResult(BaseModel):
    """What a method found. Each method has its own subclass with a literal `method` field, so that results can be told
    apart on the wire. `exact` says whether the numbers are exact for this game; if not, they carry standard errors."""

    model_config = ConfigDict(frozen=True)

    exact: bool


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

    def start(self, game: GameShape, parameters: Parameters) -> Plan[Any]:
        """The plan, after everything that can be refused has been refused."""
        self.check(game, parameters)
        return self.plan(game, parameters)

    def check_size(self, size: int, parameters: Parameters) -> None:
        """How many players there may be, which is known before a text is parsed."""
        if size < self.minimum_players:
            raise BadParameter(
                f"too few players for {self.name}: got {size}, possible are {self.minimum_players} or more"
            )
        limit = self.maximum_players if isinstance(self.maximum_players, int) else self.maximum_players(parameters)
        if size > limit:
            raise TooLong(
                f"too many players for {self.name}: got {size}, possible are up to {limit}; "
                "explain phrases or sentences instead (players = phrases or sentences), or a shorter text"
            )

    def check(self, game: GameShape, parameters: Parameters) -> None:
        self.check_size(game.size, parameters)
        if self.needs_tree and game.tree is None:
            raise BadParameter(f"{self.name} needs a tree: got none, parse the text or give a bracketed tree")


_methods: dict[str, Method] = {}


def register(method: Method) -> Method:
    _methods[method.name] = method
    return method


def methods() -> dict[str, Method]:
    """All methods by name."""
    import espalier.explain.all_methods  # noqa: F401  (each file registers itself when imported)

    return dict(_methods)


def method(name: str) -> Method:
    known = methods()
    if name not in known:
        raise UnknownName("method", name, known)
    return known[name]
