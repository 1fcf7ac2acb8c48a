"""From a request to an explanation: the whole path, for the library, the command line and a worker process."""

import threading
from collections import defaultdict
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from espalier.access import realm
from espalier.engine import levels as nested
from espalier.engine.asking import answered
from espalier.engine.driver import Drive, Listener, Outcome
from espalier.engine.host import ModelHost
from espalier.engine.outcomes import outcomes_of, target_of
from espalier.engine.scale import scale_of
from espalier.explain.drawn import draw_errors
from espalier.explain.explanation import (
    DrawErrors,
    Evaluations,
    Explanation,
    LevelRecord,
    PlayerRecord,
    Seconds,
    WordRecord,
)
from espalier.explain.nested.plan import Inside
from espalier.explain.plan import Ask, Plan
from espalier.explain.registry import Method, Parameters
from espalier.explain.request import ExplanationRequest
from espalier.explain.rounded import on_scale
from espalier.games.game import Game, make_game
from espalier.games.nesting import Level, Nesting
from espalier.games.players import at as players_at
from espalier.games.pool import Pools
from espalier.games.scales import Scale
from espalier.models.families import questions, says
from espalier.models.next_words import LanguageModel
from espalier.models.precision import rounding_of
from espalier.models.predict import read_for
from espalier.models.protocol import HostedModel, refuse
from espalier.text import Passage
from espalier.trees.bracketed import read_bracketed
from espalier.trees.tree import Node, SpanTree

ParseText = Callable[[Passage], SpanTree]


@dataclass(frozen=True)
class Prepared:
    """A request that has passed every check and only needs the model."""

    request: ExplanationRequest
    method: Method
    parameters: Parameters
    passages: tuple[Passage, ...]
    game: Game
    scale: Scale
    levels: tuple[Level, ...] = ()
    """Where players are nested: from the whole text to what is open. The game is then the one between words."""

    @property
    def size(self) -> int:
        """How many players the method sees."""
        return len(self.levels[-1].parts) if self.levels else len(self.game.players)

    def plan(self, target: int) -> Plan[Any]:
        shape = self.game.shape(target)
        if self.levels:
            return nested.plan(self.request, self.method, self.parameters, self.levels, self.passages, shape)
        return self.method.start(shape, self.parameters)


