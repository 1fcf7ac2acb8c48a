"""A run: a dataset, models × methods × references, measures, a seed. And what it will cost."""

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel, Field, field_validator

from espalier.datasets.forms import Form
from espalier.explain.registry import Method
from espalier.explain.request import ExplanationRequest
from espalier.fields import MOST_PARAMETERS, Name, Several
from espalier.games.references import USUAL_REFERENCE, ReferenceName
from espalier.lab.foreign.brought import brought, of_model
from espalier.lab.foreign.forms import ExplanationFile, Explanations, KeptExplanations
from espalier.lab.run_design import Lengths, RunDesign, classifier, each_once, kept_dataset
from espalier.measure.bounds import MOST_WORDS, expected_bounds
from espalier.measure.gauge import gauges_of, operators_of, texts_read
from espalier.measure.registry import GAUGE, USUAL, Measure, measure
from espalier.measure.request import BEST, LONGEST, RANDOM, Condition, Given, MeasureRequest
from espalier.models.describe import Described, Shelf
from espalier.problems import BadParameter, NotSupported, TooLong

MOST_METHODS = 16
MOST_ROWS = 400_000
"""Rows of one run: ten thousand texts with two models and twenty conditions."""

MOST_EVALUATIONS = 2_000_000_000


class MethodChoice(Form):
    """A method with its settings."""

    method: Name
    parameters: dict[Name, Any] = Field(default={}, max_length=MOST_PARAMETERS)


