"""`python -m benchmarks.verdicts [--texts N] [--file sst2-dev.tsv]`, or `make verdicts`.

Every model's run is kept under .cache/verdicts and goes on where it was stopped. LS-Tree's diagnostics are quick and
made anew. `--train` names texts that the models were trained on (sst2_train.tsv): without it the claims about
overfitting are not measured. `--passages 60` measures those about language models (minutes; it goes on where it was
stopped), for which the training data must be there. MAHE's numbers are kept, too; `--corpus` names texts in which its
words are looked for: where too few have them, the claims about them are not measured.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: what is shipped must be enough

import typer

from benchmarks.verdicts import ls_tree, mahe, thesis
from benchmarks.verdicts.claims import CLAIMS, Side
from benchmarks.verdicts.judge import Judged, judged
from espalier.datasets.forms import Row, Samples
from espalier.datasets.rows import rows_of
from espalier.datasets.uploads import read_file
from espalier.lab.design import EvaluationDesign, drawn
from espalier.lab.diagnose import Diagnosing
from espalier.lab.local import run_here
from espalier.lab.matrix import Column, columns_of
from espalier.library import shared_explainer
from espalier.measure.request import RANDOM
from espalier.models.catalog import catalog
from espalier.models.describe import Shelf

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "verdicts.md"
KEPT = ROOT / ".cache" / "verdicts"

HEAD = """# The papers' claims, put to the test

Written by `make verdicts`. Every claim is a comparison of two means over the same sentences, on models that ship with
the project (MiniLM stands for BERT, SmolLM2 for GPT-2). *Held*: better in the claimed direction at 5 %, by a paired
sign-flip test, after Holm's correction over all claims of this page. *Did not hold*: worse, by the same rule.
*Undecided*: neither. The difference is the first mean minus the second, with a 95 % bootstrap interval. Training texts
and new ones are different texts: there the test deals them out anew. Claims about language models are over passages of
Wikipedia. Scores of words of contrast are through the model's average score of a node, so that any node has 1. Shares
of MAHE's words are held against those of random pairs or one half, the accuracy of an edited model against two points
less than the original's. The papers' numbers are of their models and their data, and stand here to compare directions,
not digits.

"""


def designs(texts: int | None, file: Path | None) -> dict[str, EvaluationDesign]:
    """For each model one run with all that its claims need."""
    found: dict[str, EvaluationDesign] = {}
    sides: dict[str, set[str]] = {}
    measures: dict[str, set[str]] = {}
    for claim in CLAIMS:
        for side in (claim.first, claim.second):
            sides.setdefault(side.model, set()).add(side.method)
            measures.setdefault(side.model, set()).add(claim.measure)
    for model, methods in sides.items():
        given: dict[str, Any] = {
            "dataset": {"kind": "samples", "task": "sentiment"} if file is None else read_file(file),
            "models": (model,),
            "methods": tuple({"method": name} for name in sorted(methods - {RANDOM})),
            "measures": tuple(sorted(measures[model])),
            "most_texts": texts,
            "best_order": False,
        }
        found[model] = EvaluationDesign.model_validate(given)
    return found


def diagnosing(
    texts: int | None, file: Path | None, train: Path | None, models: Sequence[str] = tuple(ls_tree.KINDS.values())
) -> Diagnosing:
    """LS-Tree on the same texts as everything else, and on as many training texts that are not among them."""
    design = next(iter(designs(texts, file).values()))
    tested = design.texts()
    own = {row.text for row in tested}
    known: tuple[Row, ...] = ()
    if train is not None:
        others = tuple(row for row in rows_of(read_file(train)) if row.text not in own)
        known = drawn(others, len(tested), design.seed)
    return Diagnosing(shared_explainer(), models, tested, known, ls_tree.LINEAR)


def main(
    texts: Annotated[int | None, typer.Option(min=2, help="Draw so many texts; all when left out.")] = None,
    file: Annotated[Path | None, typer.Option(help="Texts of yours; the project's samples when left out.")] = None,
    train: Annotated[Path | None, typer.Option(help="Texts that the models were trained on.")] = None,
    passages: Annotated[int, typer.Option(min=0, help="Of WikiText-2, for the claims about language models.")] = 0,
    corpus: Annotated[
        Path | None, typer.Option(help="Texts in which MAHE's words are looked for; those that are measured, if none.")
    ] = None,
    page: Annotated[Path, typer.Option(help="What is written.")] = PAGE,
    kept: Annotated[Path, typer.Option(help="Where runs are kept until they are finished, and after.")] = KEPT,
) -> None:
    kept.mkdir(parents=True, exist_ok=True)
    columns: dict[tuple[str, str], Column] = {}
    count = 0
    for model, design in designs(texts, file).items():
        out = kept / f"{model}-{texts or 'all'}.jsonl"
        print(model, "measures", ", ".join(design.measures))
        run = run_here(
            design,
            shared_explainer(),
            Shelf(catalog()),
            out,
            lambda done, total: print(f"  {done} of {total}", flush=True),
        )
        count = len(run.texts)
        for column in columns_of(design, count, run.stored):
            columns[(model, design.labels[column.condition][0])] = column
    print("LS-Tree's diagnostics of", ", ".join(ls_tree.KINDS.values()))
    columns |= ls_tree.columns(diagnosing(texts, file, train))
    if passages:
        print(f"next words of {passages} passages")
        columns |= thesis.columns(thesis.measured(passages))
    columns |= mahe.columns(
        [row.text for row in next(iter(designs(texts, file).values())).texts()],
        [(row.text, row.label) for row in _rows(file) if row.label is not None],
        [row.text for row in _rows(corpus or file)],
        kept,
    )
    source = "the project's sentiment samples" if file is None else file.name
    claims = (*CLAIMS, *ls_tree.CLAIMS, *mahe.CLAIMS, *thesis.CLAIMS)
    page.write_text(written(judged(claims, columns), count, source), encoding="utf-8")
    print("written:", page)


def _rows(file: Path | None) -> tuple[Row, ...]:
    return rows_of(Samples(task="sentiment") if file is None else read_file(file))


def written(found: list[Judged], texts: int, source: str) -> str:
    held, not_held, open_, missing = (
        sum(each.verdict == verdict for each in found)
        for verdict in ("held", "did not hold", "undecided", "not measured")
    )
    said = [
        f"{texts} texts ({source}). Of {len(found)} claims {held} held, {not_held} did not hold, ",
        f"{open_} are undecided, {missing} were not measured.\n",
        "\n| paper | claim | measure | the paper's | ours | difference | n | verdict |\n",
        "|---|---|---|---|---|---|---|---|\n",
    ]
    for each in found:
        claim = each.claim
        share = f" at {claim.percent} %" if claim.percent is not None else ""
        cells = [
            claim.paper,
            claim.says,
            f"`{claim.measure}`{share}",
            f"{_number(claim.first.published)} / {_number(claim.second.published)}",
            f"{_number(each.first)} / {_number(each.second)}",
            _interval(each),
            "" if each.difference is None else str(each.difference.n),
            f"**{each.verdict}**",
        ]
        said.append(f"| {' | '.join(cells)} |\n")
    return HEAD + "".join(said)


def _interval(each: Judged) -> str:
    found = each.difference
    if found is None or found.mean is None:
        return "–"
    if found.low is None:
        return _number(found.mean)
    return f"{_number(found.mean)} [{_number(found.low)}, {_number(found.high)}]"


def _number(side: float | Side | None) -> str:
    return "–" if side is None else f"{side:.3f}"


if __name__ == "__main__":
    typer.run(main)
