"""`python -m espalier.commands.gallery`: make the Lab's example runs anew, from the shipped models and samples.

Resumable: what is measured is kept beside the examples until they are written. `make gallery` is the same.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from espalier.lab.design import EvaluationDesign
from espalier.lab.gallery import BEGINNING, SHELF, write
from espalier.lab.local import run_here
from espalier.library import shared_explainer
from espalier.measure.registry import USUAL
from espalier.models.catalog import catalog
from espalier.models.describe import Shelf

WORDS_AND_PHRASES = ("leave-one-out", "lime", "shap", "hedge", "ls-tree")

EXAMPLES: dict[str, dict[str, Any]] = {
    "sentiment": {
        "title": "Five ways to explain two small sentiment models",
        "dataset": {"kind": "samples", "task": "sentiment"},
        "models": ("sst2-cnn", "sst2-lstm"),
        "methods": tuple({"method": name} for name in WORDS_AND_PHRASES),
        "measures": (*USUAL, "stability"),
        "most_texts": 60,
    },
    "stand-ins": {
        "title": "What stands in for absent words: hidden, or words of other sentences",
        "dataset": {"kind": "samples", "task": "sentiment"},
        "models": ("sst2-cnn",),
        "methods": tuple({"method": name} for name in ("leave-one-out", "shap", "hedge")),
        "references": ("pad", "delete", "marginal"),
        "measures": ("aopc-delete", "aopc-pad", "aopc-marginal", "sufficiency-delete"),
        "most_texts": 40,
        "best_order": False,
    },
}


def main(names: list[str]) -> None:
    folder = Path(str(SHELF))
    folder.mkdir(exist_ok=True)
    for name in names or list(EXAMPLES):
        out = folder / f"{name}.jsonl"
        design = EvaluationDesign.model_validate(EXAMPLES[name])
        shelf = Shelf(catalog())
        run = run_here(design, shared_explainer(), shelf, out, lambda done, total: print(done, "of", total))
        evaluation = replace(run.evaluation, id=BEGINNING + name)
        run.evaluation = evaluation
        ordered = sorted(run.stored, key=lambda row: (row.text, row.model, row.condition))
        content = write(evaluation, run.texts, ordered, run.results.model_dump_json())
        (folder / f"{name}.json.gz").write_bytes(content)
        out.unlink()
        print(f"{name}: {len(content):,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
