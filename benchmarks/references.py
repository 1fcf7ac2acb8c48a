"""What stands in for an absent word, compared: ASIV, SHAP and HEDGE under all references, as Table 1 of the ASIV paper.

    python -m benchmarks.references sst2_dev.tsv                  100 sentences, about an hour on two quiet cores; goes
                                                                  on where it was stopped, writes docs/references.md
    python -m benchmarks.references sst2_dev.tsv --sentences 2    to see that it works; writes nothing

The file is a table with a column `text` or `sentence`. Of every sentence the words are ranked by each method under each
reference. Then the top 20 % are cut out (AOPC: how much the probability of the predicted class falls; higher is better)
or hidden (log-odds: the logarithm of its ratio; lower is better): the judge is the same for all of them, whatever the
reference was. Intervals are 95 % bootstrap intervals over sentences. A reference wins where it beats the second best in
95 of 100 resampled sets of sentences; otherwise nobody does.
"""

import argparse
import csv
import hashlib
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import numpy as np
from numpy.typing import NDArray

from benchmarks.pages import DOCS, Run, markdown
from benchmarks.sections import KEPT, Rows
from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.games.references import references
from espalier.library import parse
from espalier.measure.curves import PERCENTS, Removal, removal
from espalier.models.catalog import catalog
from espalier.statistics.bootstrap import interval, item_bootstrap

MODEL = "sst2-minilm"
FILLERS = ("mlm-general", "mlm-movies")
METHODS: dict[str, dict[str, Any]] = {
    "asiv": {"budget": 512},
    "shap": {"budget": 512},
    # Words are ranked by what each says alone (Eq. 5), whatever cuts led down to them: the window decides cuts only.
    "hedge": {"window": 0},
}
"""The methods' own settings: those that rank the words the same, or nearly, for a tenth of the usual work."""
SETTINGS: dict[str, dict[str, Any]] = {
    "marginal": {"draws": 4},
    "conditional": {"fill": "likeliest"},  # as the paper's own table has it (ASIV, 4.5)
    "in-domain": {"fill": "likeliest"},
}
PERCENT = 20
SHORTEST, LONGEST = 4, 25
"""Words of a sentence: the top 20 % of fewer are none, and sampled values of more need more coalitions."""
ENOUGH = 100
"""Sentences of a run that is written down."""
SURE = 0.95
PAGE = DOCS / "references.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sentences:
    """Those that were drawn, and what they were drawn from."""

    texts: list[str]
    fitting: int
    longer: int
    shorter: int

    def __str__(self) -> str:
        whole = self.fitting + self.longer + self.shorter
        return (
            f"{len(self.texts)} sentences, drawn from the {self.fitting} of {whole} that have {SHORTEST} to {LONGEST} "
            f"words; left out are {self.longer} longer and {self.shorter} shorter ones."
        )


def sentences(path: Path, count: int, seed: int) -> Sentences:
    """So many of a table, drawn by the seed among those that are neither too short nor too long."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        texts = [(row.get("text") or row.get("sentence") or "").strip() for row in rows]
    sizes = [len(text.split()) for text in texts]
    fitting = [text for text, size in zip(texts, sizes, strict=True) if SHORTEST <= size <= LONGEST]
    chosen = np.random.default_rng(seed).permutation(len(fitting))[:count]
    return Sentences(
        [fitting[index] for index in sorted(chosen)],
        len(fitting),
        sum(size > LONGEST for size in sizes),
        sum(size < SHORTEST for size in sizes),
    )


def settings() -> str:
    """In words, what was asked for beyond the text, the method and the reference."""
    said = [
        f"{name} with {', '.join(f'{key} = {value}' for key, value in own.items())}"
        for name, own in (*METHODS.items(), *((name, SETTINGS.get(name, {})) for name in references()))
        if own
    ]
    return f"{MODEL}; {'; '.join(said)}; everything else as usual."


def kept_in(revisions: Sequence[str]) -> Path:
    """Where sentences that are done are written down: other settings, weights or references are another table."""
    asked = json.dumps([METHODS, SETTINGS, list(references()), MODEL, PERCENT, list(revisions)], sort_keys=True)
    return KEPT / "references" / f"{hashlib.sha256(asked.encode()).hexdigest()[:16]}.jsonl"


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


Scores = dict[str, list[tuple[float, float]]]


def table(explainer: Explainer, texts: Sequence[str], kept: Path) -> dict[tuple[str, str], FloatArray]:
    """For each method and reference float[sentences, 2]: AOPC and log-odds. A sentence that is done is written down in
    a line of `kept`, and not done again."""
    done = resumed(kept)
    left = [text for text in texts if text not in done]
    started = time.monotonic()
    for number, text in enumerate(left, 1):
        done[text] = {method: [_scored(explainer, text, method, each) for each in references()] for method in METHODS}
        with kept.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"text": text, "scores": done[text]}) + "\n")
        spent = (time.monotonic() - started) / 60
        print(
            f"  {len(texts) - len(left) + number} of {len(texts)} sentences, {spent:.1f} minutes, about "
            f"{spent / number * (len(left) - number):.0f} left",
            flush=True,
        )
    return {
        (method, reference): np.array([done[text][method][place] for text in texts])
        for method in METHODS
        for place, reference in enumerate(references())
    }


def resumed(kept: Path) -> dict[str, Scores]:
    """The sentences that are done. The last line is torn where a run was killed while it wrote: that sentence is done
    again, and the line taken away, so that the next one does not go on in it."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    found: dict[str, Scores] = {}
    whole: list[str] = []
    for line in kept.read_text("utf-8").splitlines() if kept.exists() else []:
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        found[row["text"]] = row["scores"]
        whole.append(line + "\n")
    kept.write_text("".join(whole), encoding="utf-8")
    return found


