"""`python -m espalier.commands.gallery`: make the Lab's example runs anew, from the shipped models and samples.

Resumable: what is measured is kept beside the examples until they are written. `make gallery` is the same.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from espalier.lab.design import EvaluationDesign
from espalier.lab.diagnosis.design import DiagnosisDesign
from espalier.lab.diagnosis.local import LocalDiagnosis, diagnose_here
from espalier.lab.gallery import BEGINNING, SHELF, write
from espalier.lab.interactions.shipped import FILE, POINTS, TRIALS
from espalier.lab.interactions.synthetic_fit import synthetic_fit
from espalier.lab.local import LocalRun, run_here
from espalier.library import shared_explainer
from espalier.measure.registry import USUAL
from espalier.models.catalog import catalog
from espalier.models.describe import Shelf

WORDS_AND_PHRASES = ("leave-one-out", "lime", "shap", "hedge", "ls-tree")

MEASURED: dict[str, dict[str, Any]] = {
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

DIAGNOSED: dict[str, dict[str, Any]] = {
    "two-models": {
        "title": "A convolutional network beside a bag of words",
        "dataset": {"kind": "samples", "task": "sentiment"},
        "models": ("sst2-cnn", "sst2-bow"),
        "diagnostics": ("linearity", "depth", "contrast", "fit", "context-free"),
        "linear": "sst2-bow",
        "interactions": (("not", "the"), ("i", "never")),
        "draws": 500,
        "most_texts": 100,
    },
}

EXAMPLES: dict[str, EvaluationDesign | DiagnosisDesign] = {
    **{name: EvaluationDesign.model_validate(given) for name, given in MEASURED.items()},
    **{name: DiagnosisDesign.model_validate(given) for name, given in DIAGNOSED.items()},
}

FUNCTIONS = "functions"
"""MAHE's Figure 3a: no run, since it is of no texts."""


def main(names: list[str]) -> None:
    folder = Path(str(SHELF))
    folder.mkdir(exist_ok=True)
    for name in names or [*EXAMPLES, FUNCTIONS]:
        if name == FUNCTIONS:
            found = synthetic_fit(POINTS, TRIALS, advance=_advance)
            Path(str(FILE)).write_text(found.model_dump_json() + "\n", encoding="utf-8")
            continue
        out = folder / f"{name}.jsonl"
        run = _run(EXAMPLES[name], out)
        evaluation = replace(run.evaluation, id=BEGINNING + name)
        run.evaluation = evaluation
        ordered = sorted(run.stored, key=lambda row: (row.text, row.model, row.condition))
        content = write(evaluation, run.texts, ordered, run.results.model_dump_json())
        (folder / f"{name}.json.gz").write_bytes(content)
        out.unlink()
        print(f"{name}: {len(content):,} bytes")


def _advance(done: int, total: int) -> None:
    print(done, "of", total)


def _run(design: EvaluationDesign | DiagnosisDesign, out: Path) -> LocalRun | LocalDiagnosis:
    shelf = Shelf(catalog())
    if isinstance(design, DiagnosisDesign):
        return diagnose_here(design, shared_explainer(), shelf, out, _advance)
    return run_here(design, shared_explainer(), shelf, out, _advance)


if __name__ == "__main__":
    main(sys.argv[1:])