class EvaluationDesign(RunDesign):
    """Everything that decides a run. The same design on the same models gives the same rows."""

    methods: Several[MethodChoice] = Field(default=(), max_length=MOST_METHODS)
    explanations: Explanations | None = Field(
        default=None, description="Explanations that were made elsewhere, measured beside the methods."
    )
    references: Several[ReferenceName] = Field(default=(USUAL_REFERENCE,), min_length=1, max_length=8)
    measures: Several[Name] = Field(default=USUAL, min_length=1, max_length=32)
    best_order: bool = Field(
        default=True, description="Search for the best order of every text's words: a line to compare with, and work."
    )

    gauge: bool = Field(
        default=True,
        description="Say beside every operator how surprised a language model is by the texts that it makes.",
    )

    _several_once = field_validator("references", "measures", "methods")(each_once)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Methods, each with every reference."""
        return tuple(
            Condition(method=choice.method, reference=reference, parameters=choice.parameters)
            for choice in self.methods
            for reference in self.references
        )

    @property
    def explainers(self) -> tuple[str, ...]:
        """Who made the explanations that were brought, as a table calls them: our own methods keep their names."""
        if self.explanations is None:
            return ()
        taken = {choice.method for choice in self.methods} | {RANDOM, BEST}
        return tuple(f"{name} (brought)" if name in taken else name for name in self.explanations.explainers)

    @property
    def compared(self) -> int:
        """Lines of a table that are held against each other: all but the baselines."""
        return len(self.conditions) + len(self.explainers)

    @property
    def labels(self) -> tuple[tuple[str, str], ...]:
        """Method and reference of every line of a table: what was brought has no reference, and the baselines, which
        are the last, have none."""
        lines = [(each.method, each.reference) for each in self.conditions]
        own = [(name, "") for name in self.explainers]
        return (*lines, *own, (RANDOM, ""), *([(BEST, "")] if self.best_order else []))

    def measured(self) -> tuple[Measure, ...]:
        return tuple(measure(name) for name in self.measures)

    @property
    def operators(self) -> tuple[str, ...]:
        """Beside which a gauge stands: those of the measures, but for measures that are gauges themselves."""
        return operators_of(each for each in self.measured() if not each.kind.is_gauge) if self.gauge else ()

    def recorded(self) -> tuple[Measure, ...]:
        """What is written of every row: the measures, and the gauges of their operators."""
        return each_once((*self.measured(), *gauges_of(self.operators)))

    def unit(self, text: str, model: str, suited: Sequence[int], given: Sequence[Given] = ()) -> MeasureRequest:
        """What is measured of a text on a model; `given` is all that was brought of the text."""
        conditions = self.conditions
        explainers = () if self.explanations is None else self.explanations.explainers
        return MeasureRequest(
            text=text,
            model=model,
            conditions=tuple(conditions[index] for index in suited),
            given=of_model(given, explainers, self.explainers, model),
            measures=tuple(each.name for each in self.recorded()),
            seed=self.seed,
            best_order=self.best_order,
        )


class LeftOut(BaseModel):
    """A method that one of the models cannot be explained with."""

    model: str
    method: str
    reason: str


class EvaluationPlan(BaseModel):
    """What a run will take, before it is begun."""

    texts: int
    units: int = Field(description="Texts times models: the steps of its progress.")
    rows: int
    evaluations: int = Field(description="Texts the models are asked about: at most about so many.")
    by_methods: int
    by_measures: int
    by_best_order: int
    by_gauge: int = Field(description="Texts that the gauge's language model reads.")
    words: dict[int, int] = Field(description="Length in words to number of texts.")
    left_out: list[LeftOut]
    warnings: list[str]


def check(design: EvaluationDesign, shelf: Shelf) -> tuple[dict[str, list[int]], list[LeftOut]]:
    """For each model the conditions that it can be explained with. What is wrong for all texts is refused here."""
    if not design.compared:
        raise BadParameter("nothing to measure: got no method and no explanations, possible is at least one of them")
    if any(each.kind.is_gauge for each in design.measured()):
        shelf.get(GAUGE)
    suited: dict[str, list[int]] = {}
    left_out: list[LeftOut] = []
    for condition in design.conditions:
        condition.request("", design.models[0], design.seed).settings()
    for name in design.models:
        model = classifier(name, shelf)
        suited[name] = []
        for index, condition in enumerate(design.conditions):
            method, _ = condition.request("", name, design.seed).settings()
            if reason := _unsuited(method, model, shelf):
                left_out.append(LeftOut(model=name, method=condition.method, reason=reason))
            else:
                suited[name].append(index)
    if not any(suited.values()) and not design.explainers:
        raise BadParameter(f"nothing can be explained: {left_out[0].reason}")
    return suited, left_out


def plan(design: EvaluationDesign, shelf: Shelf) -> EvaluationPlan:
    """Refuses what cannot be done, and says what the rest will take."""
    asked, design = design, settled(design, shelf)
    suited, left_out = check(design, shelf)
    texts = design.texts()
    rows = len(texts) * sum(len(each) + len(design.labels) - len(design.conditions) for each in suited.values())
    if rows > MOST_ROWS:
        raise TooLong(
            f"too large a run: got {rows:,} rows ({len(texts):,} texts, {len(design.models)} models), possible are up "
            f"to {MOST_ROWS:,}; draw fewer texts (most_texts) or compare fewer methods"
        )
    lengths = Lengths.of(texts)
    found = brought(design.explanations, [row.text for row in texts], design.models)
    methods, measures, search, gauge = _work(design, suited, lengths.words)
    evaluations = methods + measures + search + gauge
    if evaluations > MOST_EVALUATIONS:
        raise TooLong(
            f"too much work: got about {evaluations:,} evaluations, possible are up to "
            f"{MOST_EVALUATIONS:,}; draw fewer texts (most_texts)"
        )
    return EvaluationPlan(
        texts=len(texts),
        units=len(texts) * len(design.models),
        rows=rows,
        evaluations=evaluations,
        by_methods=methods,
        by_measures=measures,
        by_best_order=search,
        by_gauge=gauge,
        words=dict(sorted(lengths.words.items())),
        left_out=left_out,
        warnings=[*_no_gauge(asked, design), *_warnings(design, len(texts), lengths), *found.warnings],
    )


def settled(design: EvaluationDesign, shelf: Shelf) -> EvaluationDesign:
    """As it can be done here: a gauge that nobody asked for is no reason to refuse a run where its model is missing."""
    known = {each.entry.name for each in shelf.described()}
    return design if GAUGE in known else design.model_copy(update={"gauge": False})


def _no_gauge(asked: EvaluationDesign, design: EvaluationDesign) -> list[str]:
    return [f"no gauge stands beside the operators: {GAUGE} is not in this catalog"] if asked != design else []


def kept_design(design: EvaluationDesign, rows: int) -> EvaluationDesign:
    """What a run keeps of its design once its texts, and what was brought of them, are stored with it."""
    changes: dict[str, Any] = {"dataset": kept_dataset(design.dataset, rows)}
    if isinstance(file := design.explanations, ExplanationFile):
        changes["explanations"] = KeptExplanations(name=file.name, explainers=file.explainers)
    return design.model_copy(update=changes)


def _unsuited(method: Method, model: Described, shelf: Shelf) -> str | None:
    try:
        shelf.check(method, model)
    except NotSupported as problem:
        return problem.message
    return None


def _work(design: EvaluationDesign, suited: dict[str, list[int]], lengths: dict[int, int]) -> tuple[int, ...]:
    """Evaluations of methods, of measures, of the search for the best order and of the gauge, as if they shared
    nothing."""
    measured = design.measured()
    operators = {each.operator for each in measured if each.operator and (each.kind.has_curve or _needs_bounds(each))}
    methods = measures = search = gauge = 0
    gauged = operators_of(each for each in design.recorded() if each.kind.is_gauge)
    twice = 2 if any(each.kind.name == "stability" for each in measured) else 1
    conditions, elsewhere = design.conditions, len(design.explainers)
    for size, count in lengths.items():
        if size > LONGEST:
            continue
        price = [_price(condition.request("", design.models[0], design.seed), size) for condition in conditions]
        once = sum(
            each.kind.once(size) - (expected_bounds(size) if _needs_bounds(each) and size <= MOST_WORDS else 0)
            for each in measured
        )
        bounded = sum(
            expected_bounds(size)
            for operator in operators
            if size <= MOST_WORDS and (design.best_order or _bounds_of(measured, operator))
        )
        for indices in suited.values():
            methods += count * twice * sum(price[index] for index in indices)
            measures += count * (once + (len(indices) + elsewhere) * sum(each.kind.costs(size) for each in measured))
            search += count * bounded
            gauge += count * texts_read(gauged, len(indices) + elsewhere)
    return methods, measures, search, gauge


def _needs_bounds(each: Measure) -> bool:
    return each.kind.name == "normalised-aopc"


def _bounds_of(measured: Sequence[Measure], operator: str) -> bool:
    return any(_needs_bounds(each) and each.operator == operator for each in measured)


def _price(request: ExplanationRequest, size: int) -> int:
    """Where a method cannot know, the square of the words, four times: what splitting a text takes."""
    method, parameters = request.settings()
    if method.inspects:
        return 2
    expected: Callable[[int, Any], int | None] = method.expected
    found = expected(size, parameters)
    return min(4 * size * size, 2**size) if found is None else found


def _warnings(design: EvaluationDesign, texts: int, lengths: Lengths) -> list[str]:
    found = lengths.warnings(texts)
    if len(design.models) > 1 and any(each.kind.name == "aopc" for each in design.measured()):
        found.append("AOPC of two models must not be compared: how far it can go differs by model; normalised AOPC may")
    if beyond := lengths.above(LONGEST):
        found.append(f"{beyond} texts have more than {LONGEST} words and cannot be measured; their rows will say so")
    long = lengths.above(MOST_WORDS)
    if long and (design.best_order or any(_needs_bounds(each) for each in design.measured())):
        found.append(f"{long} texts have more than {MOST_WORDS} words: no best order is searched for in them")
    return found
