"""LS-Tree on a long text, outside the model."""

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks import clock
from benchmarks.bench import Bench
from benchmarks.sections import Rows, Section, Target, count
from benchmarks.sentences import halved, passage_of
from espalier.engine.explainer import Explainer
from espalier.explain.plan import BoolArray, FloatArray, GameShape
from espalier.explain.registry import method
from espalier.explain.request import ExplanationRequest
from espalier.explain.toy import Toy
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import Encoding, TokenRow
from espalier.text import Passage
from espalier.trees.tree import SpanTree, from_spans

WORDS = 400
WANTED_MILLISECONDS = 50.0
REPEATS = 7


class Instant:
    """A model that answers at once: all time that is left is spent outside the model."""

    name, revision, max_length = "instant", "1", 10_000
    mask_id = pad_id = None
    family = "callable"
    classes = ("no", "yes")
    outcomes = Outcomes(classes)

    def encode(self, passage: Passage, pair: Passage | None = None) -> Encoding:
        words = tuple(word.text for word in passage.words)
        return Encoding(tuple(range(len(words))), tuple(range(len(words))), words)

    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        return np.zeros((len(rows), len(outcomes or self.outcomes)))

    def inspect(self, question: str, **arguments: object) -> None:
        raise NotImplementedError(question)


def measure(bench: Bench) -> Section:
    """The plan alone, and the whole job with a model that answers at once; median of several runs."""
    text = passage_of(WORDS)
    rows, worst = [], 0.0
    for name, tree in (("halved", halved(WORDS)), ("every phrase one word longer", chain(WORDS))):
        plan = milliseconds(lambda tree=tree: run_plan(tree))
        with_engine = milliseconds(lambda tree=tree: run_job(text, tree))
        rows.append((name, count(len(tree.nodes)), f"{plan:.1f} ms", f"{with_engine:.1f} ms"))
        worst = max(worst, with_engine)
    return Section(
        "LS-Tree outside the model",
        "The method alone, and a whole job with a model that answers at once: text, players, pool, batches, the fit "
        "and the result.",
        [Rows(f"{WORDS} words", ("tree", "nodes", "method", "whole job"), rows)],
        [
            Target(
                f"LS-Tree on {WORDS} words outside the model",
                f"below {WANTED_MILLISECONDS:.0f} ms",
                f"{worst:.1f} ms",
                worst < WANTED_MILLISECONDS,
            )
        ],
    )


def run_plan(tree: SpanTree) -> None:
    ls_tree = method("ls-tree")
    shape = GameShape(("word",) * tree.size, ("class",), 0, tree)
    Toy(_sizes).run(ls_tree.start(shape, ls_tree.parameters()))


def run_job(text: str, tree: SpanTree) -> None:
    explainer = Explainer(lambda _: Instant(), lambda _: tree)
    explainer.explain(ExplanationRequest(text=text, model="instant", method="ls-tree"))
    explainer.close()


def chain(words: int) -> SpanTree:
    """The deepest tree there is."""
    return from_spans(words, {(0, end): ("X",) for end in range(2, words + 1)})


def milliseconds(run: Callable[[], None]) -> float:
    spent = []
    for _ in range(REPEATS):
        started = clock.now()
        run()
        spent.append(clock.now() - started)
    return 1000 * float(np.median(spent))


def _sizes(coalitions: BoolArray) -> FloatArray:
    return coalitions.sum(axis=1).astype(np.float64)
