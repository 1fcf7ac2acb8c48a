"""The tokens of a vocabulary that are words by themselves: what a blank is filled with.

Pieces of words ("##ing") are left out, because a stand-in is one whole word; so is what does not come back as the same
token when it is read again (control tokens, unused places of the vocabulary).
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from transformers import PreTrainedTokenizerBase

MARKS_OF_SPACE = ("Ġ", "▁")
"""What tokenizers that keep spaces write in front of a token with one before it."""

KEEPS_SPACES = 0.1
"""Share of a vocabulary that has such a mark, from which on its tokenizer keeps spaces."""


class WholeWords:
    """Words by token and tokens by word. The table is made when it is needed first, in about a second."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, size: int) -> None:
        self._tokenizer = tokenizer
        self._size = min(size, len(tokenizer))

    @cached_property
    def texts(self) -> dict[int, str]:
        """Each token that is a whole word, in the order of the vocabulary, as it is written."""
        special = set(self._tokenizer.all_special_ids)
        ids = [token for token in range(self._size) if token not in special]
        names = self._tokenizer.convert_ids_to_tokens(ids)
        spaced = [name.startswith(MARKS_OF_SPACE) for name in names]
        keeps_spaces = sum(spaced) > KEEPS_SPACES * len(ids)
        # In one go below transformers' own layer, which would take ten times as long.
        backend = self._tokenizer.backend_tokenizer
        written = [text.strip() for text in backend.decode_batch([[token] for token in ids])]
        asked = [(" " if own else "") + text for own, text in zip(spaced, written, strict=True)]
        found = [each.ids for each in backend.encode_batch(asked, add_special_tokens=False)]
        return {
            token: text
            for token, text, own, back in zip(ids, written, spaced, found, strict=True)
            if back == [token]
            and text.isprintable()
            and not any(map(str.isspace, text))
            # Where spaces are kept, letters without one go on with the word before them.
            and (own or not keeps_spaces or not any(map(str.isalnum, text)))
        }

    @cached_property
    def tokens(self) -> NDArray[np.int64]:
        return np.fromiter(self.texts, dtype=np.int64)

    def token_of(self, word: str) -> tuple[int | None, int]:
        """The token that is this word, if there is one, and how many tokens it takes to write it."""
        best = 0
        for written in (f" {word.strip()}", word.strip()):
            found = self._tokenizer(written, add_special_tokens=False, verbose=False)["input_ids"]
            if len(found) == 1 and found[0] in self.texts:
                return found[0], 1
            best = min(best or len(found), len(found))
        return None, best