def _scored(explainer: Explainer, text: str, method: str, reference: str) -> tuple[float, float]:
    asked = ExplanationRequest(
        text=text,
        model=MODEL,
        method=method,
        parameters=METHODS[method],
        reference=reference,
        **SETTINGS.get(reference, {}),
    )
    explained = explainer.explain(asked)
    return judged(explainer, text, explained.result.reading().ranking, explained.target_class)


def tabulated(found: dict[tuple[str, str], FloatArray]) -> Rows:
    columns = ("reference", *(f"{method}, {measure}" for method in METHODS for measure in ("AOPC", "log-odds")))
    rows = [
        (reference, *(_cell(found[method, reference][:, column]) for method in METHODS for column in (0, 1)))
        for reference in references()
    ]
    return Rows("", columns, rows)


def report(found: dict[tuple[str, str], FloatArray], drawn: Sentences, run: Run) -> str:
    """The table, what it rests on, and a sentence for each method on which reference won where."""
    return "\n".join(
        [
            f"{run}\n",
            f"{drawn} {settings()} AOPC (higher is better) and log-odds (lower is better) of the top {PERCENT} % of "
            "the words, with 95 % intervals over sentences.\n",
            markdown(tabulated(found)),
            *(f"- {_winner(found, method)}" for method in METHODS),
            f"- {_random_words(found)}",
        ]
    )


def write(said: str, page: Path) -> None:
    """In the page, between its two marks."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n\n{said}\n\n{END}{after}", encoding="utf-8")


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


def _random_words(found: dict[tuple[str, str], FloatArray]) -> str:
    """What the paper says of its own table, by the same sentences under both references."""
    apart = found["asiv", "marginal"] - found["asiv", "pad"]
    said = [
        f"{name} {apart[:, column].mean():+.3f} [{low:+.2f}, {high:+.2f}]"
        for column, name in enumerate(("AOPC", "log-odds"))
        for low, high in [interval(item_bootstrap(apart[:, column], np.ones(len(apart)), 2))]
    ]
    return f"ASIV's paper has random words (marginal) ahead on short texts. Here, beside pad: {', '.join(said)}."


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare references: AOPC and log-odds at 20 %.")
    parser.add_argument("file", type=Path, help="a tab-separated table with a column text or sentence")
    parser.add_argument("--sentences", type=int, default=ENOUGH)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    run = Run()
    drawn = sentences(given.file, given.sentences, given.seed)
    print(f"{drawn}\n{settings()}")
    explainer = Explainer(catalog().load, parse)
    revisions = [explainer.host(name).model.revision for name in (MODEL, *FILLERS)]
    found = table(explainer, drawn.texts, kept_in(revisions))
    explainer.close()
    said = report(found, drawn, run)
    print(f"\n{said}")
    if len(drawn.texts) >= ENOUGH:
        write(said, PAGE)
        print(f"\nWritten: {PAGE}")


if __name__ == "__main__":
    main()
