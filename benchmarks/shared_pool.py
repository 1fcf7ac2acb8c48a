"""One sentence explained by all five methods: who asks, and what the model has to answer."""

from benchmarks import clock
from benchmarks.bench import TRANSFORMER, Bench
from benchmarks.overhead import METHODS
from benchmarks.sections import Rows, Section, Target, count, seconds
from benchmarks.sentences import LONG, SHORT, of_length
from espalier.explain.request import ExplanationRequest


def measure(bench: Bench) -> Section:
    """The model itself counts the rows it is given: a row it sees twice is a coalition evaluated twice."""
    text = of_length(SHORT if bench.quick else LONG)[0]
    explainer = bench.explainer()
    bench.transformer.forget()
    rows, distinct = [], 0
    for method in METHODS:
        started = clock.now()
        evaluations = explainer.explain(ExplanationRequest(text=text, model=TRANSFORMER, method=method)).evaluations
        spent = clock.now() - started
        distinct += evaluations.distinct
        rows.append(
            (method, count(evaluations.asked), count(evaluations.distinct), count(evaluations.reused), seconds(spent))
        )
    explainer.close()
    evaluated, union = bench.transformer.rows, len(bench.transformer.distinct_rows)
    return Section(
        "One pool",
        f"The five methods one after the other on one sentence, each with its usual settings. They have {distinct:,} "
        f"distinct coalitions each for itself, {union:,} together; the model evaluated {evaluated:,}.",
        [Rows("", ("", "asked", "distinct", "known before", "seconds"), rows)],
        [
            Target(
                "Five methods on one sentence evaluate each distinct coalition once",
                f"{union:,}",
                f"{evaluated:,}",
                evaluated == union,
            )
        ],
    )
