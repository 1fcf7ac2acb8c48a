"""Whether a masked language model was made for the language of a text: by what it would have said itself.

Each word of letters is hidden once, every seventh of them at a time, and the model is asked for its place. A word is
expected where it is among the hundred likeliest there. Measured on texts of five words or more (`benchmarks.languages`,
docs/references.md): 3 of 100 English texts have less than .35 of such words, and all of 30 sentences in other languages
that use its letters. How many words the model has as one token says much less: a sentence of German can consist of
nothing but words that English has, too.
"""

from collections.abc import Sequence

from espalier.problems import BadParameter

EXPECTED = 100
"""Of the likeliest words of a place, how many are expected there."""
TURNS = 7
"""In which all words are asked for: about as many of a text are hidden at a time as when the model was trained."""

DOUBTFUL = 0.35
"""Share of expected words under which the language is asked about."""
FOREIGN, IN_ONE_TOKEN = 0.2, 0.6
"""A text of fewer expected words, and of fewer that are one token, is refused."""
ENOUGH_WORDS = 5
"""Of letters: fewer say nothing of a language."""


def turns(words: Sequence[int]) -> list[Sequence[int]]:
    """The words in groups that are hidden together, far from each other."""
    count = min(TURNS, len(words))
    return [words[turn::count] for turn in range(count)]


def is_doubtful(expected: int, words: int) -> bool:
    return words >= ENOUGH_WORDS and expected < DOUBTFUL * words


def check(name: str, expected: int, in_pieces: Sequence[str], words: int) -> None:
    """Refuse a model of another language, which would fill in words of its own. Given are how many words it expects,
    those that it reads in pieces, and how many there are. What passes is told with the result."""
    whole = words - len(in_pieces)
    if words < ENOUGH_WORDS or expected >= FOREIGN * words or whole >= IN_ONE_TOKEN * words:
        return
    some = f"{', '.join(map(repr, in_pieces[:3]))}{', …' if len(in_pieces) > 3 else ''}"
    raise BadParameter(
        f"{name} was hardly made for this language: got {expected} of {words} words that it would expect and {whole} "
        f"that it has as one token (not {some}), possible are texts of which it knows more: name a masked language "
        "model of the text's language (filler), or another reference"
    )
