import random

from training.adapters import window


def test_a_window_keeps_both_ends_and_what_stands_between_in_order() -> None:
    ids = list(range(100, 140))
    seen = {tuple(window(ids, 10, random.Random(seed))) for seed in range(300)}
    for found in seen:
        assert len(found) == 10
        assert (found[0], found[-1]) == (100, 139)
        assert list(found[1:-1]) == list(range(found[1], found[1] + 8))
    # The first and the last place that a window can have are among them.
    assert {found[1] for found in seen} == set(range(101, 132))


def test_a_short_text_is_seen_whole() -> None:
    assert window([1, 2, 3], 10, random.Random(0)) == [1, 2, 3]
