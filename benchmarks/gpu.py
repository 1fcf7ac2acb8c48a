"""Half precision, sizes of batches and copies on a GPU: what they give, and what they cost in exactness."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from benchmarks import clock
from benchmarks.bench import TRANSFORMER, Bench
from benchmarks.sections import Row, Rows, Section, Target, count, times
from benchmarks.sentences import LONG, SHORT, of_length
from espalier.engine.host import ModelHost
from espalier.models.catalog import catalog
from espalier.models.device import default_device, has_bfloat16, sum_exactly
from espalier.models.families import load_in_full
from espalier.models.next_words import LanguageModel
from espalier.models.outcomes import Outcomes
from espalier.models.precision import Precision, Rounding, rounding_of
from espalier.models.probe import coalitions
from espalier.models.protocol import FloatArray, HostedModel, TokenRow
from espalier.models.rounding import lower
from espalier.models.transfer import on_device
from espalier.text import read

NO_GPU = "No GPU: torch sees none here, so nothing of this part was measured."

LANGUAGE_MODEL = "smollm2"
SENTENCES = 4
COALITIONS = 2048
BATCH_TOKENS = (768, 4096, 16384, 32768, 65536)
REPEATS = 5
COPIES = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """The rows of one sentence, and what is read from them."""

    rows: list[TokenRow]
    outcomes: Outcomes | None


@dataclass(frozen=True, slots=True)
class Found:
    """One model in one precision on the rows of all sentences."""

    model: str
    precision: Precision
    rounding: Rounding | None
    a_second: float
    outputs: FloatArray
    company: float
    """The largest difference of a row's scores between two batches."""


def measure(bench: Bench) -> Section | str:
    """A section where there is a GPU; else the line that says there is none."""
    device = default_device()
    return measured(bench, device) if device.type == "cuda" else NO_GPU


def measured(bench: Bench, device: torch.device) -> Section:
    sum_exactly()
    names = (TRANSFORMER,) if bench.quick else (TRANSFORMER, LANGUAGE_MODEL)
    kinds: list[Precision] = ["float32", "bfloat16", "float16"] if has_bfloat16(device) else ["float32", "float16"]
    found = [each for name in names for each in _by_precision(bench, name, kinds, device)]
    plain = {each.model: each for each in found if each.precision == "float32"}
    apart = {id(each): float(np.abs(each.outputs - plain[each.model].outputs).max()) for each in found}
    return Section(
        "GPU",
        f"On {_name_of(device)}. Rows are coalitions of sentences of {_words(bench)} words, through the model's host "
        "in batches as a worker has them. `stated` is the bound that results carry, `apart` the largest difference of "
        "a score from float32 on these rows, of which none were tried at load. `company` is the largest difference of "
        "a row's scores between two batches.",
        [
            Rows(
                "Precision",
                ("", "rows a second", "against float32", "stated", "apart", "company"),
                [_line(each, plain[each.model].a_second, apart[id(each)]) for each in found],
            ),
            _batches(bench, device),
            _copies(device),
        ],
        [
            Target(
                f"{each.model} in {each.precision} stays within its stated bound",
                f"≤ {each.rounding.error:.2g}",
                f"{apart[id(each)]:.2g}",
                apart[id(each)] <= each.rounding.error,
            )
            for each in found
            if each.rounding is not None
        ],
    )


def _by_precision(bench: Bench, name: str, kinds: Sequence[Precision], device: torch.device) -> list[Found]:
    """The same rows in each precision, each from a model of its own."""
    found, asked = [], []
    for precision in kinds:
        model = load_in_full(catalog().source(name), device)
        if precision == "float32":
            asked = _asked(model, bench)
        else:
            lower(model, precision)
        with ModelHost(model) as host:
            outputs = [_evaluated(host, each.rows, each.outcomes) for each in asked]
            seconds = min(_seconds(host, asked) for _ in range(1 if bench.quick else REPEATS))
            again = [_evaluated(host, each.rows[::-3], each.outcomes) for each in asked]
        company = max(float(np.abs(new - old[::-3]).max()) for new, old in zip(again, outputs, strict=True))
        rows = sum(len(each.rows) for each in asked)
        scores = np.concatenate([each.ravel() for each in outputs])
        found.append(Found(name, precision, rounding_of(model), rows / seconds, scores, company))
    return found


def _asked(model: HostedModel, bench: Bench) -> list[Asked]:
    """Words that may come next are those that single precision finds likely."""
    random, asked = np.random.default_rng(0), []
    for text in of_length(_words(bench))[: 1 if bench.quick else SENTENCES]:
        encoding = model.encode(read(text))
        outcomes = model.choose(encoding) if isinstance(model, LanguageModel) else None
        asked.append(Asked(coalitions(encoding, random, 64 if bench.quick else COALITIONS), outcomes))
    return asked


def _evaluated(host: ModelHost, rows: Sequence[TokenRow], outcomes: Outcomes | None) -> FloatArray:
    network: Any = getattr(host.model, "network", None)
    if isinstance(host.model, LanguageModel):
        network.forget()  # what earlier rows left is no part of these
    return host.evaluate(rows, outcomes)


def _seconds(host: ModelHost, asked: Sequence[Asked]) -> float:
    started = clock.now()
    for each in asked:
        _evaluated(host, each.rows, each.outcomes)
    return clock.now() - started


def _batches(bench: Bench, device: torch.device) -> Rows:
    """Larger batches until nothing is gained: in single precision, which needs the most memory."""
    model = load_in_full(catalog().source(TRANSFORMER), device)
    asked = _asked(model, bench)
    rows = sum(len(each.rows) for each in asked)
    lines: list[Row] = []
    for tokens in BATCH_TOKENS[:2] if bench.quick else BATCH_TOKENS:
        with ModelHost(model, tokens) as host:
            _seconds(host, asked)
            seconds = min(_seconds(host, asked) for _ in range(1 if bench.quick else REPEATS))
        lines.append((count(tokens), count(round(rows / seconds))))
    return Rows(f"Tokens of a batch ({TRANSFORMER}, float32)", ("", "rows a second"), lines)


def _copies(device: torch.device) -> Rows:
    """Ids of a small batch and of a full one to the device: until one may go on, and until they are there."""
    lines: list[Row] = []
    for tokens in (64, BATCH_TOKENS[-2]):
        ids = np.arange(tokens, dtype=np.int64)
        for way, bring in (("pinned", on_device), ("as it lies", lambda ids, to: torch.as_tensor(ids, device=to))):
            bring(ids, device)
            _wait(device)
            started = clock.now()
            for _ in range(COPIES):
                bring(ids, device)
            free = clock.now() - started
            _wait(device)
            there = clock.now() - started
            lines.append((f"{count(tokens)} ids, {way}", *(f"{1e6 * each / COPIES:.1f}" for each in (free, there))))
    return Rows("Copies", ("", "until one may go on, µs", "until they are there, µs"), lines)


def _line(found: Found, plain: float, apart: float) -> tuple[str, ...]:
    errors = ("", "") if found.rounding is None else (f"{found.rounding.error:.2g}", f"{apart:.2g}")
    speed = count(round(found.a_second)), times(found.a_second / plain)
    return f"{found.model}, {found.precision}", *speed, *errors, f"{found.company:.1g}"


def _words(bench: Bench) -> int:
    return SHORT if bench.quick else LONG


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _name_of(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "the processor"
