"""Claims about rankings of words and top phrases: HEDGE's Tables 2 and 3, ASIV's Table 1, Edin et al.; and the runs of
the Lab that decide them."""

from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.verdicts.claims import MODELS, Claim, Side
from benchmarks.verdicts.evidence import Evidence
from benchmarks.verdicts.kept import place
from espalier.datasets.forms import Dataset
from espalier.lab.design import EvaluationDesign
from espalier.lab.local import run_here
from espalier.lab.matrix import columns_of
from espalier.library import shared_explainer
from espalier.measure.registry import measure
from espalier.measure.request import RANDOM
from espalier.models.catalog import catalog
from espalier.models.describe import Shelf

_AOPC = {  # HEDGE, Table 2, SST, k = 20
    "leave-one-out": {"LSTM": 0.441, "CNN": 0.434, "BERT": 0.464},
    "contextual-decomposition": {"LSTM": 0.384},
    "lime": {"LSTM": 0.444, "CNN": 0.473, "BERT": 0.134},
    "l-shapley": {"LSTM": 0.431, "CNN": 0.425, "BERT": 0.435},
    "c-shapley": {"LSTM": 0.423, "CNN": 0.415, "BERT": 0.410},
    "sampled-shapley": {"LSTM": 0.450, "CNN": 0.487, "BERT": 0.462},
    "hedge": {"LSTM": 0.458, "CNN": 0.494, "BERT": 0.479},
}
_LOG_ODDS = {
    "leave-one-out": {"LSTM": -0.443, "CNN": -0.448, "BERT": -0.723},
    "lime": {"LSTM": -0.449, "CNN": -0.542, "BERT": -0.186},
    "sampled-shapley": {"LSTM": -0.454, "CNN": -0.550, "BERT": -0.836},
    "hedge": {"LSTM": -0.466, "CNN": -0.567, "BERT": -0.862},
}
_COHESION = {"hedge": {"LSTM": 0.020, "CNN": 0.016, "BERT": 0.124}, "acd": {"LSTM": 0.015}}  # Table 3, SST

_ASIV = {  # ASIV, Table 1, SST-2, BERT, k = 20: AOPC and LOR
    "hedge": (0.0651, -0.1488),
    "archipelago": (0.1055, -0.2739),
    "marginal": (0.1929, -0.5427),
    "pad": (0.1484, -0.3947),
    "conditional": (0.1558, -0.4287),
    "in-domain": (0.1555, -0.4093),
}
_ASIV_MEASURES = (("AOPC", "aopc-delete"), ("LOR", "log-odds-pad"))
_ASIV_NAMES = {"marginal": "random words", "pad": "padding", "conditional": "CE", "in-domain": "IDE"}

OTHERWISE = {"aopc-delete": "aopc-pad", "log-odds-pad": "log-odds-delete"}
"""The same with the other operator: measured beside it, since it is a choice, and choices decide."""

REFERENCES = ("pad", "marginal", "conditional", "in-domain")
BUDGET = 512
"""Coalitions of ASIV where it is asked under four references, of which two ask a language model."""


def _hedge_beats(table: dict[str, dict[str, float]], measured: str, name: str) -> list[Claim]:
    return [
        Claim(
            "HEDGE, Table 2",
            f"{name} of HEDGE is better than that of {other} ({kind})",
            measured,
            Side("hedge", MODELS[kind], table["hedge"][kind]),
            Side(other, MODELS[kind], table[other][kind]),
        )
        for other, kind in product(table, MODELS)
        if other != "hedge" and kind in table[other]
    ]


def _asiv_beats(other: str, name: str) -> list[Claim]:
    bert = MODELS["BERT"]
    return [
        Claim(
            "ASIV, Table 1",
            f"ASIV (padding) ranks words better than {name} by {said} (BERT)",
            measured,
            Side("asiv", bert, _ASIV["pad"][at]),
            Side(other, bert, _ASIV[other][at]),
        )
        for at, (said, measured) in enumerate(_ASIV_MEASURES)
    ]


def _reference_beats(first: str, second: str) -> list[Claim]:
    bert = MODELS["BERT"]
    return [
        Claim(
            "ASIV, Table 1",
            f"ASIV with {_ASIV_NAMES[first]} is better than with {_ASIV_NAMES[second]} by {said} (BERT)",
            measured,
            Side("asiv", bert, _ASIV[first][at], first),
            Side("asiv", bert, _ASIV[second][at], second),
        )
        for at, (said, measured) in enumerate(_ASIV_MEASURES)
    ]


