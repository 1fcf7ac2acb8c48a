"""Files of explanations: what is in them, what becomes of other tools' words, and what is refused with its line."""

import json
from typing import Any

import pytest

from espalier.lab.foreign.alignment import aligned
from espalier.lab.foreign.brought import brought
from espalier.lab.foreign.forms import ExplanationFile
from espalier.lab.foreign.lines import ForeignLine
from espalier.measure.request import Given
from espalier.problems import BadParameter
from espalier.text import read

TEXT = "It isn't a well-made film, but fun."
GOOD: dict[str, Any] = {"text": "A fine film.", "words": ["A", "fine", "film", "."], "scores": [0, 2, 1, -1]}


def line(**fields: Any) -> ForeignLine:
    (found,) = file([fields]).lines
    return found


def file(lines: list[Any]) -> ExplanationFile:
    return ExplanationFile(name="captum.jsonl", content="".join(json.dumps(each) + "\n" for each in lines))


def given(**fields: Any) -> Given:
    return aligned(line(**fields))


def ranked(found: Given, text: str = TEXT) -> list[str]:
    words = read(text).words
    return [words[index].text for index in found.ranking]


def test_words_of_ours_are_ranked_by_their_scores() -> None:
    found = given(**GOOD)
    assert found.ranking == (1, 2, 0, 3)
    assert found.top == ()
    assert found.method == "captum"


def test_tokens_inside_a_word_add_up() -> None:
    # "isn't" is 4 + 4 - 2 = 6 in three pieces, "well-made" 3 + 1 + 1 = 5 in three, though no piece of it is highest.
    tokens = ["[CLS]", "it", "isn", "'", "t", "a", "well", "-", "made", "film", ",", "but", "fun", ".", "[SEP]"]
    scores = [99, 0.5, 4, 4, -2, 0, 3, 1, 1, 4.5, -1, 0.25, 5.5, -2, 99]
    found = given(text=TEXT, words=tokens, scores=scores)
    assert ranked(found) == ["isn't", "fun", "well-made", "film", "It", "but", "a", ",", "."]


@pytest.mark.parametrize(
    "tokens",
    [
        ["un", "##believ", "##able", "!"],
        ["Ġun", "believ", "able", "!"],
        ["▁un", "believ", "able", "!"],
        ["un@@", "believ@@", "able</w>", "!"],
        ["un", "believ", "able ", "!"],
    ],
)
def test_tokens_are_found_however_tokenizers_mark_them(tokens: list[str]) -> None:
    found = given(text="  Unbelievable!", words=tokens, scores=[1, 1, 1, 2.5])
    assert found.ranking == (0, 1)


def test_offsets_and_words_give_the_same() -> None:
    text = "Unbelievable film!"
    by_words = given(text=text, words=["un", "##believable", "film", "!"], scores=[1, 1, 1.5, 0])
    by_offsets = given(text=text, offsets=[[0, 2], [2, 12], [13, 17], [17, 18]], scores=[1, 1, 1.5, 0])
    assert by_words == by_offsets
    assert by_words.ranking == (0, 1, 2)


def test_offsets_count_the_space_that_a_text_is_kept_without() -> None:
    found = given(text="\n  Dull film ", offsets=[[0, 0], [3, 7], [8, 12], [12, 13]], scores=[9, 1, 2, 9])
    assert found.ranking == (1, 0)


def test_case_and_accents_that_a_tokenizer_takes_away_are_no_matter() -> None:
    found = given(text="Élégant İdea ﬁlm", words=["elegant", "idea", "film"], scores=[1, 2, 3])
    assert found.ranking == (2, 1, 0)


def test_a_word_with_its_full_stop_belongs_to_the_word_and_what_nobody_speaks_of_scores_nothing() -> None:
    found = given(text="A fine film.", words=["A", "fine", "film."], scores=[-1, 2, 3])
    assert found.ranking == (2, 1, 3, 0)
    apart = given(text="A fine , fine film .", words=["A ", "fine , ", "fine ", "film . "], scores=[-1, 2, 1, 3])
    assert apart.ranking == (4, 1, 3, 2, 5, 0)


def test_the_top_phrase_is_the_highest_short_span_in_words_of_ours() -> None:
    tokens = ["it", "isn", "'t", "good", "at", "all", "now", "."]
    spans = [
        {"start": 0, "end": 8, "score": 9},
        {"start": 1, "end": 4, "score": 2},
        {"start": 4, "end": 6, "score": 1},
    ]
    found = given(text="It isn't good at all now.", words=tokens, scores=[0] * 8, spans=spans)
    assert found.top == (1, 2)


