"""SHAP values of a next word against other libraries as they are used: seconds for the same error."""

import numpy as np

from benchmarks import clock, exact
from benchmarks.bench import Bench
from benchmarks.curves import Curve, Point, cost_to_reach
from benchmarks.next_word_peers import PEERS, FloatArray, Peer, Prompt
from benchmarks.next_words import PROMPT
from benchmarks.sections import Rows, Section, Target, count, percent, seconds, times
from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import catalog
from espalier.models.causal.model import CausalModel
from espalier.scale import Scale
from espalier.text import Passage
from espalier.trees.tree import SpanTree

WORDS, QUICK_WORDS = 20, 6
BUDGETS, QUICK_BUDGETS = (240, 480), (24,)
OWN_BUDGETS, QUICK_OWN_BUDGETS = (24, 48, 96, 160, 256, 512, 1024), (32, 64)
SEEDS = 2
TRUTH_BUDGET, TRUTH_SEED = 8192, 12_345
WANTED = 5.0


def measure(bench: Bench) -> Section:
    """Everybody explains the likeliest next word of one prompt; absent words are cut out."""
    model = catalog().load("smollm2")
    assert isinstance(model, CausalModel)
    text = " ".join(PROMPT.split()[: QUICK_WORDS if bench.quick else WORDS])
    outcome = " of" if not bench.quick else " eastern"
    prompt = Prompt(model, text, outcome)
    truths = {peer: _truth(model, text, outcome, peer, bench) for peer in PEERS}
    own = {
        (scale, method): _own_curve(model, text, outcome, scale, method, truth, bench)
        for (scale, method), truth in {(peer.scale, peer.method): truth for peer, truth in truths.items()}.items()
    }
    rows, ratios = [], {}
    for (scale, method), curve in own.items():
        rows += [_row(f"espalier, {method}, {scale}", point, None) for point in curve]
    for peer, truth in truths.items():
        curve = _curve(peer, prompt, truth, bench)
        reached = cost_to_reach(own[peer.scale, peer.method], max(curve[-1].error, 1e-6))
        ratios[peer] = None if reached is None else curve[-1].cost / reached
        rows += [_row(peer.name, point, ratios[peer] if point is curve[-1] else None) for point in curve]
    return Section(
        "Next words against other libraries",
        f"A prompt of {len(prompt.words)} words of which some are cut out, and the next word {outcome!r}, on the "
        "shipped transformer. Other libraries are used as their documentation does: captum's LLMAttribution, shap's "
        "TeacherForcing, and shapiq on a function of texts in padded batches. Errors are those of SHAP values: root "
        "mean square over the words, in percent of that of the truth, a long run of this project's estimator; captum's "
        "values are log-probabilities and compared with such. FeatureAblation leaves each word out once: held against "
        "SHAP values as everybody else, and in the last line of its two against leave-one-out, the same numbers. "
        "`faster`: a library's seconds for its smallest error, over the "
        "seconds this project takes for that error.",
        [Rows("", ("", "evaluations", "error", "seconds", "faster"), rows)],
        [
            Target(
                f"{peer.name}: next-word values of the same error in less time",
                f"{WANTED:.0f} ×",
                "not reached" if ratio is None else times(ratio),
                ratio is not None and ratio >= WANTED,
            )
            for peer, ratio in ratios.items()
        ],
    )


def _row(name: str, point: Point, ratio: float | None) -> tuple[str, ...]:
    return name, count(point.evaluations), percent(point.error), seconds(point.cost), times(ratio) if ratio else ""


def _curve(peer: Peer, prompt: Prompt, truth: FloatArray, bench: Bench) -> Curve:
    budgets = QUICK_BUDGETS if bench.quick else BUDGETS
    if peer.budget is not None:
        budgets = (peer.budget * len(prompt.words) + 1,)
    curve = []
    for budget in budgets:
        squares, taken = [], []
        for seed in range(1 if bench.quick or peer.budget is not None else SEEDS):
            started = clock.now()
            found = peer.estimate(prompt, budget, seed)
            taken.append(clock.now() - started)
            squares.append(exact.relative_error(found, truth) ** 2)
        curve.append(Point(budget, budget, budget, float(np.sqrt(np.mean(squares))), float(np.mean(taken))))
    return curve


def _truth(model: CausalModel, text: str, outcome: str, peer: Peer, bench: Bench) -> FloatArray:
    settings = {"budget": TRUTH_BUDGET, "seed": TRUTH_SEED} if peer.method == "shap" and not bench.quick else {}
    return _explain(model, text, outcome, peer.scale, peer.method, settings)[0]


def _own_curve(
    model: CausalModel, text: str, outcome: str, scale: Scale, method: str, truth: FloatArray, bench: Bench
) -> Curve:
    curve = []
    budgets = QUICK_OWN_BUDGETS if bench.quick else OWN_BUDGETS
    for budget in budgets if method == "shap" else (len(text.split()) + 1,):
        squares, taken = [], []
        for seed in range(1 if bench.quick else SEEDS):
            settings = {"budget": budget, "seed": seed} if method == "shap" else {}
            values, spent = _explain(model, text, outcome, scale, method, settings)
            squares.append(exact.relative_error(values, truth) ** 2)
            taken.append(spent)
        curve.append(Point(budget, budget, budget, float(np.sqrt(np.mean(squares))), float(np.mean(taken))))
    return curve


def _explain(
    model: CausalModel, text: str, outcome: str, scale: Scale, method: str, settings: dict[str, int]
) -> tuple[FloatArray, float]:
    """From the request to the values, with nothing remembered."""
    model.network.forget()
    explainer = Explainer(lambda _: model, _no_tree)
    request = ExplanationRequest(
        text=text,
        model="smollm2",
        method=method,
        outcome=outcome,
        reference="delete",
        scale=scale,
        parameters=settings,
    )
    started = clock.now()
    found = explainer.explain(request)
    spent = clock.now() - started
    explainer.close()
    return np.asarray(found.result.values), spent


def _no_tree(_: Passage) -> SpanTree:
    raise NotImplementedError("no method that is measured here asks for a tree")
