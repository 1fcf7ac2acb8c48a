"""What stands in for an absent word, compared: ASIV, SHAP and HEDGE under all references, as Table 1 of the ASIV paper.

    python -m benchmarks.references sst2_dev.tsv                        100 sentences, about an hour on two quiet cores;
                                                                        goes on where it was stopped
    python -m benchmarks.references sst2_dev.tsv --sentences 5 --quick  to see that it works

The file is a table with a column `text` or `sentence`. Of every sentence the words are ranked by each method under each
reference. Then the top 20 % are cut out (AOPC: how much the probability of the predicted class falls; higher is better)
or hidden (log-odds: the logarithm of its ratio; lower is better): the judge is the same for all of them, whatever the
reference was. Intervals are 95 % bootstrap intervals over sentences. A reference wins where it beats the second best in
95 of 100 resampled sets of sentences; otherwise nobody does. Last comes how much longer a job takes than the bare
forward passes of the models that it asks.
"""

import argparse
import csv
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.sections import KEPT
from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.games.references import references
from espalier.library import parse
from espalier.measure.curves import PERCENTS, Removal, removal
from espalier.models.catalog import catalog
from espalier.models.protocol import HostedModel
from espalier.statistics.bootstrap import interval, item_bootstrap

METHODS = ("asiv", "shap", "hedge")
MODEL = "sst2-minilm"
FILLERS = {"conditional": "mlm-general", "in-domain": "mlm-movies"}
PERCENT = 20
LONGEST = 25
"""Words of a sentence: ASIV of longer ones takes minutes each."""
QUICK = 7
"""Words of a sentence with --quick: one word is 20 % of it, in which references mostly agree."""

SURE = 0.95

FloatArray = NDArray[np.float64]


def sentences(path: Path, count: int, seed: int, longest: int) -> list[str]:
    """So many of a table, drawn by the seed among those of four words or more that are not too long."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        texts = [(row.get("text") or row.get("sentence") or "").strip() for row in rows]
    fitting = [text for text in texts if 4 <= len(text.split()) <= longest]
    chosen = np.random.default_rng(seed).permutation(len(fitting))[:count]
    return [fitting[index] for index in sorted(chosen)]


def judged(explainer: Explainer, text: str, ranking: Sequence[int], target: str) -> tuple[float, float]:
    """AOPC and log-odds of one ranking of a sentence's words."""
    found: list[float] = []
    for reference in ("delete", "pad"):
        asked = ExplanationRequest(text=text, model=MODEL, method="leave-one-out", reference=reference, target=target)
        game = explainer.prepare(asked).game
        plan = removal(game.shape(game.outcomes.names.index(target)), np.array([ranking]))
        measured: Removal = explainer.driving(plan, game, MODEL, "log_probability").run().result
        curve = measured.drop if reference == "delete" else measured.log_odds
        found.append(float(curve[PERCENTS.index(PERCENT)]))
    return found[0], found[1]


def table(explainer: Explainer, texts: Sequence[str], kept: Path | None = None) -> dict[tuple[str, str], FloatArray]:
    """For each method and reference float[sentences, 2]: AOPC and log-odds. A sentence that is done is written down in
    a line of `kept`, and not done again."""
    done: dict[str, dict[str, list[tuple[float, float]]]] = {}
    if kept is not None and kept.exists():
        done = {row["text"]: row["scores"] for row in map(json.loads, kept.read_text("utf-8").splitlines())}
    for number, text in enumerate(texts, 1):
        if text not in done:
            done[text] = {
                method: [_scored(explainer, text, method, each) for each in references()] for method in METHODS
            }
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                with kept.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps({"text": text, "scores": done[text]}) + "\n")
        print(f"  {number} of {len(texts)}", end="\r", flush=True)
    return {
        (method, reference): np.array([done[text][method][place] for text in texts])
        for method in METHODS
        for place, reference in enumerate(references())
    }


def _scored(explainer: Explainer, text: str, method: str, reference: str) -> tuple[float, float]:
    explained = explainer.explain(ExplanationRequest(text=text, model=MODEL, method=method, reference=reference))
    return judged(explainer, text, explained.result.reading().ranking, explained.target_class)


