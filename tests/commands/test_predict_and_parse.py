"""The command line as a person uses it: a real process for the errors' exit codes, the shipped models inside."""

import json

import pytest
from typer.testing import CliRunner

from espalier.cli import app
from espalier.models.catalog import catalog


def espalier(*arguments: str, stdin: str | None = None):
    return CliRunner().invoke(app, list(arguments), input=stdin)


def test_models_lists_every_entry_of_the_catalog():
    shown = espalier("models").stdout
    for entry in catalog().entries():
        assert entry.name in shown


def test_models_as_json_can_be_read_by_a_program():
    listed = json.loads(espalier("models", "--json").stdout)
    assert [entry["name"] for entry in listed] == [entry.name for entry in catalog().entries()]


@pytest.mark.parametrize("name", ["sst2-bow", "emotion-minilm"])
def test_predict_shows_every_class_with_the_most_likely_first(name):
    result = espalier("predict", "What a wonderful surprise!", "--model", name)
    assert result.exit_code == 0
    shown = [line.split()[0] for line in result.stdout.splitlines() if line.strip()]
    assert sorted(shown) == sorted(catalog().load(name).classes)
    numbers = [float(line.split("%")[0].split()[-1].strip("<>")) for line in result.stdout.splitlines() if line.strip()]
    assert numbers == sorted(numbers, reverse=True)


def test_predict_as_json_gives_probabilities_that_sum_to_one():
    answer = json.loads(espalier("predict", "A dull and lifeless mess.", "-m", "sst2-bow", "--json").stdout)
    assert answer["label"] == "negative"
    assert sum(answer["probabilities"].values()) == pytest.approx(1)


def test_text_can_come_from_standard_input():
    answer = json.loads(espalier("predict", "-", "-m", "sst2-bow", "--json", stdin="A joy.").stdout)
    assert answer["text"] == "A joy."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("predict", ""), "empty text"),
        (("predict", "   "), "empty text"),
        (("predict", "a\0b", "-m", "sst2-bow"), "NUL character at position 1"),
        (("predict", "a\ud800", "-m", "sst2-bow"), "lone surrogate U+D800"),
        (("predict", "x" * 100_000, "-m", "sst2-bow"), "got 100,000 characters, possible are up to 50,000"),
        (("predict", "good " * 5000, "-m", "sst2-bow"), "got 5,000 words, possible are up to 4000"),
        (("predict", "good " * 600, "-m", "sst2-minilm"), "possible are up to 512"),
        (("predict", "Fine.", "-m", "gpt"), "unknown model: got 'gpt', possible are emotion-minilm"),
        (("parse", ""), "empty text"),
        (("parse", "Good film", "--tree", "(NP (JJ Bad) (NN film))"), "Good"),
    ],
)
def test_bad_input_is_answered_in_one_line_and_exit_code_2(arguments, message):
    result = espalier(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_one_word_is_enough():
    assert espalier("predict", "Wonderful", "-m", "sst2-bow").exit_code == 0
    assert espalier("parse", "Wonderful").exit_code == 0


def test_parse_draws_the_words_and_the_phrases():
    shown = espalier("parse", "The film is good.").stdout
    for piece in ("The", "film", "good", "NP", "VP"):
        assert piece in shown


def test_parse_as_json_has_the_words_as_leaves():
    answer = json.loads(espalier("parse", "The film isn't good.", "--json").stdout)
    leaves = [node for node in answer["nodes"] if not node["children"]]
    assert [answer["words"][leaf["start"]]["text"] for leaf in leaves] == ["The", "film", "isn't", "good", "."]


def test_a_bracketed_tree_of_the_users_own_is_drawn():
    result = espalier("parse", "Good film", "--tree", "(NP (JJ Good) (NN film))", "--brackets")
    assert result.stdout.strip() == "(NP (JJ Good) (NN film))"
