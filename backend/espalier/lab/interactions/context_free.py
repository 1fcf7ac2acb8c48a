"""Is an interaction free of its context? Its sign over all texts that have its words (MAHE, sections 4.2 and 5.3)."""

from collections.abc import Callable, Sequence

import numpy as np
from pydantic import BaseModel, Field

from espalier.engine.explainer import Explainer
from espalier.lab.interactions.asking import Asking, answer
from espalier.lab.interactions.places import Words, as_frequent, matching, places, spelled
from espalier.measure.interactions import LocalTerm, local_term
from espalier.problems import BadParameter, NoMemory, Problem
from espalier.statistics.documents import MeanInterval, Share
from espalier.statistics.means import mean_intervals
from espalier.statistics.shares import share
from espalier.text import read

Advance = Callable[[int, int], None]


def _silent(done: int, total: int) -> None:
    pass


class Occurrence(BaseModel):
    """An interaction in one text."""

    text: str
    places: tuple[int, ...]
    contribution: float
    standard_error: float
    sign: int = Field(description="-1, 0 or 1; 0 where the term is no larger than rounding.")
    clear: bool = Field(description="Whether the term is more than two standard errors away from 0.")


Look = Callable[[Words, str], Occurrence | None]
"""What the words do in one text; None where the model cannot be asked about it."""


class Polarity(BaseModel):
    """The signs of one interaction over texts."""

    words: Words
    occurrences: list[Occurrence]
    left_out: int = Field(description="Texts that the model cannot be asked about, such as those that are too long.")

    @property
    def majority(self) -> int:
        """The sign that most texts have; where it is a tie, the sign of the mean; 0 where no text has one."""
        total = sum(each.sign for each in self.occurrences)
        if total == 0 and any(each.sign for each in self.occurrences):
            return 1 if sum(each.contribution for each in self.occurrences) > 0 else -1
        return (total > 0) - (total < 0)

    def share_of(self, sign: int, clear: bool = False) -> Share:
        """How many of the texts have this sign, among all or among those where it is clear."""
        counted = [each for each in self.occurrences if each.clear or not clear]
        return share(sum(each.sign == sign for each in counted if sign), len(counted))


class ContextFree(BaseModel):
    """The share of texts whose interaction has the majority's sign, beside that of random pairs of words."""

    words: Words
    model: str
    texts: int = Field(description="Texts of the corpus that have the words in this order.")
    sign: int
    same: Share = Field(description="Texts with the majority's sign, of those that were asked about.")
    clear: Share = Field(description="The same, of those whose term is clear.")
    mean: MeanInterval = Field(description="Of the terms.")
    gap: float | None = Field(description="Words between the first and the last, on average.")
    random: MeanInterval = Field(description="Share of the majority's sign of random pairs of words, over pairs.")
    rank: float | None = Field(description="(random pairs with at least this share + 1) / (random pairs + 1).")
    occurrences: list[Occurrence]
    random_pairs: list[tuple[Words, Share]]


def context_free(
    words: Sequence[str],
    texts: Sequence[str],
    explainer: Explainer,
    asking: Asking,
    *,
    most: int = 40,
    random_pairs: int = 10,
    advance: Advance = _silent,
    look: Look | None = None,
) -> ContextFree:
    """Ask about at most `most` texts that have the words, and as many for each of the random pairs. `look` stands
    before the model, for who keeps what it said."""
    wanted = checked(words)
    spelled_texts = [words_of(text) for text in texts]
    here = chosen(wanted, spelled_texts, most, asking.seed)
    if not here:
        raise no_match(wanted, len(texts))
    pairs = as_frequent(wanted, spelled_texts, random_pairs, asking.seed) if random_pairs else []
    total, done = 1 + len(pairs), 0
    found = polarity(wanted, [texts[index] for index in here], explainer, asking, look=look)
    others: list[Polarity] = []
    for pair in pairs:
        advance(done := done + 1, total)
        drawn = chosen(pair, spelled_texts, len(here), asking.seed)
        others.append(polarity(pair, [texts[index] for index in drawn], explainer, asking, look=look))
    advance(total, total)
    return beside_others(found, others, asking.model, len(matching(wanted, spelled_texts)), asking.seed)


