"""Where the words of an interaction stand: in their order, any number of words between them (MAHE, section 4.2)."""

from collections.abc import Sequence

import numpy as np

Words = tuple[str, ...]


def spelled(words: Sequence[str]) -> Words:
    """As words are compared: capitals do not matter."""
    return tuple(word.lower() for word in words)


def places(wanted: Words, text: Words) -> tuple[int, ...] | None:
    """The places of the words in a text, those nearest to each other where there are several; None where they do not
    stand there in this order."""
    found: tuple[int, ...] | None = None
    for start in (index for index, word in enumerate(text) if word == wanted[0]):
        chain = [start]
        for word in wanted[1:]:
            following = next((index for index in range(chain[-1] + 1, len(text)) if text[index] == word), None)
            if following is None:
                # What does not follow here follows no later start either.
                return found
            chain.append(following)
        if found is None or chain[-1] - chain[0] < found[-1] - found[0]:
            found = tuple(chain)
    return found


def matching(wanted: Words, texts: Sequence[Words]) -> list[int]:
    """Which texts have the words in this order."""
    return [index for index, text in enumerate(texts) if places(wanted, text) is not None]


def as_frequent(wanted: Words, texts: Sequence[Words], count: int, seed: int, tries: int = 4_000) -> list[Words]:
    """Up to `count` random pairs of words that stand in this order in about as many texts: at least half and at most
    twice as many. Drawn as they occur: a text, then two of its words."""
    here = len(matching(wanted, texts))
    generator = np.random.default_rng(seed)
    # Texts by word, so that a pair is looked for only where both of its words are.
    having: dict[str, set[int]] = {}
    for index, text in enumerate(texts):
        for word in text:
            having.setdefault(word, set()).add(index)
    found: list[Words] = []
    for _ in range(tries):
        if len(found) == count:
            break
        text = texts[int(generator.integers(len(texts)))]
        if len(text) < 2:
            continue
        first, second = sorted(generator.choice(len(text), size=2, replace=False).tolist())
        pair = (text[first], text[second])
        if pair in (wanted, *found) or not all(any(letter.isalpha() for letter in word) for word in pair):
            continue
        both = having[pair[0]] & having[pair[1]]
        if len(both) * 2 < here:
            continue
        times = len(matching(pair, [texts[index] for index in sorted(both)]))
        if here <= 2 * times and times <= 2 * here:
            found.append(pair)
    return found
