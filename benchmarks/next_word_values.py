"""SHAP values of a next word against other libraries as they are used: seconds for the same error."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks import clock
from benchmarks.bench import Bench
from benchmarks.curves import Curve, Point, cost_to_reach
from benchmarks.next_word_peers import PEERS, FloatArray, Peer, Prompt
from benchmarks.next_word_truth import THIRTY, TWENTIES, Truth
from benchmarks.next_words import PROMPT
from benchmarks.sections import Rows, Section, Target, count, percent, seconds, times
from espalier.engine.explainer import Explainer
from espalier.explain.coalitions.draw import minimum_budget
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import catalog
from espalier.models.causal.model import CausalModel
from espalier.scale import Scale
from espalier.text import Passage, read
from espalier.trees.tree import SpanTree

SCALES: tuple[Scale, ...] = ("log_odds", "log_probability")
BUDGET, QUICK_BUDGET = 240, 24
OWN_BUDGETS, QUICK_OWN_BUDGETS = (24, 48, 96, 192, 384, 768), (32, 64)
TRUTH_BUDGET, TRUTH_SEED = 8192, 12_345
WANTED = 5.0

Settings = dict[str, int | str]


@dataclass(frozen=True, slots=True)
class Contest:
    """What came out for one prompt: rows of a table, and how many times faster this project is than each library."""

    title: str
    rows: list[tuple[str, ...]]
    ratios: dict[Peer, float | None]

    @property
    def against_the_best(self) -> float | None:
        """Of those that estimate SHAP values, the one that is hardest to beat."""
        ratios = [ratio for peer, ratio in self.ratios.items() if peer.budget is None]
        known = [ratio for ratio in ratios if ratio is not None]
        return min(known) if len(known) == len(ratios) else None


def measure(bench: Bench) -> Section:
    """Everybody explains the likeliest next word of each prompt; absent words are cut out."""
    model = catalog().load("smollm2")
    assert isinstance(model, CausalModel)
    if bench.quick:
        contests = [_contest(model, " ".join(PROMPT.split()[:6]), 1, QUICK_BUDGET, QUICK_OWN_BUDGETS, {})]
    else:
        # By random orders: unbiased, and nothing of it is shared with the estimator that is measured.
        precise: Settings = {"algorithm": "permutation", "budget": TRUTH_BUDGET, "seed": TRUTH_SEED}
        prompts = [*((text, 2) for text in TWENTIES), (THIRTY, 1)]
        contests = [_contest(model, text, seeds, BUDGET, OWN_BUDGETS, precise) for text, seeds in prompts]
    return Section(
        "Next words against other libraries",
        "Prompts of which some words are cut out, and their likeliest next word, on the shipped transformer. "
        "Other libraries are used as their documentation does: captum's LLMAttribution, shap's TeacherForcing, "
        "and shapiq on a function of texts in padded batches. Errors are those of SHAP values: root mean square "
        "over the words, in percent of that of the truth, from random orders and their reverses with "
        f"{TRUTH_BUDGET:,} coalitions, another estimator than this project's own; the truth's own variance is "
        "taken off. Two seeds for 20 words, one for 30. captum's values are log-probabilities and compared with "
        "such. FeatureAblation leaves each word out once: held against SHAP values as everybody else, and in the "
        "last line of its two against leave-one-out by plain transformers, the same numbers. `faster`: a "
        "library's seconds, over the seconds this project takes for the same error (interpolated; at least its "
        "smallest budget).",
        [Rows(each.title, ("", "evaluations", "error", "seconds", "faster"), each.rows) for each in contests],
        [
            _target(
                "ours against the best of shap, captum, shapiq at equal error", [c.against_the_best for c in contests]
            ),
            *(
                _target(
                    f"{peer.name}: next-word values of the same error in less time", [c.ratios[peer] for c in contests]
                )
                for peer in PEERS
            ),
        ],
    )


def _target(claim: str, ratios: Sequence[float | None]) -> Target:
    """The geometric mean over the prompts; none of them may be missed altogether."""
    known = [ratio for ratio in ratios if ratio is not None]
    each = ", ".join("not reached" if ratio is None else times(ratio) for ratio in ratios)
    if len(known) < len(ratios):
        return Target(claim, f"{WANTED:.0f} ×", each, met=False)
    mean = float(np.exp(np.mean(np.log(known))))
    return Target(claim, f"{WANTED:.0f} ×", f"{times(mean)} ({each})", mean >= WANTED)


def _contest(
    model: CausalModel, text: str, seeds: int, budget: int, own_budgets: Sequence[int], precise: Settings
) -> Contest:
    outcome = model.choose(model.encode(read(text)), count=1).names[0]
    prompt = Prompt(model, text, outcome)
    truths = _truths(model, prompt, text, precise)
    # Below the least budget nothing is estimated: the curve begins there.
    budgets = sorted({max(minimum_budget(len(prompt.words)), budget) for budget in own_budgets})
    own = _own_curves(model, text, outcome, truths, seeds, budgets)
    rows = [_row(f"espalier, {method}, {scale}", point) for (scale, method), curve in own.items() for point in curve]
    ratios: dict[Peer, float | None] = {}
    for peer in PEERS:
        point = _point(peer, prompt, truths[peer.scale, peer.method], seeds, budget)
        reached = cost_to_reach(own[peer.scale, peer.method], point.error)
        ratios[peer] = None if reached is None else point.cost / reached
        rows.append(_row(peer.name, point, ratios[peer]))
    unsure = truths["log_odds", "shap"].uncertain
    title = f"{len(prompt.words)} words, then “{outcome.strip()}” (the truth itself is uncertain by {percent(unsure)})"
    return Contest(title, rows, ratios)


def _row(name: str, point: Point, ratio: float | None = None) -> tuple[str, ...]:
    return name, count(point.evaluations), percent(point.error), seconds(point.cost), times(ratio) if ratio else ""


def _point(peer: Peer, prompt: Prompt, truth: Truth, seeds: int, budget: int) -> Point:
    if peer.budget is not None:
        budget, seeds = peer.budget * len(prompt.words) + 1, 1
    found, taken = [], []
    for seed in range(seeds):
        started = clock.now()
        found.append(peer.estimate(prompt, budget, seed))
        taken.append(clock.now() - started)
    return Point(budget, budget, budget, truth.error_of(found), float(np.mean(taken)))


def _truths(model: CausalModel, prompt: Prompt, text: str, precise: Settings) -> dict[tuple[Scale, str], Truth]:
    """SHAP values in both scales, from one run; leave-one-out from plain transformers."""
    asked = _Asked(model, text, prompt.outcome)
    truths: dict[tuple[Scale, str], Truth] = {(scale, "shap"): asked.truth(scale, precise) for scale in SCALES}
    asked.close()
    size = len(prompt.words)
    full, *without = prompt.log_probability(np.vstack([np.ones((1, size), dtype=bool), ~np.eye(size, dtype=bool)]))
    truths["log_probability", "leave-one-out"] = Truth(full - np.array(without), np.zeros(size))
    return truths


def _own_curves(
    model: CausalModel,
    text: str,
    outcome: str,
    truths: dict[tuple[Scale, str], Truth],
    seeds: int,
    budgets: Sequence[int],
) -> dict[tuple[Scale, str], Curve]:
    """The same coalitions give the values in both scales, so they are run, and timed, once."""
    curves: dict[tuple[Scale, str], Curve] = {key: [] for key in truths}
    for budget in budgets:
        found: dict[Scale, list[FloatArray]] = {scale: [] for scale in SCALES}
        taken = []
        for seed in range(seeds):
            asked = _Asked(model, text, outcome)
            for scale in SCALES:
                values, spent = asked.values(scale, "shap", {"budget": budget, "seed": seed})
                found[scale].append(values)
                taken += [spent] if scale == SCALES[0] else []
            asked.close()
        for scale in SCALES:
            error = truths[scale, "shap"].error_of(found[scale])
            curves[scale, "shap"].append(Point(budget, budget, budget, error, float(np.mean(taken))))
    asked = _Asked(model, text, outcome)
    values, spent = asked.values("log_probability", "leave-one-out", {})
    asked.close()
    error, number = truths["log_probability", "leave-one-out"].error_of([values]), len(values) + 1
    curves["log_probability", "leave-one-out"].append(Point(number, number, number, error, spent))
    return curves


class _Asked:
    """One prompt and one next word, from scratch: nothing is remembered from before."""

    def __init__(self, model: CausalModel, text: str, outcome: str) -> None:
        model.network.forget()
        self._explainer = Explainer(lambda _: model, _no_tree)
        self._text, self._outcome = text, outcome

    def values(self, scale: Scale, method: str, settings: Settings) -> tuple[FloatArray, float]:
        """From the request to the values."""
        started = clock.now()
        result = self._explain(scale, method, settings)
        return np.asarray(result.values), clock.now() - started

    def truth(self, scale: Scale, settings: Settings) -> Truth:
        result = self._explain(scale, "shap", settings)
        return Truth(np.asarray(result.values), np.asarray(result.standard_errors))

    def close(self) -> None:
        self._explainer.close()

    def _explain(self, scale: Scale, method: str, settings: Settings):  # type: ignore[no-untyped-def]
        request = ExplanationRequest(
            text=self._text,
            model="smollm2",
            method=method,
            outcome=self._outcome,
            reference="delete",
            scale=scale,
            parameters=settings,
        )
        return self._explainer.explain(request).result


def _no_tree(_: Passage) -> SpanTree:
    raise NotImplementedError("no method that is measured here asks for a tree")
