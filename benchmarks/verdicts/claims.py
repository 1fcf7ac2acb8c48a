"""What the papers say, each as one comparison of two means over sentences."""

from dataclasses import dataclass
from itertools import product
from typing import Literal

MODELS = {"LSTM": "sst2-lstm", "CNN": "sst2-cnn", "BERT": "sst2-minilm"}
"""A paper's model and the shipped one that stands for it. MiniLM is a small BERT: the claim is about the kind."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two that are compared: a method on a model."""

    method: str
    model: str
    published: float | None
    """None where a paper has a picture only."""


@dataclass(frozen=True, slots=True)
class Claim:
    """`first` is said to be better than `second`: higher, or lower where lower is better. `percent` is the share of
    words for measures with curves. `better` is the measure's own direction when left out.

    `test` is "paired" where both sides have the same texts, "unpaired" where the second side has others."""

    paper: str
    says: str
    measure: str
    first: Side
    second: Side
    percent: int | None = 20
    better: Literal["higher", "lower"] | None = None
    test: Literal["paired", "unpaired"] = "paired"


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


def _hedge_beats(table: dict[str, dict[str, float]], measure: str, name: str) -> list[Claim]:
    return [
        Claim(
            "HEDGE, Table 2",
            f"{name} of HEDGE is better than that of {other} ({kind})",
            measure,
            Side("hedge", MODELS[kind], table["hedge"][kind]),
            Side(other, MODELS[kind], table[other][kind]),
        )
        for other, kind in product(table, MODELS)
        if other != "hedge" and kind in table[other]
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
    *(  # ASIV, Table 1, SST-2, BERT, padding, k = 20
        Claim(
            "ASIV, Table 1",
            f"ASIV ranks words better than {name} (BERT, padding)",
            "aopc-pad",
            Side("asiv", MODELS["BERT"], 0.148),
            Side(other, MODELS["BERT"], published),
        )
        for other, name, published in (("archipelago", "Archipelago", 0.106), ("hedge", "HEDGE", 0.065))
    ),
    Claim(
        "Edin et al., SST-2",
        "occlusion is better than LIME over all k (BERT; theirs raw, ours normalised)",
        "normalised-aopc-mask",
        Side("leave-one-out", MODELS["BERT"], 0.332),
        Side("lime", MODELS["BERT"], 0.330),
        None,
    ),
    Claim(
        "Edin et al., SST-2",
        "occlusion is better than random orders over all k (BERT; theirs raw, ours normalised)",
        "normalised-aopc-mask",
        Side("leave-one-out", MODELS["BERT"], 0.332),
        Side("random-order", MODELS["BERT"], 0.155),
        None,
    ),
)
