"""Raw rows: one for each judgement a person made. Every number of a study is computed from these."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from espalier.studies.results import Exclusion, Rule


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one person answered to one explanation (coherence), or which of two they chose (preference).

    Coherence: `method` is the one whose phrase was shown, at `position` (from 1) of the screen, and `answer` a class or
    n/a. Preference: `method` is the chosen one, `other` the one not chosen, `answer` the letter, `position` where the
    chosen one stood.
    """

    person: int
    simulated: bool
    task: str
    kind: Literal["task", "attention"]
    item: str
    sentence: int
    text: str
    label: str | None
    model: str
    method: str
    other: str | None
    position: int
    answer: str
    prediction: str
    expected: str | None
    milliseconds: int
    answered: datetime
    extra: bool

    @property
    def coherent(self) -> bool:
        return self.answer == self.prediction

    @property
    def passed(self) -> bool:
        """An attention check answered as anybody who reads it does."""
        return self.answer == self.expected


@dataclass(frozen=True, slots=True)
class Counted:
    """The judgements that count, what was left out and why, and the attention checks of everybody."""

    judgements: tuple[Judgement, ...]
    checks: tuple[Judgement, ...]
    exclusions: tuple[Exclusion, ...]


def failed_attention(rows: Iterable[Judgement]) -> Counter[int]:
    """How many attention checks each person failed, for those who failed any. A screen of several lines is failed when
    no more than half of them are right: one slip of the finger is not inattention."""
    screens: dict[tuple[int, str], list[bool]] = defaultdict(list)
    for row in rows:
        if row.kind == "attention":
            screens[row.person, row.task].append(row.passed)
    return Counter(person for (person, _), lines in screens.items() if 2 * sum(lines) <= len(lines))


def count(
    rows: Sequence[Judgement],
    *,
    simulated: bool,
    excluded: Iterable[int],
    minimum_milliseconds: int,
    keep: Iterable[Rule] = (),
) -> Counted:
    """Apply the rules. Each says what it catches by itself, so the numbers of two rules may overlap; what a rule leaves
    out can be taken in again by naming the rule in `keep`."""
    of_kind = [row for row in rows if row.simulated == simulated]
    tasks = [row for row in of_kind if row.kind == "task"]
    inattentive, by_owner = set(failed_attention(of_kind)), set(excluded)
    caught: dict[Rule, tuple[list[Judgement], str]] = {
        "attention": (
            [row for row in tasks if row.person in inattentive],
            "all answers of people who failed an attention check",
        ),
        "fast": (
            [row for row in tasks if row.milliseconds < minimum_milliseconds],
            f"answers given in less than {minimum_milliseconds} ms",
        ),
        "extra": (
            [row for row in tasks if row.extra],
            "answers that came after the task had been given to somebody else",
        ),
        "excluded": ([row for row in tasks if row.person in by_owner], "people the owner left out"),
    }
    kept_rules = set(keep)
    out = {id(row) for rule, (found, _) in caught.items() if rule not in kept_rules for row in found}
    others = [row for row in rows if row.simulated != simulated and row.kind == "task"]
    exclusions = [
        Exclusion(
            rule="simulated",
            applied=True,
            people=len({row.person for row in others}),
            answers=len(others),
            says="real people" if simulated else "simulated people",
        )
    ]
    exclusions += [
        Exclusion(
            rule=rule,
            applied=rule not in kept_rules,
            people=len({row.person for row in found}),
            answers=len(found),
            says=says,
        )
        for rule, (found, says) in caught.items()
    ]
    return Counted(
        judgements=tuple(row for row in tasks if id(row) not in out),
        checks=tuple(row for row in of_kind if row.kind == "attention"),
        exclusions=tuple(exclusions),
    )
