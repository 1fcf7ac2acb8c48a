"""Next words of the shipped transformer: what sharing the beginnings of rows saves, in tokens and in time."""

from collections.abc import Sequence

from benchmarks import clock
from benchmarks.bench import Bench
from benchmarks.sections import Rows, Section, Target, count, seconds
from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import catalog
from espalier.models.causal.model import CausalModel
from espalier.models.causal.trie import nodes
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import FloatArray, TokenRow
from espalier.text import Passage
from espalier.trees.tree import SpanTree

PROMPT = (
    "The common lobster lives in the eastern Atlantic Ocean , the Mediterranean Sea and parts of the Black Sea , where "
    "it hides between rocks in shallow water near the coast"
)
BATCH_TOKENS = 768
WANTED_NODES = 1.08
WANTED = {"shap": 0.7, "hedge": 0.35}


class Watched:
    """A language model that remembers which rows it was asked for."""

    def __init__(self, model: CausalModel) -> None:
        self.rows: list[TokenRow] = []
        self._answer = model.outputs
        model.outputs = self  # type: ignore[method-assign]

    def __call__(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        self.rows += rows
        return self._answer(rows, outcomes)


def measure(bench: Bench) -> Section:
    """The same rows twice: as they are asked for, with beginnings shared, and every row by itself in full batches."""
    model = catalog().load("smollm2")
    assert isinstance(model, CausalModel)
    network, answer = model.network, model.outputs
    rows, targets = [], []
    for method in ("shap", "hedge"):
        for words in (6,) if bench.quick else (20, 30):
            network.forget()
            watched = Watched(model)
            before, started = network.computed, clock.now()  # type: ignore[attr-defined]
            explained = _explain(model, method, words)
            own = clock.now() - started
            computed = network.computed - before  # type: ignore[attr-defined]
            model.outputs = answer  # type: ignore[method-assign]
            alone = _alone(model, watched.rows, model.choose(model.encode(explained)))
            tokens, whole = sum(len(row.ids) for row in watched.rows), nodes(watched.rows)
            name = f"{method}, {words} words"
            rows.append((name, count(tokens), count(whole), count(computed), seconds(alone), seconds(own)))
            targets.append(_target(f"{name}: tokens computed, of one trie", WANTED_NODES, computed / whole))
            if words == 20:
                targets.append(_target(f"{name}: time, of every row by itself", WANTED[method], own / alone))
    return Section(
        "Next words",
        "Coalitions of a prompt that begin alike are computed once. Counted are the tokens of all rows, the nodes of "
        "one trie of them, and the tokens that went through the network; timed are the same rows each by itself in "
        f"batches of {BATCH_TOKENS} tokens, and the whole explanation.",
        [Rows("", ("", "tokens", "trie", "computed", "alone", "shared"), rows)],
        targets,
    )


def _explain(model: CausalModel, method: str, words: int) -> Passage:
    from espalier.text import read

    text = " ".join(PROMPT.split()[:words])
    parameters = {"budget": 1024} if method == "shap" else {}
    request = ExplanationRequest(text=text, model="smollm2", method=method, parameters=parameters)
    Explainer(lambda _: model, _no_tree).explain(request)
    return read(text)


def _alone(model: CausalModel, rows: list[TokenRow], outcomes: Outcomes) -> float:
    """Seconds for all rows, the longest first, none of which knows of another."""
    network = model.network
    network.shares = False  # type: ignore[attr-defined]
    waiting = sorted(rows, key=lambda row: -len(row.ids))
    started = clock.now()
    try:
        while waiting:
            size = max(1, BATCH_TOKENS // len(waiting[0].ids))
            model.outputs(waiting[:size], outcomes)
            waiting = waiting[size:]
    finally:
        network.shares = True  # type: ignore[attr-defined]
    return clock.now() - started


def _no_tree(_: Passage) -> SpanTree:
    raise NotImplementedError("no method that is measured here asks for a tree")


def _target(name: str, wanted: float, got: float) -> Target:
    return Target(name, f"≤ {wanted:g}", f"{got:.2f}", got <= wanted)
