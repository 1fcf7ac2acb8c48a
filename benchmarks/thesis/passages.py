"""Passages that were held out of our training: 35 words of WikiText-2's test part, and the word that came next."""

import re
from dataclasses import dataclass

import numpy as np

from espalier.text import Passage, read
from training.corpus import HIDDEN_WORD, wikipedia

CONTEXT = 35
SEED = 5

_CLOSING = re.compile(r" ([,.;:!?%)\]]|'s\b|'\s)")
_OPENING = re.compile(r"([(\[$£]) ")


@dataclass(frozen=True, slots=True)
class Continued:
    """The beginning of a paragraph, and what it goes on with, exactly as it goes on."""

    text: str
    real: str


def passages(count: int) -> list[Continued]:
    """Drawn once: fewer are the first ones of more."""
    found = [each for paragraph in wikipedia("test") if (each := _beginning(paragraph)) is not None]
    order = np.random.default_rng(SEED).permutation(len(found))
    if count > len(found):
        raise SystemExit(f"too many passages: got {count}, possible are up to {len(found)}")
    return [found[index] for index in order[:count]]


def _beginning(paragraph: str) -> Continued | None:
    # A word and a half more than is needed, so that only few characters are read.
    start = as_people_write(" ".join(paragraph.split()[: 2 * CONTEXT]))
    passage: Passage = read(start)
    if len(passage.words) < CONTEXT + 2:
        return None
    last, following = passage.words[CONTEXT - 1], passage.words[CONTEXT]
    if HIDDEN_WORD in start[: following.end]:
        return None
    return Continued(start[: last.end], start[last.end : following.end])


def as_people_write(text: str) -> str:
    """WikiText puts spaces around its marks."""
    return _OPENING.sub(r"\1", _CLOSING.sub(r"\1", text))
