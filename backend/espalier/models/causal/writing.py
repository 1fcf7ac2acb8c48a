"""A text in a language model's tokens, and words it may go on with: reading and writing with a tokenizer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from transformers import PreTrainedTokenizerBase

from espalier.models.causal.words import Tokens
from espalier.models.protocol import Encoding
from espalier.problems import BadModel, BadParameter
from espalier.text import Passage, words_of_tokens

SPACE = "␣"
"""How the space that a token begins with is shown where tokens stand by themselves."""

PART = "⟨part of {}⟩"
"""A token of some bytes of a character, of which there are no letters to show."""

NO_CHARACTER = "\ufffd"
"""What decoders write for bytes that are none."""


class Writing(Protocol):
    """How texts become tokens and tokens become texts."""

    @property
    def mask_id(self) -> int | None: ...

    @property
    def pad_id(self) -> int: ...

    def encode(self, passage: Passage) -> Encoding: ...

    def tokens_of(self, word: str) -> Tokens:
        """A word that goes on a text, or a problem where it cannot be written."""
        ...

    def text_of(self, token: int) -> str | None:
        """A token as a word to be offered; None where it is not one (half a character, the end of the text)."""
        ...

    def piece(self, token: int) -> str:
        """A token for people to look at."""
        ...


@dataclass(frozen=True)
class SubwordWriting:
    """With a fast tokenizer of Hugging Face's.

    The start token is there before any word is and never leaves: without it there would be nothing to read the model's
    opening from. What lies between words (spaces, line breaks) goes with the word behind it, as the leading space does.
    White space at the end of a prompt is left out: it belongs to the word that comes.
    """

    name: str
    tokenizer: PreTrainedTokenizerBase
    start: int

    def __post_init__(self) -> None:
        if not self.tokenizer.is_fast:
            raise BadModel(
                f"{self.name} needs a fast tokenizer: got {type(self.tokenizer).__name__}, which gives no offsets"
            )

    @property
    def mask_id(self) -> int | None:
        mask: int | None = self.tokenizer.mask_token_id
        return mask

    @property
    def pad_id(self) -> int:
        pad: int | None = self.tokenizer.pad_token_id
        return self.start if pad is None else pad

    def encode(self, passage: Passage) -> Encoding:
        encoded = self._encoded(passage.source.rstrip())
        ids, offsets = encoded["input_ids"], encoded["offset_mapping"]
        owners = _with_gaps(words_of_tokens(passage.words, offsets))
        opening = self.tokenizer.convert_ids_to_tokens(self.start)
        shown = (self._shown(token, passage.source[slice(*where)]) for token, where in zip(ids, offsets, strict=True))
        return Encoding((self.start, *ids), (None, *owners), (opening, *shown))

    def tokens_of(self, word: str) -> Tokens:
        ids = tuple(self._encoded(word)["input_ids"])
        written = self._decoded(ids)
        if not word or not ids or written != word or self.tokenizer.unk_token_id in ids:
            raise BadParameter(
                f"a word that {self.name} cannot write: got {word!r}, which its tokenizer makes {written!r}; "
                "possible are words that come back as they were, mostly with a space before them"
            )
        return ids

    def text_of(self, token: int) -> str | None:
        if token in self.tokenizer.all_special_ids:
            return None
        text = self.piece(token)
        # What is offered must be what is asked for when it is sent back.
        return text if text and tuple(self._encoded(text)["input_ids"]) == (token,) else None

    def piece(self, token: int) -> str:
        text = self._decoded((token,))
        return PART.format("a character") if NO_CHARACTER in text else text

    def _shown(self, token: int, written: str) -> str:
        """A token of a text as a player's name: what it writes, with its space to be seen, never the tokenizer's own
        spelling of bytes."""
        text = self._decoded((token,))
        if NO_CHARACTER in text and NO_CHARACTER not in written:
            return PART.format(written.strip() or "a character")
        name = self.tokenizer.convert_ids_to_tokens(token)
        # Some tokenizers leave the space out where they write the token alone.
        spaced = f" {text}" if name.startswith("▁") and not text.startswith(" ") else text
        return spaced.replace(" ", SPACE).replace("\n", "↵") or name

    def _encoded(self, text: str) -> Any:
        """A text is its characters: what looks like a control token in it does not become one."""
        return self.tokenizer(
            text, return_offsets_mapping=True, add_special_tokens=False, split_special_tokens=True, verbose=False
        )

    def _decoded(self, ids: Sequence[int]) -> str:
        text: str = self.tokenizer.decode(list(ids), clean_up_tokenization_spaces=False)
        return text


def _with_gaps(owners: Sequence[int | None]) -> list[int | None]:
    """Tokens of no word go with the next word, those after the last one with the last."""
    found: list[int | None] = list(owners)
    following: int | None = None
    for index in reversed(range(len(found))):
        following = found[index] if found[index] is not None else following
        found[index] = following
    last: int | None = None
    for index, owner in enumerate(found):
        last = owner if owner is not None else last
        found[index] = last
    return found
