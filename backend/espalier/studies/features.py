"""What an explanation offers to be shown: the phrase that says most, and the text divided into highlighted groups."""

from itertools import pairwise

from pydantic import BaseModel

from espalier.explain.reading import GroupScore, Reading
from espalier.problems import NotSupported
from espalier.studies.items import Feature, Shows


class Explained(BaseModel):
    """A stored explanation, as far as a study reads it."""

    model: str
    method: str
    classes: tuple[str, ...]
    probabilities: tuple[float, ...]
    target: int
    reading: Reading


def shows(explained: Explained) -> Shows:
    """Everything a study may show of an explanation of the predicted class."""
    reading = explained.reading
    if reading.top is None:
        raise NotSupported(
            f"this method's result cannot be shown in a study: got {explained.method}, which scores no words, "
            "possible is a method that does"
        )
    return Shows(
        model=explained.model,
        method=explained.method,
        classes=explained.classes,
        prediction=explained.classes[explained.target],
        probability=explained.probabilities[explained.target],
        top=_feature(reading.top),
        groups=tuple(map(_feature, reading.groups)),
    )


def _feature(group: GroupScore) -> Feature:
    return Feature(words=group.players, score=group.score)


def polarity_differs(first: Shows, second: Shows) -> bool:
    """Whether words that the second explanation joins speak for another side there than one by one in the first."""
    return any(
        joined.score * sum(_part(alone, joined.words) for alone in first.groups) < 0
        for joined in second.groups
        if len(joined.words) > 1
    )


def has_interaction(shown: Shows) -> bool:
    return any(len(group.words) > 1 for group in shown.groups)


def phrase(text: str, places: list[tuple[int, int]], words: tuple[int, ...]) -> str:
    """Words as they stand in the text, with an ellipsis where some between are left out."""
    pieces: list[list[int]] = [[words[0]]]
    for before, word in pairwise(words):
        if word == before + 1:
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return " … ".join(text[places[piece[0]][0] : places[piece[-1]][1]] for piece in pieces)


def _part(feature: Feature, words: tuple[int, ...]) -> float:
    """The feature's share that falls on these words."""
    return feature.score * len(set(feature.words) & set(words)) / len(feature.words)
