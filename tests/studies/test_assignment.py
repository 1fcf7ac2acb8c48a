"""Who judges what."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from espalier.studies.assignment import FreeSlot, Slot, choose, latin_square, make_slots, quota, with_checks
from espalier.studies.design import StudyDesign

MAHE = StudyDesign(
    title="T", protocol="preference", methods=("lime", "mahe"), items=40, votes=5, items_per_person=4, people=60
)
HEDGE = StudyDesign(title="T", protocol="coherence", models=("a", "b"), methods=("x", "y", "z"), items=20, votes=3)


def items(count: int) -> list[tuple[str, int]]:
    return [(f"item-{number}", number) for number in range(count)]


def fill(design: StudyDesign, slots: list[Slot], people: int, seed: int = 0) -> list[list[FreeSlot]]:
    """Let people arrive one after the other and hold what they get."""
    free = [FreeSlot(number, slot.item, slot.sentence, slot.shown) for number, slot in enumerate(slots)]
    held = []
    for arrived in range(people):
        got = choose(free, quota(design, len(free), arrived), Random(f"{seed} {arrived}"))
        taken = {slot.id for slot in got}
        free = [slot for slot in free if slot.id not in taken]
        held.append(got)
    return held


@pytest.mark.parametrize("size", range(1, 9))
def test_in_a_latin_square_everything_stands_everywhere_equally_often(size: int) -> None:
    rows = latin_square(size)
    for place in range(size):
        assert Counter(row[place] for row in rows) == dict.fromkeys(range(size), len(rows) // size)


@pytest.mark.parametrize("size", range(2, 9))
def test_in_a_latin_square_everything_follows_everything_else_equally_often(size: int) -> None:
    follows = Counter(pair for row in latin_square(size) for pair in pairwise(row))
    assert len(follows) == size * (size - 1)
    assert len(set(follows.values())) == 1


def test_mahe_s_sixty_people_give_five_votes_to_each_of_forty_items_and_judge_four_at_most() -> None:
    held = fill(MAHE, make_slots(MAHE, items(40), seed=1), people=60)
    assert Counter(slot.item for got in held for slot in got) == dict.fromkeys([f"item-{k}" for k in range(40)], 5)
    assert {len(got) for got in held} == {3, 4}


def test_nobody_gets_a_text_twice() -> None:
    for got in fill(MAHE, make_slots(MAHE, items(40), seed=1), people=60):
        assert len({slot.sentence for slot in got}) == len(got)


def test_explanations_of_two_models_of_one_text_go_to_different_people() -> None:
    design = MAHE.model_copy(update={"models": ("a", "b"), "people": None})
    slots = make_slots(design, [(f"{model}-{k}", k) for k in range(6) for model in "ab"], seed=0)
    held = fill(design, slots, people=15)
    assert sum(len(got) for got in held) == 60
    assert all(len({slot.sentence for slot in got}) == len(got) for got in held)


def test_positions_are_balanced_over_the_study_and_for_each_person() -> None:
    held = fill(MAHE, make_slots(MAHE, items(40), seed=3), people=60)
    assert Counter(slot.shown for got in held for slot in got) == {(0, 1): 100, (1, 0): 100}
    # The last ones get what is left.
    assert all(abs(Counter(slot.shown[0] for slot in got)[0] - len(got) / 2) <= 1 for got in held[:45])


def test_together_every_condition_stands_at_every_place_equally_often() -> None:
    slots = make_slots(HEDGE, items(20), seed=0)
    for place in range(6):
        assert Counter(slot.shown[place] for slot in slots) == dict.fromkeys(range(6), 10)


def test_apart_every_item_gets_its_votes_in_every_condition_and_people_see_all_conditions() -> None:
    design = HEDGE.model_copy(update={"screen": "apart", "items_per_person": 18})
    slots = make_slots(design, items(20), seed=0)
    assert Counter((slot.item, slot.shown) for slot in slots) == {
        (f"item-{k}", (condition,)): 3 for k in range(20) for condition in range(6)
    }
    for got in fill(design, slots, people=10):
        assert Counter(slot.shown[0] for slot in got) == dict.fromkeys(range(6), 3)


def test_before_all_have_come_items_differ_by_one_vote_at_most() -> None:
    for people in range(1, 50, 7):
        votes = Counter(slot.item for got in fill(MAHE, make_slots(MAHE, items(40), 1), people) for slot in got)
        counts = [votes[f"item-{k}"] for k in range(40)]
        assert max(counts) - min(counts) <= 1


def test_the_same_seed_and_order_of_arrival_give_the_same_assignment() -> None:
    assert make_slots(MAHE, items(40), 5) == make_slots(MAHE, items(40), 5) != make_slots(MAHE, items(40), 6)
    assert fill(MAHE, make_slots(MAHE, items(40), 5), 9) == fill(MAHE, make_slots(MAHE, items(40), 5), 9)


def test_a_text_seen_before_is_not_given_again() -> None:
    free = [FreeSlot(k, f"item-{k}", k, (0, 1)) for k in range(3)]
    assert [slot.sentence for slot in choose(free, 5, Random(0), seen=[0, 2])] == [1]


def test_checks_hide_among_the_tasks_and_never_come_first() -> None:
    for seed in range(50):
        places = with_checks(4, 2, Random(seed))
        assert len(places) == 2
        assert 0 not in places
        assert max(places) < 6
