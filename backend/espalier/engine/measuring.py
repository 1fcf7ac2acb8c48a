"""Explain one text in several ways and measure every way, on one model: games are shared by all that is asked.

What is measured is a function of the request: the pools are this unit's own, so that even the counts of evaluations are
the same whatever was explained here before.
"""

import time
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import structlog
from numpy.typing import NDArray

from espalier.engine.asking import answered
from espalier.engine.background import Background
from espalier.engine.driver import Cancelled, Outcome
from espalier.engine.explainer import Explainer
from espalier.engine.gauging import Gauging
from espalier.explain.plan import FloatArray, Plan, ask
from espalier.explain.reading import Reading
from espalier.games.game import Game, make_game
from espalier.games.references import USUAL_REFERENCE, Wish, reference
from espalier.games.scales import Scale
from espalier.measure.agreement import kendall
from espalier.measure.bounds import MOST_WORDS, Bounds, bounds, normalised
from espalier.measure.chance import generator, random_orders
from espalier.measure.curves import PERCENTS, removal, retention, whole_curve
from espalier.measure.phrases import cohesion, phrase_deletion
from espalier.measure.registry import GAUGE, Measure, measure
from espalier.measure.request import BEST, LONGEST, RANDOM, Condition, Given, Measured, MeasuredUnit, MeasureRequest
from espalier.models.next_words import LanguageModel
from espalier.problems import NotSupported, Problem, TooLong, quoted
from espalier.text import read

Result = TypeVar("Result")
IntArray = NDArray[np.int64]

_log = structlog.get_logger(__name__)

HEADLINE = PERCENTS.index(20)
"""The papers' tables are at 20 %."""

DIGITS = 9
"""Decimals that are kept: far below any interval, and half the bytes."""