class Explainer:
    """Models behind their hosts, and the pools their games share."""

    def __init__(
        self,
        load: Callable[[str], HostedModel],
        parse: ParseText,
        batch_tokens: int | None = None,
        pools: Pools | None = None,
    ) -> None:
        self._load = load
        self._parse = parse
        self._batch_tokens = batch_tokens
        self._hosts: dict[str, ModelHost] = {}
        self._opening: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._changing = threading.Lock()
        self._pools = pools or Pools()
        self._background = False

    def apart(self) -> "Explainer":
        """The same models, asked behind everybody else, with pools and parses that nobody else uses: what is counted
        here does not depend on what was explained before."""
        other = copy(self)
        other._pools, other._background = Pools(), True
        other._parse = cache(self._parse)
        return other

    def host(self, name: str) -> ModelHost:
        """A model's host, opened by the first who asks; others wait for it, but not for other models."""
        with self._changing:
            opening = self._opening[name]
        with opening:
            if name not in self._hosts:
                self._hosts[name] = ModelHost(self._load(name), self._batch_tokens)
            return self._hosts[name]

    def put_away(self, name: str) -> None:
        """Forget a model that nobody uses, to make room for another one."""
        if (host := self._hosts.pop(name, None)) is not None:
            host.close()

    def busy(self) -> float:
        """How long the longest batch under way has been with its model, in seconds."""
        return max((host.busy() for host in list(self._hosts.values())), default=0.0)

    def close(self) -> None:
        for host in self._hosts.values():
            host.close()
        self._hosts.clear()

    def prepare(self, request: ExplanationRequest) -> Prepared:
        """Refuse what must be refused, before any forward pass but those that tell whether it must be."""
        method, parameters = request.settings()
        nested.check(request, method)
        model = self.host(request.model).model
        possible = questions(model.family)
        for question in method.inspects:
            if question not in possible:
                raise refuse(model, question, possible)
        # What is too long is refused before all of it is read, and before the parser reads it, which takes seconds.
        passages = tuple(read_for(model, text) for text in (request.text, request.pair) if text is not None)
        encoding = model.encode(*passages)
        if request.players == "words":
            method.check_size(sum(len(passage.words) for passage in passages), parameters)
        outcomes = outcomes_of(request, self.host(request.model), encoding)
        tree: SpanTree | None = None
        levels: tuple[Level, ...] = ()
        if request.tree is not None:
            tree = read_bracketed(request.tree, passages[0])
        if request.players == "nested":
            levels = Nesting(passages, self._parse, tree).levels(request.open)
            parameters, tree = nested.settings(request, method, levels), None
        elif tree is None and (
            method.needs_tree or request.players == "phrases" or getattr(parameters, "wants_tree", False)
        ):
            tree = join([self._parse(passage) for passage in passages])
        game = make_game(
            model,
            passages,
            encoding,
            outcomes=outcomes,
            kind=request.players,
            reference=request.reference,
            tree=tree,
            spans=request.spans,
            wish=request.wish(),
            other_model=lambda name: self.host(name).model,
        )
        answered(game.reference.opening(), self.host, background=self._background)
        if levels:
            method.check_size(len(levels[-1].parts), parameters)
        else:
            method.check(game.shape(0), parameters)
        if request.against is not None:
            game = replace(game, against=outcomes.names.index(request.against))
        return Prepared(request, method, parameters, passages, game, scale_of(request, says(model)), levels)

    def explain(self, request: ExplanationRequest, listener: Listener | None = None) -> Explanation[Any]:
        """Prepare, predict, run the method, and put everything together."""
        prepared = self.prepare(request)
        probabilities = self.predict(prepared)
        target = self.target(prepared, probabilities)
        return self.assemble(prepared, probabilities, target, self.drive(prepared, target, listener).run())

    def predict(self, prepared: Prepared, client: str = "") -> tuple[float, ...]:
        """Probabilities of the whole text, from the same pool the method will use."""
        everyone = np.ones((1, len(prepared.game.players)), dtype=bool)
        drive = self.driving(_values(everyone), prepared.game, prepared.request.model, "probability", client=client)
        return tuple(float(value) for value in drive.run().result[0])

    def drive(self, prepared: Prepared, target: int, listener: Listener | None = None, client: str = "") -> Drive[Any]:
        return self.driving(
            prepared.plan(target),
            prepared.game,
            prepared.request.model,
            prepared.scale,
            listener,
            client,
            partial(prepared.plan, target) if prepared.method.redraws else None,
        )

    def driving(
        self,
        plan: Plan[Any],
        game: Game,
        model: str,
        scale: Scale,
        listener: Listener | None = None,
        client: str = "",
        again: Callable[[], Plan[Any]] | None = None,
    ) -> Drive[Any]:
        """A plan on a game, ready to run on the model's host with the pool of that game. `again` makes the plan anew,
        to be run without some of the reference's draws."""
        pool = self._pools.pool((realm(client), game.key))
        return Drive(plan, game, pool, self.host(model), scale, listener, client, self.host, self._background, again)

    @staticmethod
    def target(prepared: Prepared, probabilities: tuple[float, ...]) -> int:
        return target_of(prepared.request, prepared.game.outcomes, probabilities)

    @staticmethod
    def assemble(
        prepared: Prepared, probabilities: tuple[float, ...], target: int, outcome: Outcome[Any]
    ) -> Explanation[Any]:
        request, game, counts = prepared.request, prepared.game, outcome.counts
        players = game.players
        if prepared.levels:
            parts = [(part.start, part.end) for part in prepared.levels[-1].parts]
            players = players_at(parts, prepared.passages, game.encoding)
        words = [word for passage in prepared.passages for word in passage.words]
        pieces = game.model.pieces(game.outcomes) if isinstance(game.model, LanguageModel) else None
        base = len(prepared.passages[0].words)
        sentences = [*prepared.passages[0].sentences]
        if len(prepared.passages) > 1:
            sentences += [(base + start, base + end) for start, end in prepared.passages[1].sentences]
        return Explanation(
            text=request.text,
            pair=request.pair,
            words=tuple(WordRecord(text=word.text, start=word.start, end=word.end) for word in words),
            sentences=tuple(sentences),
            player_kind=nested.kind_of(prepared.levels[-1]) if prepared.levels else request.players,
            players=tuple(PlayerRecord(text=p.text, start=p.start, end=p.end) for p in players),
            model=request.model,
            revision=game.model.revision,
            classes=game.outcomes.names,
            probabilities=probabilities,
            target=target,
            method=prepared.method.name,
            parameters=prepared.parameters.model_dump(mode="json"),
            scale=prepared.scale,
            reference=request.reference,
            seed=request.seed,
            result=outcome.result.result if isinstance(outcome.result, Inside) else outcome.result,
            evaluations=Evaluations(
                asked=counts.asked, distinct=counts.distinct, reused=counts.reused, elsewhere=counts.elsewhere
            ),
            seconds=Seconds(model=outcome.model_seconds, total=outcome.total_seconds),
            against=game.against,
            draws=game.reference.draws,
            fill=request.wish().fill if type(game.reference).whole_words else None,
            filler=next(iter(type(game.reference).asks(request.wish())), None),
            unread=game.reference.unread,
            expected_words=game.reference.expected_words,
            # The game is between words; what is nested has other players.
            idle=() if prepared.levels else outcome.idle(),
            draw_errors=_draw_errors(outcome),
            levels=_way(prepared, outcome.result),
            pieces=pieces,
            rounding=on_scale(rounding_of(game.model), prepared.scale, pieces),
        )


def shown(explanation: Explanation[Any], prepared: Prepared, found: Any) -> Explanation[Any]:
    """The same explanation with another result, such as one that is known so far."""
    update = (
        {"result": found.result, "levels": _way(prepared, found)} if isinstance(found, Inside) else {"result": found}
    )
    return explanation.model_copy(update=update)


def _draw_errors(outcome: Outcome[Any]) -> DrawErrors | None:
    """How much the draws matter, from what the method finds without some of them."""
    found = [each.result if isinstance(each, Inside) else each for each in (outcome.result, *outcome.redrawn)]
    if len(found) < 3:
        return None
    reading, *others = (each.reading() for each in found)
    spans, pairs = draw_errors(reading, others)
    return DrawErrors(spans=spans, pairs=pairs)


def _way(prepared: Prepared, found: Any) -> tuple[LevelRecord, ...] | None:
    above = found.above if isinstance(found, Inside) else ()
    return nested.records(prepared.levels, above) if prepared.levels else None


def _values(coalitions: Any) -> Plan[Any]:
    values = yield Ask(coalitions)
    return values


def join(trees: list[SpanTree]) -> SpanTree:
    """One tree over all words of several texts, under a root labelled TEXT."""
    if len(trees) == 1:
        return trees[0]
    nodes: list[Node] = []
    tops: list[int] = []
    words = 0
    for tree in trees:
        base = 1 + len(nodes)
        tops.append(base)
        nodes.extend(
            Node(node.start + words, node.end + words, node.labels, tuple(base + child for child in node.children))
            for node in tree.nodes
        )
        words += tree.size
    return SpanTree((Node(0, words, ("TEXT",), tuple(tops)), *nodes))
