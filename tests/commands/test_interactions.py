"""`espalier interactions …`, `espalier edit …` and `espalier edits …`, from files to tables and JSON."""

import json

import pytest

from espalier.settings import settings

TEXTS = ("The film is not good", "It is not very good", "not good", "The music is very good", "it is not a good film")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "texts.tsv"
    lines = [f"{text}\t{number % 2}" for number, text in enumerate(TEXTS)]
    path.write_text("\n".join(["text\tlabel", *lines]) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("ESPALIER_DATA", str(tmp_path / "data"))
    settings.cache_clear()
    return tmp_path / "data"


@pytest.mark.slow
def test_fit_has_a_line_for_each_model(espalier, file):
    options = ("--file", file, "--model", "lstm", "--model", "bow", "--draws", "100")
    lstm, bow = json.loads(espalier("interactions", "fit", *options, "--json").stdout)
    assert (lstm["model"], lstm["found"]["of"], len(lstm["errors"])) == ("lstm", len(TEXTS), len(TEXTS))
    assert bow["found"]["count"] == 0
    assert "one interaction" in " ".join(espalier("interactions", "fit", *options).stdout.split())


def test_context_free_says_how_many_texts_have_the_sign(espalier, file):
    options = ("not", "good", "--file", file, "--model", "lstm", "--draws", "100", "--random-pairs", "1")
    found = json.loads(espalier("interactions", "context-free", *options, "--json").stdout)
    assert (found["texts"], found["same"]["of"]) == (4, 4)
    assert [each["text"] for each in found["occurrences"]] == [text for text in TEXTS if "not" in text]
    assert "sign of the majority" in espalier("interactions", "context-free", *options).stdout
    refused = espalier("interactions", "context-free", "never", "seen", "--file", file, "--model", "lstm")
    assert refused.exit_code == 2
    assert "no text with never … seen" in refused.stderr


def test_synthetic_functions_have_their_table(espalier):
    found = json.loads(espalier("interactions", "synthetic", "--points", "1", "--draws", "200", "--json").stdout)
    assert [each["name"] for each in found] == ["F1", "F2", "F3", "F4"]
    assert all(each["precision"]["of"] == 1 for each in found)


def test_the_fit_of_synthetic_functions_has_numbers_a_table_and_a_picture(espalier, tmp_path):
    picture = tmp_path / "figure.svg"
    options = ("--points", "1", "--trials", "1", "--draws", "200", "--base", "function")
    found = json.loads(espalier("interactions", "synthetic-fit", *options, "--svg", str(picture), "--json").stdout)
    assert [(each["function"], each["base"]) for each in found["fitted"]] == [
        (name, "function") for name in ("F1", "F2", "F3", "F4")
    ]
    assert "The function itself" in picture.read_text(encoding="utf-8")
    refused = espalier("interactions", "synthetic-fit", "--base", "forest")
    assert refused.exit_code == 2
    assert "possible are function, lstm, mlp, trees" in refused.stderr


def test_an_edit_is_made_listed_used_and_undone(espalier, file, data):
    options = (
        "--pair",
        "not",
        "good",
        "--model",
        "lstm",
        "--file",
        file,
        "--test",
        file,
        "--draws",
        "100",
        "--rate",
        "1e-5",
    )
    too_fast = espalier("edit", TEXTS[0], *options[:-1], "0.1", "--steps", "20")
    assert too_fast.exit_code == 2
    assert "nothing was learnt" in too_fast.stderr
    made = json.loads(espalier("edit", TEXTS[0], *options, "--steps", "20", "--json").stdout)
    folder = data / "edits" / "lstm-not-good"
    assert made["folder"] == str(folder)
    assert (made["held_out"], made["accuracy"]["before"]["of"]) == (3, len(TEXTS))
    (listed,) = json.loads(espalier("edits", "list", "--json").stdout)
    assert (listed["name"], listed["of"], listed["words"]) == ("lstm-not-good", "lstm", ["not", "good"])
    assert "not … good" in espalier("edits", "list").stdout
    before, after = (
        json.loads(espalier("predict", TEXTS[0], "--model", name, "--json").stdout)["probabilities"]["positive"]
        for name in ("lstm", "lstm-not-good")
    )
    assert before != after
    # Listed behind all others, as long as it is there.
    *_, entry = json.loads(espalier("models", "--json").stdout)
    assert entry["name"] == "lstm-not-good"
    assert "not … good" in entry["description"]
    assert espalier("edit", TEXTS[0], *options).exit_code == 2
    assert espalier("edits", "undo", "lstm-not-good").exit_code == 0
    assert not folder.exists()
    assert json.loads(espalier("edits", "list", "--json").stdout) == []
    assert "lstm-not-good" not in [each["name"] for each in json.loads(espalier("models", "--json").stdout)]