CLAIMS: tuple[Claim, ...] = (
    *_hedge_beats(_AOPC, "aopc-delete", "AOPC"),
    *_hedge_beats(_LOG_ODDS, "log-odds-pad", "log-odds"),
    Claim(
        "HEDGE, Table 3",
        "HEDGE's phrases are more cohesive than ACD's (LSTM)",
        "cohesion",
        Side("hedge", "sst2-lstm", _COHESION["hedge"]["LSTM"]),
        Side("acd", "sst2-lstm", _COHESION["acd"]["LSTM"]),
        None,
    ),
    *(
        Claim(
            "HEDGE, Table 3",
            f"cohesion is higher on BERT than on the {kind}: it uses context",
            "cohesion",
            Side("hedge", MODELS["BERT"], _COHESION["hedge"]["BERT"]),
            Side("hedge", MODELS[kind], _COHESION["hedge"][kind]),
            None,
        )
        for kind in ("LSTM", "CNN")
    ),
    *_asiv_beats("archipelago", "Archipelago"),
    *_asiv_beats("hedge", "HEDGE"),
    *(
        Claim(
            "Edin et al., SST-2",
            f"occlusion is better than {name} over all k (BERT; theirs raw, ours normalised)",
            "normalised-aopc-mask",
            Side("leave-one-out", MODELS["BERT"], 0.332),
            Side(other, MODELS["BERT"], published),
            None,
        )
        for other, name, published in (("lime", "LIME", 0.330), (RANDOM, "random orders", 0.155))
    ),
)

REFERENCE_CLAIMS: tuple[Claim, ...] = (
    *_reference_beats("marginal", "pad"),
    *_reference_beats("conditional", "pad"),
    *_reference_beats("conditional", "in-domain"),
)


def designs(dataset: Dataset, texts: int | None) -> dict[str, EvaluationDesign]:
    """For each model one run with all that its claims need, the quick models first."""
    lines: dict[str, set[str]] = {model: set() for model in MODELS.values()}
    measures: dict[str, set[str]] = {model: set() for model in MODELS.values()}
    for claim in CLAIMS:
        for side in (claim.first, claim.second):
            lines[side.model].add(side.method)
            measures[side.model] |= {claim.measure, OTHERWISE.get(claim.measure, claim.measure)}
    return {
        model: _design(dataset, texts, model, [{"method": name} for name in sorted(found - {RANDOM})], measures[model])
        for model, found in lines.items()
    }


def reference_design(dataset: Dataset, texts: int | None) -> EvaluationDesign:
    """ASIV alone, under each of the references that its table compares."""
    method = {"method": "asiv", "parameters": {"budget": BUDGET}}
    measures = {claim.measure for claim in REFERENCE_CLAIMS}
    return _design(dataset, texts, MODELS["BERT"], [method], measures, REFERENCES)


def _design(
    dataset: Dataset, texts: int | None, model: str, methods: Any, measures: set[str], references: Any = None
) -> EvaluationDesign:
    given: dict[str, Any] = {
        "dataset": dataset,
        "models": (model,),
        "methods": tuple(methods),
        "measures": tuple(sorted(measures, key=lambda name: measure(name).name)),
        "most_texts": texts,
        "best_order": False,
    }
    return EvaluationDesign.model_validate(given | ({} if references is None else {"references": references}))


def measured(design: EvaluationDesign, folder: Path, revision: str | None) -> Evidence:
    """The run of a design, from where it was stopped. Lines are called by their references where there are several."""
    (model,) = design.models
    out = place(folder, f"run-{model}", design.model_dump(mode="json"), revision).with_suffix(".jsonl")
    run = run_here(
        design, shared_explainer(), Shelf(catalog()), out, lambda done, total: print(f"  {done} of {total}", flush=True)
    )
    found = Evidence()
    for column in columns_of(design, len(run.texts), run.stored):
        method, reference = design.labels[column.condition]
        several = len(design.references) > 1 and reference
        found.columns[model, f"{method} ({reference})" if several else method] = column
    return found
