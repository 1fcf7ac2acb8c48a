"""Texts that a model is tried on at load, with some of their words absent: as it will be asked."""

from contextlib import suppress

import numpy as np

from espalier.models.fillers import Filler
from espalier.models.next_words import LanguageModel
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import Encoding, HostedModel, TokenRow
from espalier.problems import BadModel, BadParameter, TooLong
from espalier.text import read

COALITIONS = 16
"""Rows of each text: all words, none, and some of them."""

TEXTS = (
    ("A gorgeous, witty, seductive film.", 5),
    ("The plot is not dull, but the acting never comes to life.", 6),
    ("I did n't hate it as much as I should have, which says little for the director or his friends.", 4),
    ("One of the greatest comedies of the past decade.", 3),
    ("The company said on Monday that it will cut 400 jobs in Europe.", 9),
    ("I feel so lost and alone today.", 3),
    ("Why did nobody tell me that the train was late again?", 5),
    ("Good.", 0),
)
"""Texts that are tried, of several kinds and lengths, and the word of each that is blank where a blank is read."""

BLANK = "___"


def questions(model: HostedModel) -> list[tuple[list[TokenRow], Outcomes | None]]:
    """Rows of all texts, with what is read from them. A text that is too long, or of which a language model knows no
    word to go on with, is left out."""
    random, found = np.random.default_rng(0), []
    for text, blank in TEXTS:
        with suppress(TooLong, BadParameter):
            encoding = model.encode(read(_written(model, text, blank)))
            outcomes = model.choose(encoding) if isinstance(model, LanguageModel) else None
            found.append((coalitions(encoding, random), outcomes))
    if not found:
        raise BadModel(f"{model.name} reads none of the texts that half precision is tried on: possible is float32")
    return found


def _written(model: HostedModel, text: str, blank: int) -> str:
    if not isinstance(model, Filler):
        return text
    word = read(text).words[blank]
    return f"{text[: word.start]}{BLANK}{text[word.end :]}"


def coalitions(encoding: Encoding, random: np.random.Generator, count: int = COALITIONS) -> list[TokenRow]:
    """A text with all of its words, with none, and with some of them drawn, few or many."""
    whole = encoding.row()
    owners = np.array([-1 if owner is None else owner for owner in encoding.owners])
    words = int(owners.max()) + 1
    shares = [1.0, 0.0, *random.random(count - 2)]
    present = [random.random(words + 1) < share for share in shares]
    kept = [np.flatnonzero((owners < 0) | each[owners]) for each in present]
    return [TokenRow(whole.ids[each], whole.positions[each], whole.length, whole.read_at) for each in kept if len(each)]
