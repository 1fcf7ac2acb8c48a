"""HEDGE against Algorithm 1 call by call."""

from benchmarks import clock
from benchmarks.bench import Bench
from benchmarks.published import Hedge, OneByOne, hedge
from benchmarks.sections import Rows, Section, Target, count, seconds, times
from benchmarks.sentences import LONG, SHORT, of_length
from benchmarks.set_functions import SetFunction
from espalier.explain.hedge import HedgeResult

WANTED = 25.0
WARM_UP = 20


def measure(bench: Bench) -> Section:
    """The procedure in full on one sentence after the other, every call made."""
    texts = of_length(SHORT)[:1] if bench.quick else of_length(LONG)
    rows, ratios, same = [], [], []
    for text in texts:
        with SetFunction(bench.transformer, text) as function:
            value = OneByOne(function.game)
            for _ in range(WARM_UP):
                value(frozenset())
            value.calls = 0
            started = clock.now()
            theirs = hedge(value, function.size, function.target)
            spent = clock.now() - started
        explanation, cost = bench.job(text, "hedge")
        own = min(cost.seconds, bench.job(text, "hedge")[1].seconds)
        ratios.append(spent / own)
        same.append(_splits(explanation.result) == _published_splits(theirs))
        rows += [
            (f"Algorithm 1, “{text[:32]}…”", count(value.calls), count(len(value.seen)), seconds(spent), ""),
            (
                f"espalier, {'the same' if same[-1] else 'other'} splits",
                count(cost.evaluations),
                count(cost.distinct),
                seconds(own),
                times(ratios[-1]),
            ),
        ]
    return Section(
        "HEDGE",
        "The published procedure makes one call of the model for every value in Eq. 3 to 5, with the padded sentence "
        "and a batch of one, and remembers nothing. Every call was made.",
        [Rows("", ("", "evaluations", "distinct", "seconds", "faster"), rows)],
        [
            Target(
                "HEDGE is faster than the published procedure with the same splits",
                f"{WANTED:.0f} ×",
                f"{times(min(ratios))}" + ("" if all(same) else ", other splits"),
                min(ratios) >= WANTED and all(same),
            )
        ],
    )


def _splits(result: HedgeResult) -> list[list[int]]:
    """Where each level's spans begin."""
    return [sorted(span.start for span in level.spans) for level in result.levels]


def _published_splits(found: Hedge) -> list[list[int]]:
    return [sorted(min(span) for span in partition) for partition in found.partitions]
