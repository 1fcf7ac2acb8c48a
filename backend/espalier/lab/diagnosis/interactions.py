"""Interactions whose signs are looked for over texts, and what was found of them (MAHE, sections 4.2 and 5.3)."""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel

from espalier.lab.interactions.context_free import (
    ContextFree,
    Occurrence,
    Polarity,
    beside_others,
    checked,
    chosen,
    no_match,
    words_of,
)
from espalier.lab.interactions.places import Words, as_frequent, matching, places
from espalier.measure.diagnosis import Diagnosed, Term


class Look(BaseModel):
    """Words, and the numbers of the texts in which they are asked about."""

    words: Words
    texts: tuple[int, ...]


class Sought(Look):
    """An interaction, in how many texts it stands, and random pairs that stand in about as many."""

    matching: int
    random: tuple[Look, ...]


def sought(
    interactions: Iterable[Sequence[str]], texts: Sequence[str], most: int, random_pairs: int, seed: int
) -> list[Sought]:
    """Decided by the texts and the seed, once for all models. What stands in no text is refused."""
    spelled = [words_of(text) for text in texts]
    found = []
    for given in interactions:
        words = checked(given)
        here = chosen(words, spelled, most, seed)
        if not here:
            raise no_match(words, len(texts))
        pairs = as_frequent(words, spelled, random_pairs, seed) if random_pairs else []
        found.append(
            Sought(
                words=words,
                texts=tuple(here),
                matching=len(matching(words, spelled)),
                random=tuple(Look(words=pair, texts=tuple(chosen(pair, spelled, len(here), seed))) for pair in pairs),
            )
        )
    return found


def looks_by_text(interactions: Iterable[Sought]) -> dict[int, list[Words]]:
    """What each text is asked about, each pair of words once."""
    found: dict[int, list[Words]] = {}
    for each in interactions:
        for look in (each, *each.random):
            for text in look.texts:
                if look.words not in found.setdefault(text, []):
                    found[text].append(look.words)
    return found


def terms_in(text: str, looks: Iterable[Words]) -> tuple[Term, ...]:
    spelled = words_of(text)
    found = [(words, places(words, spelled)) for words in looks]
    return tuple(Term(words=words, places=at) for words, at in found if at is not None)


def signs(
    interactions: Iterable[Sought],
    model: str,
    rows: Mapping[int, Diagnosed],
    texts: Sequence[tuple[str, str | None]],
    seed: int,
) -> list[ContextFree]:
    """Of one model; texts that are not there yet are not counted."""
    return [
        beside_others(
            _polarity(each, rows, texts),
            [_polarity(look, rows, texts) for look in each.random],
            model,
            each.matching,
            seed,
        )
        for each in interactions
    ]


def _polarity(look: Look, rows: Mapping[int, Diagnosed], texts: Sequence[tuple[str, str | None]]) -> Polarity:
    there = [(index, rows[index]) for index in look.texts if index in rows]
    found = [
        Occurrence(text=texts[index][0], **term.model_dump(exclude={"words"}))
        for index, row in there
        for term in row.terms
        if term.words == look.words
    ]
    return Polarity(words=look.words, occurrences=found, left_out=len(there) - len(found))
