"""A request for one level of a long text: what is open, what it costs, and how the way there is told."""

from collections.abc import Sequence
from typing import Any

from espalier.explain.explanation import LevelRecord, PartRecord
from espalier.explain.nested.plan import Inside, Valued, inside
from espalier.explain.nested.settings import level_parameters, usual_settings
from espalier.explain.plan import GameShape, Plan
from espalier.explain.registry import Method, Parameters, method
from espalier.explain.request import ExplanationRequest
from espalier.games.nesting import Kind, Level
from espalier.games.players import PlayerKind, text_of
from espalier.problems import BadParameter, NotSupported
from espalier.shared import APPEARANCE
from espalier.text import Passage

WORTH: str = APPEARANCE["levels"]["worth"]
"""What a part has is its Shapley value."""

KINDS: dict[Kind, PlayerKind] = {"word": "words", "phrase": "phrases", "sentence": "sentences", "passage": "spans"}


def check(request: ExplanationRequest, chosen: Method) -> None:
    """Refuse what no level can be asked."""
    if request.players != "nested" and request.open is not None:
        raise BadParameter(f"something is open: got players = {request.players}, possible is players = nested")
    if request.players == "nested" and chosen.inspects:
        raise NotSupported(
            f"{chosen.name} looks inside the model: got players = nested, possible are methods that ask for coalitions"
        )


def settings(request: ExplanationRequest, chosen: Method, levels: Sequence[Level]) -> Parameters:
    """The request's, with what was left open as light as a level should be."""
    usual = usual_settings(chosen, request.parameters, len(levels[-1].parts), levels[0].end)
    return request.model_copy(update={"parameters": usual}).checked(chosen)


def plan(
    request: ExplanationRequest,
    chosen: Method,
    parameters: Parameters,
    levels: Sequence[Level],
    passages: Sequence[Passage],
    game: GameShape,
) -> Plan[Inside[Any]]:
    """The method on what is open, after the Shapley values of the levels above it. Those are as precise as the reader
    asks for, if they are what the reader asks for."""
    shapley, given = method(WORTH), request.parameters if chosen.name == WORTH else {}

    def worth(shape: GameShape) -> Plan[Any]:
        return shapley.start(shape, level_parameters(shapley, given, request.seed, shape.size, game.size))

    def texts(level: Level) -> tuple[str, ...]:
        return tuple(text_of(passages, part.start, part.end) for part in level.parts)

    return inside(game, levels, worth, lambda shape: chosen.start(shape, parameters), texts)


def kind_of(level: Level) -> PlayerKind:
    """What the parts of a level are, by their largest."""
    return KINDS[max((part.kind for part in level.parts), key=list(KINDS).index)]


def records(levels: Sequence[Level], above: Sequence[Valued]) -> tuple[LevelRecord, ...]:
    """The way down, each level with what is known of it."""
    told: list[LevelRecord] = []
    value: float | None = None
    for position, level in enumerate(levels):
        known = above[position] if position < len(above) else None
        told.append(
            LevelRecord(
                start=level.start,
                end=level.end,
                kind=level.kind,
                value=sum(known.values) if value is None and known is not None else value,
                parts=tuple(
                    PartRecord(
                        start=part.start,
                        end=part.end,
                        kind=part.kind,
                        value=None if known is None else known.values[at],
                        error=None if known is None or known.exact else known.errors[at],
                    )
                    for at, part in enumerate(level.parts)
                ),
            )
        )
        if known is not None and position + 1 < len(levels):
            at = level.part((levels[position + 1].start, levels[position + 1].end))
            value = None if at is None else known.values[at]
    return tuple(told)
