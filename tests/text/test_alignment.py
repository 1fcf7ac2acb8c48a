"""Words and the tokens of real tokenizers."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from espalier.models.backbone import backbone
from espalier.problems import BadText
from espalier.text import Word, read, words_of_tokens

Offsets = list[tuple[int, int]]

CORPUS = ["The film isn't well-made, but it's fun!", "I can't say it's bad — a naïve café.", "so so so"] * 20


@cache
def word_pieces() -> Tokenizer:
    folder = backbone("sentence-transformers/all-MiniLM-L6-v2").folder
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@cache
def byte_pairs() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet))
    return tokenizer


def overlap(word: Word, start: int, end: int) -> int:
    return max(0, min(end, word.end) - max(start, word.start))


FRAGMENTS = [
    "isn't", "well-made", " ", "  ", "it's", "—", "👩‍👩‍👧", "café", "e\u0301", "שלום", "!?", "\n", "[SEP]", "naïve",
]  # fmt: skip

valid_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
texts = valid_text | st.lists(st.sampled_from(FRAGMENTS), max_size=15).map("".join)


@pytest.mark.parametrize("tokenizer", [word_pieces, byte_pairs])
@given(text=texts)
def test_every_token_belongs_to_the_one_word_it_shares_most_with(tokenizer: Callable[[], Tokenizer], text: str) -> None:
    try:
        words = read(text).words
    except BadText:
        return
    offsets: Offsets = tokenizer().encode(text).offsets
    owners = words_of_tokens(words, offsets)
    assert len(owners) == len(offsets)
    for owner, (start, end) in zip(owners, offsets, strict=True):
        shared = [overlap(word, start, end) for word in words]
        assert owner == (shared.index(max(shared)) if any(shared) else None)


@pytest.mark.parametrize("tokenizer", [word_pieces, byte_pairs])
@given(text=texts)
def test_tokens_in_order_belong_to_words_in_order(tokenizer: Callable[[], Tokenizer], text: str) -> None:
    try:
        words = read(text).words
    except BadText:
        return
    owners = [owner for owner in words_of_tokens(words, tokenizer().encode(text).offsets) if owner is not None]
    assert all(left <= right for left, right in pairwise(owners))


def test_the_pieces_of_a_word_belong_to_it_and_special_tokens_to_none() -> None:
    encoded = word_pieces().encode("It isn't well-made.")
    owners = words_of_tokens(read("It isn't well-made.").words, encoded.offsets)
    by_word: dict[int | None, list[str]] = {}
    for token, owner in zip(encoded.tokens, owners, strict=True):
        by_word.setdefault(owner, []).append(token)
    assert by_word == {
        None: ["[CLS]", "[SEP]"], 0: ["it"], 1: ["isn", "'", "t"], 2: ["well", "-", "made"], 3: ["."]
    }  # fmt: skip


def test_every_byte_of_an_emoji_belongs_to_its_word() -> None:
    text = "so 👩‍👩‍👧 so"
    owners = words_of_tokens(read(text).words, byte_pairs().encode(text).offsets)
    # 18 bytes, of which the joiner's first two are a known pair (they also begin the corpus's dash): 4 + 2 + 4 + 2 + 4.
    assert owners == (0, None, *[1] * 16, 2)


def test_a_token_across_two_words_goes_to_the_larger_share_and_the_first_at_a_tie() -> None:
    words = read("ab cdef gh").words
    assert words_of_tokens(words, [(0, 7), (1, 4), (3, 10), (2, 3), (0, 0)]) == (1, 0, 1, None, None)
