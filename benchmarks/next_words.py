"""Next words of the shipped transformer: what sharing the beginnings of rows saves, in tokens and in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

import numpy as np

from benchmarks import clock, packed_rows
from benchmarks.bench import Bench
from benchmarks.sections import Rows, Section, Target, count, seconds
from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import catalog
from espalier.models.causal.model import CausalModel
from espalier.models.causal.trie import nodes
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import FloatArray, TokenRow
from espalier.text import Passage, read
from espalier.trees.tree import SpanTree

PROMPT = (
    "The common lobster lives in the eastern Atlantic Ocean , the Mediterranean Sea and parts of the Black Sea , where "
    "it hides between rocks in shallow water near the coast"
)
METHODS = ("shap", "hedge", "leave-one-out")
TURNS = 5
SAME = 1e-3
WANTED_NODES = 1.08
WANTED = {"shap": 0.7, "hedge": 0.35}
"""Of the time of all rows by themselves, at 20 words."""


class Watched:
    """A language model that remembers which rows it was asked for."""

    def __init__(self, model: CausalModel) -> None:
        self.rows: list[TokenRow] = []
        self._answer = model.outputs
        model.outputs = self  # type: ignore[method-assign]

    def __call__(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        self.rows += rows
        return self._answer(rows, outcomes)


@dataclass(frozen=True, slots=True)
class Measured:
    """One method on one prompt: its rows, the tokens that went through the network, and seconds both ways."""

    rows: list[TokenRow]
    computed: int
    shared: tuple[float, ...]
    alone: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The middle one of the turns': a machine whose speed changes from one to the next changes both its sides."""
        return median(shared / alone for shared, alone in zip(self.shared, self.alone, strict=True))


def measure(bench: Bench) -> Section:
    """The same rows twice: as they are asked for, with beginnings shared, and every row by itself in packed batches."""
    model = catalog().load("smollm2")
    assert isinstance(model, CausalModel)
    rows, targets = [], []
    for words in (6,) if bench.quick else (20, 30):
        for method in METHODS:
            found = _measured(model, method, words, 1 if bench.quick else TURNS)
            name = f"{method}, {words} words"
            tokens, whole = sum(len(row.ids) for row in found.rows), nodes(found.rows)
            counts = (count(len(found.rows)), count(tokens), count(whole), f"{whole / tokens:.2f}")
            spent = (seconds(median(each)) for each in (found.alone, found.shared))
            rows.append((name, *counts, count(found.computed), *spent))
            targets.append(_target(f"{name}: tokens computed, of one trie", WANTED_NODES, found.computed / whole))
            if words == 20 and method in WANTED:
                targets.append(_target(f"{name}: time, of every row by itself", WANTED[method], found.ratio))
        spans = _all_spans(model, words)
        tokens, whole = sum(len(row.ids) for row in spans), nodes(spans)
        rows.append(
            (
                f"all spans, {words} words",
                count(len(spans)),
                count(tokens),
                count(whole),
                f"{whole / tokens:.2f}",
                *"   ",
            )
        )
    return Section(
        "Next words",
        "Coalitions of a prompt that begin alike are computed once. Counted are the rows of an explanation (SHAP: "
        "1,024 coalitions), their tokens, the nodes of one trie of them and its share of the tokens, and the "
        "tokens that went through the network. `alone` are seconds for the same rows each by itself, in packed "
        f"batches of {packed_rows.BATCH_TOKENS} tokens: one long row without padding, torch's own attention within "
        "each, as this project runs a classifier's rows. `shared` is the whole explanation, from the request on, "
        f"with the model open, as in a worker, and nothing remembered. Both by turns, {TURNS} of them after one that "
        "does not count: seconds are the middle ones, and so is a ratio, of the turns' ratios. All spans are counted "
        "only.",
        [Rows("", ("", "rows", "tokens", "trie", "of tokens", "computed", "alone", "shared"), rows)],
        targets,
    )


def _measured(model: CausalModel, method: str, words: int, turns: int) -> Measured:
    """By turns: the machine's speed changes within minutes."""
    network, answer = model.network, model.outputs
    text = " ".join(PROMPT.split()[:words])
    outcomes = model.choose(model.encode(read(text)))
    shared, alone = [], []
    explainer = Explainer(lambda _: model, _no_tree)
    _explain(explainer, method, text)  # what is imported at the first use is no part of it
    for _ in range(turns):
        network.forget()
        watched = Watched(model)
        before, started = network.computed, clock.now()  # type: ignore[attr-defined]
        _explain(explainer, method, text)
        shared.append(clock.now() - started)
        computed = network.computed - before  # type: ignore[attr-defined]
        model.outputs = answer  # type: ignore[method-assign]
        started = clock.now()
        by_themselves = packed_rows.outputs(model, watched.rows, outcomes)
        alone.append(clock.now() - started)
    explainer.close()
    apart = np.abs(by_themselves[:8] - model.outputs(watched.rows[:8], outcomes)).max()
    assert apart < SAME, f"rows by themselves say something else: got {apart}, possible is {SAME} or less"
    return Measured(watched.rows, computed, tuple(shared), tuple(alone))


def _explain(explainer: Explainer, method: str, text: str) -> None:
    """As a worker does it, whose model stays open, but with pools of its own: nothing is remembered."""
    parameters = {"budget": 1024} if method == "shap" else {}
    request = ExplanationRequest(text=text, model="smollm2", method=method, parameters=parameters)
    explainer.apart().explain(request)


def _all_spans(model: CausalModel, words: int) -> list[TokenRow]:
    """A row for every span of words: what trees and ladders mostly ask for."""
    encoding = model.encode(read(" ".join(PROMPT.split()[:words])))
    whole = encoding.row()
    kept = (
        np.array([place for place, owner in enumerate(encoding.owners) if owner is None or start <= owner < end])
        for start, end in combinations(range(words + 1), 2)
    )
    return [TokenRow(whole.ids[each], whole.positions[each], whole.length) for each in kept]


def _no_tree(_: Passage) -> SpanTree:
    raise NotImplementedError("no method that is measured here asks for a tree")


def _target(name: str, wanted: float, got: float) -> Target:
    return Target(name, f"≤ {wanted:g}", f"{got:.2f}", got <= wanted)
