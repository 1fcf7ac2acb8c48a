"""Words, gaps and sentences of a text."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.rebuilt import rebuilt

from espalier.problems import BadText, TooLong
from espalier.text import Passage, Word, read
from espalier.text.passage import english, treebank_tokens

FRAGMENTS = [
    "isn't", "don’t", "cannot", "it's", "well-made", "state-of-the-art", "film--it", " - ", "—", "...", "…", "?!", '"',
    "”", "(", ")", "Dr.", "U.S.", "etc.", "\n\n", "\r\n", "\t", "\u00a0", "👩‍👩‍👧", "🇩🇪", "👍🏽", "e\u0301", "\u0301",
    "\u200b", "\u200f", "שלום", "مرحبا؟", "你好。",
    "ﬁ", "İ", "\ue000", "'s", "n't", "a", "B", " ", "http://a.b/c?d=e", ":-)", "[SEP]", "x\u00ady",
]  # fmt: skip

any_text = st.text(max_size=60) | st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=3), max_size=20).map("".join)


def words(text: str) -> list[str]:
    return [word.text for word in read(text).words]


def sentences(text: str) -> list[str]:
    passage = read(text)
    return [passage.phrase(start, end) for start, end in passage.sentences]


def read_or_none(text: str) -> Passage | None:
    try:
        return read(text)
    except BadText:
        return None


@given(any_text)
def test_words_and_gaps_give_back_any_text(text: str) -> None:
    passage = read_or_none(text)
    if passage is not None:
        assert rebuilt(passage) == text
        assert all(text[word.start : word.end] == word.text for word in passage.words)


@given(any_text)
def test_nothing_visible_is_lost_in_a_gap(text: str) -> None:
    passage = read_or_none(text)
    if passage is not None:
        lost = "".join(passage.gaps())
        assert all(character.isspace() or unicodedata.category(character) in {"Cc", "Cf"} for character in lost)


@given(any_text)
def test_words_come_in_order_and_none_is_empty(text: str) -> None:
    passage = read_or_none(text)
    if passage is not None:
        edges = [edge for word in passage.words for edge in (word.start, word.end)]
        assert edges == sorted(edges)
        assert all(word.text and not any(character.isspace() for character in word.text) for word in passage.words)


@given(any_text)
def test_sentences_share_out_all_words_in_order(text: str) -> None:
    passage = read_or_none(text)
    if passage is not None:
        indices = [index for start, end in passage.sentences for index in range(start, end)]
        assert indices == list(range(len(passage.words)))
        assert all(start < end for start, end in passage.sentences)


@pytest.mark.parametrize("word", ["isn't", "don’t", "cannot", "well-made", "state-of-the-art", "rock'n'roll", "gonna"])
def test_what_a_reader_takes_for_one_word_stays_whole(word: str) -> None:
    assert words(f"so {word} here") == ["so", word, "here"]


def test_clitics_that_are_words_of_their_own_stand_apart() -> None:
    assert words("It's John's; they'd go.") == ["It", "'s", "John", "'s", ";", "they", "'d", "go", "."]


def test_a_dash_between_words_is_a_word_of_its_own() -> None:
    assert words("a film--it works - well") == ["a", "film", "--", "it", "works", "-", "well"]


def test_a_visible_character_is_never_cut() -> None:
    assert words("👩‍👩‍👧 👍🏽 🇩🇪 cafe\u0301") == ["👩‍👩‍👧", "👍🏽", "🇩🇪", "cafe\u0301"]


def test_right_to_left_text_keeps_its_logical_order() -> None:
    assert words("שלום עולם!") == ["שלום", "עולם", "!"]


def test_tokenised_text_keeps_its_tokens() -> None:
    assert words("it 's a film that does n't work .") == ["it", "'s", "a", "film", "that", "does", "n't", "work", "."]


def test_invisible_characters_are_gaps() -> None:
    assert read("\u200b a \u200b").words == (Word("a", 2, 3),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It works. I like it!", ["It works.", "I like it!"]),
        ("it works. i like it", ["it works.", "i like it"]),
        ("Dr. Who lives in the U.S. now.", ["Dr. Who lives in the U.S. now."]),
        ('"Really?" he asked. "Yes."', ['"Really?" he asked.', '"Yes."']),
        ("(It works.) Good", ["(It works.)", "Good"]),
        ("Good... but long. Bad… But short", ["Good... but long.", "Bad…", "But short"]),
        ("What?! No!!", ["What?!", "No!!"]),
        ("A title\n\nthe text", ["A title", "the text"]),
        ("one line\nanother line", ["one line\nanother line"]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_phrase_is_given_as_it_was_written() -> None:
    assert read("not  really,\ngood").phrase(0, 4) == "not  really,\ngood"


@pytest.mark.parametrize("text", ["", "   \n\t", "\u200b\u200f"])
def test_text_without_words_is_refused(text: str) -> None:
    with pytest.raises(BadText, match="empty text: got no words"):
        read(text)


def test_a_hundred_thousand_characters_are_refused_with_the_limit() -> None:
    with pytest.raises(BadText, match="got 100,000 characters, possible are up to 50,000"):
        read("word " * 20_000)


@pytest.mark.parametrize(("text", "got"), [("a\0b", "a NUL character"), ("ab\ud83d", r"the lone surrogate U\+D83D")])
def test_what_is_not_unicode_text_is_refused_with_its_place(text: str, got: str) -> None:
    with pytest.raises(BadText, match=f"got {got} at position {1 if got.startswith('a') else 2}"):
        read(text)


@pytest.mark.parametrize(
    "text",
    ["!" * 50_000, "'" * 50_000, "([{" * 16_000, "http://" * 7_000, ("(" * 99 + "a") * 500, "a=" * 25_000],
    ids=lambda text: text[:10],
)
def test_a_text_of_nothing_but_marks_is_read_in_seconds(text: str) -> None:
    """50,000 of them took minutes."""
    started = time.thread_time()
    assert rebuilt(read(text)) == text
    assert time.thread_time() - started < 30


@pytest.mark.parametrize(
    "text",
    [
        "wow" + "!" * 2_000 + " end",
        "." * 1_400,
        "他说" * 3_000 + "。",
        "x" * 9_000,
        "- " * 300,
        "(" * 700 + "so" + ")" * 700,
        "a" + "=" * 500,
    ],
    ids=lambda text: text[:10],
)
def test_reading_long_runs_in_parts_changes_no_token(text: str) -> None:
    whole = [(token.idx, token.idx + len(token)) for token in english().make_doc(text)]
    assert list(treebank_tokens(text)) == whole


@given(st.lists(any_text, min_size=20, max_size=40), st.sampled_from([" ", "  ", "\n", " \n", "-", "."]))
def test_reading_a_long_text_in_pieces_changes_no_token(parts: list[str], between: str) -> None:
    text = between.join((parts * 200)[: 8_000 // len(between.join(parts)) + 2 if parts else 0])[:9_000]
    whole = [(token.idx, token.idx + len(token)) for token in english().make_doc(text)]
    assert list(treebank_tokens(text)) == whole


def test_a_text_is_read_as_far_as_it_may_go() -> None:
    """The rest of 50,000 marks is not looked at: that took seconds of everybody's."""
    started = time.thread_time()
    with pytest.raises(TooLong, match="got more than 100 words, possible are up to 100"):
        read("!?([{" * 10_000, most_words=100)
    some = time.thread_time() - started
    started = time.thread_time()
    read("!?([{" * 10_000)
    assert some < time.thread_time() - started
    assert len(read("a b c", most_words=3).words) == 3