class Measuring(Background):
    """One unit: all ways of explaining a text, and all measures of each."""

    def __init__(self, explainer: Explainer, request: MeasureRequest, client: str = "") -> None:
        super().__init__(explainer, client)
        self._request = request
        self._measures = [measure(name) for name in request.measures]
        self._games: dict[str, Game] = {}
        self._bounds: dict[str, Bounds | None] = {}
        self._target = 0

    def run(self) -> MeasuredUnit:
        """All rows. What is wrong with the text or the model is raised; what is wrong with one way of explaining it is
        said in its row."""
        model = self._explainer.host(self._request.model).model
        if isinstance(model, LanguageModel):
            raise NotSupported(f"the Lab measures classifiers: got {self._request.model}, which says next words")
        passage = read(self._request.text)
        if len(passage.words) > LONGEST:
            raise TooLong(f"text too long to measure: got {len(passage.words)} words, possible are up to {LONGEST}")
        encoding = model.encode(passage)
        for operator in {each.operator or USUAL_REFERENCE for each in self._measures} | {USUAL_REFERENCE}:
            self._games[operator] = make_game(
                model,
                [passage],
                encoding,
                reference=operator,
                seed=self._request.seed,
                other_model=lambda name: self._explainer.host(name).model,
            )
            opening = self._games[operator].reference.opening()
            answered(opening, self._explainer.host, self._client, background=True, go_on=self._go_on)
        probabilities = self._values(self._games[USUAL_REFERENCE])
        self._target = int(probabilities.argmax())
        shared: dict[str, Any] = {
            "words": len(passage.words),
            "target": model.classes[self._target],
            "probability": round(float(probabilities[self._target]), DIGITS),
        }
        rows: list[Measured] = []
        seconds: list[float] = []
        for row, taken in [
            *(self._explained(each) for each in self._request.conditions),
            *((self._brought(each, shared["target"]), 0.0) for each in self._request.given),
            *self._baselines(),
        ]:
            rows.append(row.model_copy(update=shared))
            seconds.append(taken)
        rows = self._gauged(rows)
        return MeasuredUnit(
            revision=model.revision,
            rows=tuple(rows),
            seconds=tuple(seconds),
            wanted=self._wanted,
            evaluated=self._evaluated,
        )

    # ---------------------------------------------------------------------------------------------------- conditions

    def _explained(self, condition: Condition) -> tuple[Measured, float]:
        """A method's row, and the seconds it took to explain; measuring is not the method's price."""
        row = Measured(method=condition.method, reference=condition.reference)
        try:
            reading, outcome = self._read(condition, self._request.seed)
            if len(reading.ranking) != len(self._games[USUAL_REFERENCE].players):
                raise NotSupported(f"{condition.method} does not rank the words of this text")
            top = reading.top.players if reading.top is not None else ()
            values, curves = self._measure(np.array([reading.ranking]), top, reading, condition)
        except Cancelled:
            raise
        except Problem as problem:
            return row.model_copy(update={"problem": problem.message}), 0.0
        found = {
            "ranking": reading.ranking,
            "top": tuple(top),
            "exact": reading.exact,
            "evaluations": outcome.counts.distinct,
            "values": values,
            "curves": curves,
        }
        return row.model_copy(update=found), outcome.total_seconds

    def _read(self, condition: Condition, seed: int) -> tuple[Reading, Outcome[Any]]:
        prepared = self._explainer.prepare(condition.request(self._request.text, self._request.model, seed))
        plan = prepared.method.start(prepared.game.shape(self._target), prepared.parameters)
        outcome = self._run(plan, prepared.game, prepared.scale)
        return outcome.result.reading(), outcome

    def _brought(self, given: Given, predicted: str) -> Measured:
        """The row of an explanation that was made elsewhere: its order and its phrase, measured as a method's are."""
        row, problem = Measured(method=given.method, brought=True), given.problem
        if problem is None and given.target is not None and given.target.casefold() != predicted.casefold():
            problem = f"explains another class than the predicted one: got {quoted(given.target)}"
        if problem is None and len(given.ranking) != len(self._games[USUAL_REFERENCE].players):
            problem = "does not rank the words of this text"
        if problem is not None:
            return row.model_copy(update={"problem": problem})
        values, curves = self._measure(np.array([given.ranking]), given.top)
        found = {"ranking": given.ranking, "top": given.top, "values": values, "curves": curves}
        return row.model_copy(update=found)

    def _measure(
        self, orders: IntArray, top: Sequence[int], reading: Reading | None = None, condition: Condition | None = None
    ) -> tuple[dict[str, float | None], dict[str, tuple[float, ...]]]:
        values: dict[str, float | None] = {}
        curves: dict[str, tuple[float, ...]] = {}
        for each in self._measures:
            if each.kind.has_curve:
                curve = self._curve(each, orders)
                curves[each.name] = tuple(round(float(value), DIGITS) for value in curve)
                values[each.name] = curves[each.name][HEADLINE]
                continue
            value: float | None = None
            if each.kind.name == "normalised-aopc":
                value = self._normalised(each, orders)
            elif condition is not None and reading is not None and each.kind.name == "stability":
                value = self._stability(condition, reading)
            elif top and each.kind.name in ("cohesion", "phrase-deletion"):
                value = self._phrase(each, top)
            values[each.name] = None if value is None else round(value, DIGITS)
        return values, curves

    # ------------------------------------------------------------------------------------------------------ measures

    def _curve(self, each: Measure, orders: IntArray) -> FloatArray:
        game = self._games[each.operator or USUAL_REFERENCE]
        if each.kind.name == "sufficiency":
            return self._ask(retention(game.shape(self._target), orders), game)
        found = self._ask(removal(game.shape(self._target), orders), game)
        return {"aopc": found.drop, "log-odds": found.log_odds, "log-odds-clipped": found.log_odds_clipped}[
            each.kind.name
        ]

    def _normalised(self, each: Measure, orders: IntArray) -> float | None:
        operator = each.operator or USUAL_REFERENCE
        limits, game = self._limits(operator), self._games[operator]
        if limits is None:
            return None
        return normalised(self._ask(whole_curve(game.shape(self._target), orders), game), limits)

    def _phrase(self, each: Measure, top: Sequence[int]) -> float | None:
        game = self._games[each.operator or USUAL_REFERENCE]
        shape, drawn = game.shape(self._target), generator(self._request.seed, self._request.text, each.kind.name)
        if each.kind.name == "cohesion":
            return self._ask(cohesion(shape, top, drawn), game)
        found = self._ask(phrase_deletion(shape, top, drawn), game)
        return None if found is None else found.difference

    def _stability(self, condition: Condition, reading: Reading) -> float | None:
        """What is exact is drawn nowhere; for the rest the method is asked again with the next seed."""
        seed = (self._request.seed + 1) % 2**32
        first, second = (
            condition.request(self._request.text, self._request.model, each) for each in (self._request.seed, seed)
        )
        stand_in = reference(condition.reference)
        if reading.exact and stand_in.identity(first.wish()) == stand_in.identity(second.wish()):
            return kendall(reading.ranking, reading.ranking)
        again, _ = self._read(condition, seed)
        return kendall(reading.ranking, again.ranking)

    def _gauged(self, rows: list[Measured]) -> list[Measured]:
        """The rows with the surprise of their operators' texts, where it is asked for."""
        gauges = [each for each in self._measures if each.kind.is_gauge]
        if not gauges:
            return rows
        size = len(self._games[USUAL_REFERENCE].players)
        random = random_orders(self._request.seed, self._request.text, size)
        orders = [random if row.method == RANDOM else np.array([row.ranking]) if row.ranking else None for row in rows]
        gauging = Gauging(self._explainer, self._request.text, self._client, self._go_on)
        games = {each.name: self._games[each.operator or USUAL_REFERENCE] for each in gauges}
        try:
            found = gauging.gauged(games, orders)
        except Cancelled:
            raise
        except Problem as problem:
            # What was measured stands without a gauge.
            _log.warning("operators could not be gauged", reason=problem.message)
            return rows
        self._wanted += found.wanted
        self._evaluated += found.read
        return [
            row if row.problem is not None else row.model_copy(update={"values": row.values | _rounded(values)})
            for row, values in zip(rows, found.values, strict=True)
        ]

    # ----------------------------------------------------------------------------------------------------- baselines

    def _baselines(self) -> list[tuple[Measured, float]]:
        size = len(self._games[USUAL_REFERENCE].players)
        orders = random_orders(self._request.seed, self._request.text, size)
        values, curves = self._measure(orders, ())
        found = [(Measured(method=RANDOM, values=values, curves=curves), 0.0)]
        if self._request.best_order:
            started = time.perf_counter()
            values, curves = self._best()
            found.append((Measured(method=BEST, values=values, curves=curves), time.perf_counter() - started))
        return found

    def _best(self) -> tuple[dict[str, float | None], dict[str, tuple[float, ...]]]:
        """Each measure of the best order under its operator. What says most alone is what is removed last on the way on
        which least is lost."""
        values: dict[str, float | None] = {}
        curves: dict[str, tuple[float, ...]] = {}
        for each in self._measures:
            values[each.name] = None
            if each.operator is None or not (each.kind.has_curve or each.kind.name == "normalised-aopc"):
                continue
            if (limits := self._limits(each.operator)) is None:
                continue
            order = limits.worst[::-1] if each.kind.name == "sufficiency" else limits.best
            if each.kind.has_curve:
                curve = self._curve(each, np.array([order]))
                curves[each.name] = tuple(round(float(value), DIGITS) for value in curve)
                values[each.name] = curves[each.name][HEADLINE]
            else:
                value = self._normalised(each, np.array([order]))
                values[each.name] = None if value is None else round(value, DIGITS)
        return values, curves

    def _limits(self, operator: str) -> Bounds | None:
        if operator not in self._bounds:
            game = self._games[operator]
            short = len(game.players) <= MOST_WORDS
            self._bounds[operator] = self._ask(bounds(game.shape(self._target)), game) if short else None
        return self._bounds[operator]

    # --------------------------------------------------------------------------------------------------------- asking

    def _values(self, game: Game) -> FloatArray:
        everyone = np.ones((1, len(game.players)), dtype=bool)
        return np.asarray(np.exp(self._ask(_values(everyone), game)[0]))

    def _ask(self, plan: Plan[Result], game: Game) -> Result:
        return self._run(plan, game, "log_probability").result

    def _run(self, plan: Plan[Result], game: Game, scale: Scale) -> Outcome[Result]:
        return self._asked(plan, game, self._request.model, scale)


def models_of(request: MeasureRequest) -> set[str]:
    """The explained model, and those that the references and operators ask: loaded before, kept until the end."""
    found = {request.model}
    for each in request.conditions:
        wish = each.request(request.text, request.model, request.seed).wish()
        found.update(reference(each.reference).asks(wish))
    for name in request.measures:
        if measure(name).kind.is_gauge:
            found.add(GAUGE)
        if (operator := measure(name).operator) is not None:
            found.update(reference(operator).asks(Wish(None, request.seed)))
    return found


def _rounded(values: dict[str, float | None]) -> dict[str, float | None]:
    return {name: None if value is None else round(value, DIGITS) for name, value in values.items()}


def _values(coalitions: NDArray[np.bool_]) -> Plan[FloatArray]:
    return (yield from ask(coalitions))