def beside_others(found: Polarity, others: Sequence[Polarity], model: str, texts: int, seed: int) -> ContextFree:
    """What the signs of an interaction say, beside those of random pairs. `texts` have its words."""
    same = found.share_of(found.majority)
    shares = [(other.words, other.share_of(other.majority)) for other in others]
    (mean,) = mean_intervals(np.array([[each.contribution] for each in found.occurrences]).reshape(-1, 1), seed)
    counted = [each.share for _, each in shares if each.share is not None]
    (by_chance,) = mean_intervals(np.array(counted, dtype=np.float64).reshape(-1, 1), seed)
    return ContextFree(
        words=found.words,
        model=model,
        texts=texts,
        sign=found.majority,
        same=same,
        clear=found.share_of(found.majority, clear=True),
        mean=mean,
        gap=_gap(found),
        random=by_chance,
        rank=None
        if not counted or same.share is None
        else (1 + sum(each >= same.share for each in counted)) / (1 + len(counted)),
        occurrences=found.occurrences,
        random_pairs=shares,
    )


def polarity(
    wanted: Words,
    texts: Sequence[str],
    explainer: Explainer,
    asking: Asking,
    advance: Advance = _silent,
    look: Look | None = None,
) -> Polarity:
    """The interaction in each of these texts. What a model cannot be asked about is left out, and counted."""
    occurrences: list[Occurrence] = []
    for number, text in enumerate(texts, start=1):
        found = occurrence(wanted, text, explainer, asking) if look is None else look(wanted, text)
        occurrences += [] if found is None else [found]
        advance(number, len(texts))
    return Polarity(words=wanted, occurrences=occurrences, left_out=len(texts) - len(occurrences))


def occurrence(wanted: Words, text: str, explainer: Explainer, asking: Asking) -> Occurrence | None:
    try:
        found = term(wanted, text, explainer, asking)
    except NoMemory:
        raise  # it says nothing of the text, and passes
    except Problem:
        return None
    return Occurrence(
        text=text,
        places=found.players,
        contribution=found.contribution,
        standard_error=found.standard_error,
        sign=found.sign,
        clear=found.clear,
    )


def term(wanted: Words, text: str, explainer: Explainer, asking: Asking) -> LocalTerm:
    """What the words do together in this text."""
    players = places(wanted, words_of(text))
    if players is None:
        raise no_match(wanted, 1)
    return answer(
        explainer,
        asking,
        text,
        lambda game: local_term(game, players, asking.draws, asking.vicinity, asking.seed),
    )


def checked(words: Sequence[str]) -> Words:
    if not 2 <= len(words) <= 4:
        raise BadParameter(f"an interaction has two to four words: got {len(words)}, possible is such as not good")
    return spelled(words)


def words_of(text: str) -> Words:
    """The words of a text as they are compared; none of one that cannot be read."""
    try:
        return spelled([word.text for word in read(text).words])
    except Problem:
        return ()


def chosen(wanted: Words, texts: Sequence[Words], most: int, seed: int) -> list[int]:
    """At most so many of the texts that have the words, drawn by the seed and kept in order."""
    found = matching(wanted, texts)
    if len(found) <= most:
        return found
    return sorted(np.random.default_rng(seed).choice(found, size=most, replace=False).tolist())


def no_match(wanted: Words, texts: int) -> BadParameter:
    return BadParameter(
        f"no text with {' … '.join(wanted)}: got {texts:,} without these words in this order, possible are words that "
        "are there (as they are split: isn't is one word)"
    )


def _gap(found: Polarity) -> float | None:
    between = [each.places[-1] - each.places[0] - len(each.places) + 1 for each in found.occurrences]
    return float(np.mean(between)) if between else None
