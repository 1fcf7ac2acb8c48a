"""Whether the classifiers are as sure as they should be, and the temperature that makes them so.

    python -m training.calibration                            a table of all shipped classifiers
    python -m training.calibration sst2-minilm                of some
    python -m training.calibration --write sst2-minilm        and put the temperature where it helps into espalier.json,
                                                              and the numbers onto the card

Of all texts of which a calibrated model says "80 %" it is right in 80 of 100. The expected calibration error (ECE;
Naeini et al., 2015) is how far it is from that: texts fall into bins of equal width by the probability of the predicted
class, and the distance between mean probability and share of right answers is averaged over texts. One temperature, by
which all logits are divided, is fitted to the negative log-likelihood (NLL; Guo et al., 2017). Nothing is measured on
what it was fitted on: each half of the held-out texts is measured with the temperature of the other half. What ships is
the temperature of all.
"""

import argparse
import json
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

from espalier.models.manifest import read_manifest
from training import cards, held_out
from training.held_out import Answers, FloatArray, IntArray

BINS = 15
SEED = 7
LOWEST, HIGHEST = 0.05, 20.0
"""Temperatures that are looked at: beyond them a model says nothing, or nothing but certainties."""
DECIMALS = 3
"""Of a temperature that is written down."""


@dataclass(frozen=True, slots=True)
class Measured:
    error: float
    """Expected calibration error."""
    loss: float
    """Mean negative log-likelihood of the right class."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of a model as it was trained, and with temperatures that were fitted on other texts."""

    texts: int
    before: Measured
    after: Measured
    temperature: float
    """Fitted on all texts."""

    @property
    def helps(self) -> bool:
        """By both measures: a small gain in one alone is luck as often as not."""
        return self.after.error < self.before.error and self.after.loss < self.before.loss


def expected_calibration_error(logits: FloatArray, labels: IntArray, bins: int = BINS) -> float:
    probabilities = np.exp(log_softmax(logits, axis=1))
    sure = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == labels
    # A probability on the edge of two bins belongs to the lower one, and that of 1 to the last.
    places = np.clip(np.ceil(sure * bins).astype(int) - 1, 0, bins - 1)
    gaps = np.bincount(places, weights=sure - right, minlength=bins)
    return float(np.abs(gaps).sum() / len(labels))


def negative_log_likelihood(logits: FloatArray, labels: IntArray) -> float:
    return float(-log_softmax(logits, axis=1)[np.arange(len(labels)), labels].mean())


def fitted_temperature(logits: FloatArray, labels: IntArray) -> float:
    """The temperature of the least negative log-likelihood, which is convex in its inverse: there is only one."""
    found = minimize_scalar(
        lambda power: negative_log_likelihood(logits / np.exp(power), labels),
        bounds=(np.log(LOWEST), np.log(HIGHEST)),
        method="bounded",
        options={"xatol": 1e-5},
    )
    return float(np.exp(found.x))


def crosswise(logits: FloatArray, labels: IntArray, seed: int = SEED) -> FloatArray:
    """The logits of each half of the texts, divided by the temperature that was fitted on the other half."""
    order = np.random.default_rng(seed).permutation(len(labels))
    halves = order[: len(order) // 2], order[len(order) // 2 :]
    divided = np.empty_like(logits)
    for measured, fitted in (halves, halves[::-1]):
        divided[measured] = logits[measured] / fitted_temperature(logits[fitted], labels[fitted])
    return divided


def measure(logits: FloatArray, labels: IntArray) -> Measured:
    return Measured(expected_calibration_error(logits, labels), negative_log_likelihood(logits, labels))


def calibrate(answers: Answers) -> Calibration:
    logits, labels = answers.logits, answers.labels
    return Calibration(
        texts=len(labels),
        before=measure(logits, labels),
        after=measure(crosswise(logits, labels), labels),
        temperature=round(fitted_temperature(logits, labels), DECIMALS),
    )


def as_trained(name: str, answers: Answers) -> Answers:
    """Logits before they were divided by the temperature that the manifest carries already."""
    present = read_manifest(held_out.MODELS / name).get("temperature", 1.0)
    return Answers(answers.logits * present, answers.labels, answers.cut)


def write(name: str, found: Calibration) -> None:
    """Put the temperature into the manifest where it helps, else none; and the numbers onto the card in any case."""
    folder = held_out.MODELS / name
    manifest = {key: value for key, value in read_manifest(folder).items() if key != "temperature"}
    if found.helps:
        manifest["temperature"] = found.temperature
    (folder / "espalier.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    cards.put_in_table(folder / "README.md", card_rows(found))


def card_rows(found: Calibration) -> list[tuple[str, ...]]:
    """The table of a card: its heading, then a line without and a line with a temperature."""
    shipped = "ships" if found.helps else "does not help, none ships"
    return [
        (f"calibration on {found.texts:,} held-out texts", f"ECE, {BINS} bins", "negative log-likelihood"),
        ("as trained", f"{found.before.error:.4f}", f"{found.before.loss:.4f}"),
        (
            f"temperature {found.temperature:g} {shipped}; measured crosswise",
            f"{found.after.error:.4f}",
            f"{found.after.loss:.4f}",
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Check how sure the shipped classifiers are.")
    parser.add_argument(
        "names", nargs="*", metavar="MODEL", help=f"of {', '.join(held_out.shipped())}; all if left out"
    )
    parser.add_argument("--write", action="store_true", help="write temperature and card of the named models")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in held_out.shipped()]:
        parser.error(f"unknown model: got {unknown[0]!r}, possible are {', '.join(held_out.shipped())}")
    if given.write and not given.names:
        parser.error("no model named: got --write alone, possible is --write MODEL")
    columns = ("model", "held-out", "ECE", "tempered", "NLL", "tempered", "temperature", "")
    table = Table(*columns, box=None, header_style="bold")
    for name in given.names or held_out.shipped():
        answers = held_out.answers(held_out.load(name), held_out.SETS[name].load()[1])
        found = calibrate(as_trained(name, answers))
        table.add_row(
            name,
            str(answers),
            f"{found.before.error:.4f}",
            f"{found.after.error:.4f}",
            f"{found.before.loss:.4f}",
            f"{found.after.loss:.4f}",
            f"{found.temperature:g}",
            "helps" if found.helps else "no help",
        )
        if given.write:
            write(name, found)
    Console().print(table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
