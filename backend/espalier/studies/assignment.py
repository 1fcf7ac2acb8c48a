"""Who judges what, in which order: balanced, and decided by the study's seed and the order of arrival alone."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from espalier.studies.design import StudyDesign


@dataclass(frozen=True, slots=True)
class Slot:
    """One vote that is wanted: an item, and its conditions in the order they are displayed.

    `sentence` is the text of the item: a person gets no text twice, even where several models make it several items.
    """

    item: str
    sentence: int
    number: int
    shown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FreeSlot:
    """A slot nobody holds."""

    id: int
    item: str
    sentence: int
    shown: tuple[int, ...]


def latin_square(size: int) -> list[tuple[int, ...]]:
    """Orders in which every condition stands at every place equally often and follows every other equally often
    (Williams, 1949): `size` rows for an even size, twice as many for an odd one."""
    zigzag = [step // 2 + 1 if step % 2 else size - step // 2 for step in range(1, size)]
    first = [0, *zigzag]
    rows = [tuple((place + shift) % size for place in first) for shift in range(size)]
    if size % 2 and size > 1:
        rows += [tuple(reversed(row)) for row in rows]
    return rows


def make_slots(design: StudyDesign, items: Sequence[tuple[str, int]], seed: int) -> list[Slot]:
    """All votes of a study. `items` are ids with the numbers of their sentences.

    Together, and in a preference: each vote is one row of a Latin square, the rows dealt out in turn, so that over the
    study every condition stands at every place equally often. Apart: each vote is one condition.
    """
    random = Random(f"slots {seed}")
    conditions = 2 if design.protocol == "preference" else len(design.models) * len(design.methods)
    if design.protocol == "coherence" and design.screen == "apart":
        return [
            Slot(item, sentence, vote * conditions + condition, (condition,))
            for item, sentence in items
            for vote in range(design.votes)
            for condition in range(conditions)
        ]
    rows = latin_square(conditions)
    shuffled = list(items)
    random.shuffle(shuffled)
    slots: list[Slot] = []
    deck: list[tuple[int, ...]] = []
    for item, sentence in shuffled:
        for vote in range(design.votes):
            if not deck:
                deck = random.sample(rows, len(rows))
            slots.append(Slot(item, sentence, vote, deck.pop()))
    return slots


def quota(design: StudyDesign, free: int, arrived: int) -> int:
    """How many tasks the next person gets: the most allowed, or what spreads them over all who are expected."""
    if design.people is None:
        return design.items_per_person
    still_expected = max(1, design.people - arrived)
    return min(design.items_per_person, ceil(free / still_expected))


def choose(
    free: Iterable[FreeSlot],
    wanted: int,
    random: Random,
    seen: Iterable[int] = (),
    had: Sequence[tuple[int, ...]] = (),
) -> list[FreeSlot]:
    """Slots for one person: first the texts with the fewest votes, and of a text the display the person has had least.

    `seen` are texts the person has met already, `had` the displays. Ties are broken by `random`.
    """
    met = set(seen)
    by_sentence: dict[int, list[FreeSlot]] = defaultdict(list)
    left: Counter[tuple[int, ...]] = Counter()
    for slot in free:
        left[slot.shown] += 1
        if slot.sentence not in met:
            by_sentence[slot.sentence].append(slot)
    had_display, had_first = Counter(had), Counter(each[0] for each in had)
    neediest = sorted(by_sentence, key=lambda sentence: (-len(by_sentence[sentence]), random.random()))
    chosen = []
    for sentence in neediest[:wanted]:
        slots = by_sentence[sentence]
        of_item = Counter(slot.item for slot in slots)

        def rank(slot: FreeSlot, of_item: Counter[str] = of_item) -> tuple[float, ...]:
            wanting = (-of_item[slot.item], -left[slot.shown])
            return had_display[slot.shown], had_first[slot.shown[0]], *wanting, random.random()

        best = min(slots, key=rank)
        chosen.append(best)
        had_display[best.shown] += 1
        had_first[best.shown[0]] += 1
        left[best.shown] -= 1
    random.shuffle(chosen)
    return chosen


def with_checks(tasks: int, checks: int, random: Random) -> list[int]:
    """Places of attention checks among the tasks: never first, spread over the rest."""
    if tasks == 0:
        return []
    return sorted(random.sample(range(1, tasks + checks), min(checks, tasks + checks - 1)))