def test_a_ranking_and_a_top_phrase_of_ones_own_count_before_scores_and_spans() -> None:
    found = given(**GOOD, ranking=[3, 0], top=[0, 2], spans=[{"start": 0, "end": 2, "score": 1}])
    assert found.ranking == (3, 0, 1, 2)
    assert found.top == (0, 2)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"text": None}, "has no text"),
        ({"text": ""}, "cannot be read: empty text"),
        ({"words": None}, "does not say what its scores are of"),
        ({"words": "A fine film ."}, "has no words: got 'A fine film .', possible is a list"),
        ({"words": ["A", "fine", "film"]}, "has too many scores: got 4 for 3 words"),
        ({"words": ["A", 1, "film", "."]}, "has no word in words: got 1"),
        ({"words": ["A", "fine", "movie", "."]}, "cannot be aligned: 'movie' is not in the text"),
        ({"words": ["A", "film", "fine", "."]}, "cannot be aligned: 'fine' is not in the text after"),
        ({"words": ["A", "fine film", ".", ""]}, "cannot be aligned: 'fine film' covers several words"),
        ({"words": ["", "[CLS]", "", "[SEP]"]}, "explains no word"),
        ({"scores": None}, "has no scores"),
        ({"scores": [0, 1, 2]}, "has too few scores: got 3 for 4 words"),
        ({"scores": [0, float("nan"), 1, 1]}, "has no number in scores: got nan"),
        ({"scores": [0, 10**400, 1, 1]}, "has no number in scores"),
        ({"scores": [0, True, 1, 1]}, "has no number in scores: got True"),
        ({"scores": [0, "1", 1, 1]}, "has no number in scores: got '1'"),
        ({"words": None, "offsets": [[0, 1], [2, 6], [7, 11], [11, 13]]}, "outside of its text: got [11, 13]"),
        ({"words": None, "offsets": [[0, 1], [6, 2], [7, 11], [11, 12]]}, "outside of its text: got [6, 2]"),
        ({"words": None, "offsets": [[0, 1], [2], [7, 11], [11, 12]]}, "has wrong offsets: got [2]"),
        ({"spans": [{"start": 2, "end": 2, "score": 1}]}, "has a wrong span"),
        ({"spans": [{"start": 0, "end": 5, "score": 1}]}, "has a wrong span"),
        ({"spans": [[0, 2, 1]]}, "has a wrong span"),
        ({"scores": [0] * 5001, "words": ["A"] * 5001}, "has too many scores: got 5,001"),
        ({"words": ["A", "", "film", "."], "spans": [{"start": 1, "end": 2, "score": 1}]}, "has a span without words"),
        ({"spans": [{"start": 0, "end": 2}]}, "has no number in spans: got None"),
        ({"ranking": [0, 0]}, "has a wrong ranking"),
        ({"top": [4]}, "has a wrong top"),
        ({"method": 3}, "has a wrong method"),
        ({"method": "captum\n\x1b[2J"}, "has a wrong method"),
        ({"target": "x" * 300}, "has a wrong target"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(changes: dict[str, Any], said: str) -> None:
    lines = [GOOD | {"text": "Dull film .", "words": ["Dull", "film", "."], "scores": [1, 2, 3]}, GOOD | changes]
    texts = ["Dull film .", "A fine film.", ""]
    with pytest.raises(BadParameter) as refused:
        brought(file(lines), texts, ["m"])
    assert refused.value.message.startswith("line 2 of captum.jsonl ")
    assert said in refused.value.message


def test_what_is_too_long_to_be_measured_says_so_in_its_row() -> None:
    words = ["word"] * 401
    assert given(text=" ".join(words), words=words, scores=[1] * 401).problem == (
        "text too long to measure: got 401 words"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no explanations: got none in captum.jsonl"),
        ("[1, 2]\n", "line 1 of captum.jsonl is not an object"),
        ('{"text": "A', "line 1 of captum.jsonl is not JSON"),
        ("\n" + json.dumps(GOOD) + "\n\n" + json.dumps(GOOD), "line 4 of captum.jsonl explains a text again"),
    ],
)
def test_a_file_that_is_none_is_refused(content: str, said: str) -> None:
    with pytest.raises(BadParameter, match=said):
        brought(ExplanationFile(name="captum.jsonl", content=content), ["A fine film."], ["m"])


def test_lines_of_other_texts_and_models_are_left_and_said() -> None:
    lines = [GOOD | {"model": "m"}, GOOD | {"model": "another"}, GOOD | {"text": "Dull"}]
    found = brought(file(lines), ["Fun .", " A fine film. "], ["m"])
    assert [len(each) for each in found.of_texts] == [0, 1]
    assert found.warnings == (
        "1 explanations of captum.jsonl are of models that are not in this run",
        "1 explanations of captum.jsonl are of texts that are not in this run",
        "captum explains 1 of 2 texts; its line has no others",
    )
    with pytest.raises(BadParameter, match=r"nothing of captum.jsonl is of this run: .*'another', 'm'.*on other"):
        brought(file(lines[:2]), ["A fine film."], ["other"])
