"""Majorities."""

from espalier.statistics.paired import majority
from espalier.studies.statistics.judgements import Judgement
from espalier.studies.statistics.preference import preference


def vote(judged, item: int, person: int, chosen: str, model: str = "lstm", position: int = 1) -> Judgement:
    other = {"lime": "mahe", "mahe": "lime"}[chosen]
    return judged(
        sentence=item, item=f"{model}-{item}", person=person, method=chosen, other=other, model=model, position=position
    )


def test_each_item_has_one_voice_whatever_the_number_of_its_votes(judged) -> None:
    rows = [vote(judged, 1, person, "mahe") for person in range(5)]
    rows += [vote(judged, 2, person, "lime" if person < 3 else "mahe") for person in range(5)]
    (found,) = preference(rows, ["lstm"], ("lime", "mahe"))
    assert (found.majorities.count, found.majorities.of) == (1, 2)
    assert (found.votes.count, found.votes.of) == (7, 10)


def test_a_tie_is_no_majority(judged) -> None:
    rows = [vote(judged, 1, 1, "mahe"), vote(judged, 1, 2, "lime"), vote(judged, 2, 1, "mahe")]
    (found,) = preference(rows, ["lstm"], ("lime", "mahe"))
    assert (found.majorities.count, found.majorities.of, found.ties) == (1, 1, 1)
    assert majority(["a", "b", "b", "a"]) is None


def test_a_liking_for_the_first_position_shows(judged) -> None:
    rows = [vote(judged, item, 1, "mahe" if item % 2 else "lime", position=1) for item in range(10)]
    (found,) = preference(rows, ["lstm"], ("lime", "mahe"))
    assert found.shown_first.share == 1
    assert found.votes.share == 0.5


def test_several_models_are_counted_apart_and_together(judged) -> None:
    rows = [vote(judged, item, 1, "mahe") for item in range(3)]
    rows += [vote(judged, item, 2, "lime", model="cnn") for item in range(2)]
    counts = {
        each.model: (each.majorities.count, each.majorities.of)
        for each in preference(rows, ["lstm", "cnn"], ("lime", "mahe"))
    }
    assert counts == {"lstm": (3, 3), "cnn": (0, 2), None: (3, 5)}
