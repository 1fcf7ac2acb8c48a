"""The measures by name. What happens to a removed word decides a number as much as the method does, so the operator is
a part of the name: `aopc-delete`, `log-odds-pad`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from espalier.games.references import references
from espalier.measure.bounds import MOST_WORDS, expected_bounds
from espalier.measure.chance import RANDOM_ORDERS
from espalier.measure.curves import PERCENTS
from espalier.measure.phrases import OTHERS, SHUFFLES
from espalier.problems import UnknownName

GAUGE = "word-lstm-lm"
"""The language model whose surprise says how far a text is from what people write: small, fast, of film reviews."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A measure but for its operator. `costs` is evaluations a condition adds, by words; `once` those that a text costs
    whatever is compared."""

    name: str
    title: str
    better: Literal["higher", "lower"]
    description: str
    has_operator: bool = True
    has_curve: bool = False
    is_gauge: bool = False
    """Whether it says something of the operator rather than of the method: nobody is better by it."""
    costs: Callable[[int], int] = lambda words: 0
    once: Callable[[int], int] = lambda words: 0


def _curve(words: int) -> int:
    return min(len(PERCENTS), words)


def _random(words: int) -> int:
    return RANDOM_ORDERS * min(len(PERCENTS), words)


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "aopc",
            "AOPC",
            "higher",
            "Probability lost when the most important 20 % of the words are removed (HEDGE, Eq. 6).",
            has_curve=True,
            costs=_curve,
            once=_random,
        ),
        Kind(
            "log-odds",
            "Log-odds",
            "lower",
            "Logarithm of the share of the probability that is left without the most important 20 % of the words, as "
            "published (HEDGE, Eq. 7). Texts in which the class all but vanishes rule its mean.",
            has_curve=True,
            costs=_curve,
            once=_random,
        ),
        Kind(
            "log-odds-clipped",
            "Log-odds, clipped",
            "lower",
            "Log-odds with probabilities below one in a million taken for one in a million.",
            has_curve=True,
            costs=_curve,
            once=_random,
        ),
        Kind(
            "sufficiency",
            "Sufficiency",
            "lower",
            "Probability lost when only the most important 20 % of the words stay (DeYoung et al., 2020).",
            has_curve=True,
            costs=_curve,
            once=_random,
        ),
        Kind(
            "normalised-aopc",
            "Normalised AOPC",
            "higher",
            "The mean loss over all steps, between the worst (0) and the best (1) order of this text on this model "
            f"(Edin et al., 2025); exact up to 12 words, by a beam of five above, not measured above {MOST_WORDS}.",
            costs=lambda words: words if words <= MOST_WORDS else 0,
            once=lambda words: expected_bounds(words) + RANDOM_ORDERS * words if words <= MOST_WORDS else 0,
        ),
        Kind(
            "phrase-deletion",
            "Phrase deletion",
            "higher",
            f"Probability lost without the top phrase, minus that without {OTHERS} other phrases of its length.",
            costs=lambda words: 1,
            once=lambda words: min(OTHERS, words),
        ),
        Kind(
            "cohesion",
            "Cohesion",
            "higher",
            f"Probability lost when the words of the top phrase go back at random places, {SHUFFLES} times (HEDGE, "
            "Eq. 8).",
            has_operator=False,
            costs=lambda words: SHUFFLES + 1,
        ),
        Kind(
            "surprise",
            "Surprise",
            "lower",
            f"How many bits a word the text without its top 20 % is more surprising to {GAUGE} than the whole text. A "
            "gauge: where it is large, the model is asked about texts unlike any it has seen.",
            is_gauge=True,
        ),
        Kind(
            "stability",
            "Stability",
            "higher",
            "Kendall's tau between the rankings with two seeds; 1 where nothing is drawn at random.",
            has_operator=False,
        ),
    )
}

USUAL = (
    "aopc-delete",
    "log-odds-pad",
    "log-odds-clipped-pad",
    "sufficiency-delete",
    "normalised-aopc-delete",
    "phrase-deletion-delete",
    "cohesion",
)
"""HEDGE's operators: words are deleted for AOPC and padded for log-odds."""


@dataclass(frozen=True, slots=True)
class Measure:
    kind: Kind
    operator: str | None

    @property
    def name(self) -> str:
        return self.kind.name if self.operator is None else f"{self.kind.name}-{self.operator}"

    @property
    def title(self) -> str:
        return self.kind.title if self.operator is None else f"{self.kind.title} ({self.operator})"


def measures() -> dict[str, Measure]:
    """All there are, with every reference as an operator."""
    found: dict[str, Measure] = {}
    for kind in KINDS.values():
        for operator in references() if kind.has_operator else (None,):
            made = Measure(kind, operator)
            found[made.name] = made
    return found


def measure(name: str) -> Measure:
    known = measures()
    if name not in known:
        raise UnknownName("measure", name, known)
    return known[name]