def show(found: dict[tuple[str, str], FloatArray]) -> list[str]:
    """The table, and a sentence on which reference won where."""
    lines = [f"{'':18}" + "".join(f"{method:^48}" for method in METHODS)]
    lines.append(f"{'reference':18}" + f"{'AOPC':<24}{'log-odds':<24}" * len(METHODS))
    for reference in references():
        cells = [_cell(found[method, reference][:, column]) for method in METHODS for column in (0, 1)]
        lines.append(f"{reference:18}" + "".join(f"{cell:24}" for cell in cells))
    return [*lines, "", *(_winner(found, method) for method in METHODS)]


def _cell(values: FloatArray) -> str:
    low, high = interval(item_bootstrap(values, np.ones(len(values)), 0))
    return f"{values.mean():.3f} [{low:.2f}, {high:.2f}]"


def _winner(found: dict[tuple[str, str], FloatArray], method: str) -> str:
    said = []
    # Higher is better for AOPC, lower for log-odds.
    for column, name, sign in ((0, "AOPC", 1), (1, "log-odds", -1)):
        means = {each: sign * found[method, each][:, column].mean() for each in references()}
        best, second = sorted(means, key=lambda each: -means[each])[:2]
        if means[best] == means[second]:
            level = [each for each in means if means[each] == means[best]]
            said.append(f"nobody wins by {name}: {', '.join(level)} are level")
            continue
        difference = sign * (found[method, best][:, column] - found[method, second][:, column])
        draws = item_bootstrap(difference, np.ones(len(difference)), 1)
        sure = float((draws > 0).mean())
        won = f"{best} wins" if sure >= SURE else f"{best} leads, not clearly"
        said.append(f"{won} by {name} (before {second}, in {sure:.0%} of resampled sets)")
    return f"{method}: {'; '.join(said)}."


# ------------------------------------------------------------------------------------------------------------- cost


@contextmanager
def counted(models: Sequence[HostedModel]) -> Iterator[dict[str, float]]:
    """Seconds that each model spends in its own forward passes."""
    spent = {model.name: 0.0 for model in models}
    originals = [(model, model.outputs) for model in models]
    for model, outputs in originals:

        def timed(*given: Any, _name: str = model.name, _outputs: Any = outputs) -> Any:
            started = time.perf_counter()
            try:
                return _outputs(*given)
            finally:
                spent[_name] += time.perf_counter() - started

        model.outputs = timed  # type: ignore[method-assign]
    try:
        yield spent
    finally:
        for model, outputs in originals:
            model.outputs = outputs  # type: ignore[method-assign]


def cost(text: str, budget: int) -> list[str]:
    """Job time over the bare passes of both models: SHAP and HEDGE under the references that ask another one."""
    lines = []
    for reference, filler in FILLERS.items():
        models = [catalog().load(name) for name in (MODEL, filler)]
        for method in ("shap", "hedge"):
            explainer = Explainer(catalog().load, parse)
            asked = ExplanationRequest(
                text=text,
                model=MODEL,
                method=method,
                reference=reference,
                parameters={"budget": budget} if method == "shap" else {},
            )
            explainer.prepare(asked)  # texts are read and models loaded before the clock runs
            with counted(models) as spent:
                started = time.perf_counter()
                done = explainer.explain(asked)
                took = time.perf_counter() - started
            explainer.close()
            bare = sum(spent.values())
            lines.append(
                f"{method}, {reference}: {took:.2f} s, of which both models {bare:.2f} s "
                f"({', '.join(f'{name} {own:.2f}' for name, own in spent.items())}): {took / bare:.2f} times the bare "
                f"passes (wanted at most 1.2); {done.evaluations.distinct:,} coalitions of {done.draws} draws, "
                f"{done.evaluations.elsewhere:,} words filled in"
            )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare references: AOPC and log-odds at 20 %, and what they cost.")
    parser.add_argument("file", type=Path, help="a tab-separated table with a column text or sentence")
    parser.add_argument("--sentences", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="short sentences, to see that it works")
    given = parser.parse_args()
    texts = sentences(given.file, given.sentences, given.seed, QUICK if given.quick else LONGEST)
    explainer = Explainer(catalog().load, parse)
    # Other weights or other references are another table.
    revisions = [explainer.host(name).model.revision[:8] for name in (MODEL, *FILLERS.values())]
    found = table(explainer, texts, KEPT / "references" / f"{'-'.join([*references(), *revisions])}.jsonl")
    explainer.close()
    print(f"{len(texts)} sentences, {MODEL}, top {PERCENT} % of the words, 95 % intervals over sentences\n")
    print("\n".join(show(found)))
    print("\n" + "\n".join(cost(max(texts, key=len), 64 if given.quick else 1024)))


if __name__ == "__main__":
    main()
