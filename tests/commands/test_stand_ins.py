"""`espalier stand-ins`: what a model reads when words are absent."""

from tests.models.masked.made import SIX, network, tokenizer
from typer.testing import CliRunner

from espalier.cli import app


def run(*arguments: str):
    return CliRunner().invoke(app, ["stand-ins", "A lovely film.", "--model", "sst2-bow", *arguments])


def test_what_stands_in_is_shown_between_brackets():
    assert run("-a", "lovely", "--reference", "pad").output == "A [ ] film.\n"
    assert run("-a", "1", "--reference", "delete").output == "A film.\n"
    lines = run("-a", "lovely", "--reference", "in-domain", "--draws", "3").output.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("A [") and line.endswith("] film.") for line in lines)


def test_a_masked_model_in_a_folder_fills_in(tmp_path):
    network().save_pretrained(tmp_path / "six")
    tokenizer().save_pretrained(tmp_path / "six")
    options = ["--reference", "conditional", "--filler", str(tmp_path / "six"), "--model", "sst2-bow"]
    found = CliRunner().invoke(app, ["stand-ins", "the film is good", "-a", "3", *options])
    assert found.exit_code == 0, found.output
    assert {line.rpartition("[")[2].rstrip("]") for line in found.output.splitlines()} <= set(SIX)


def test_a_word_that_is_not_there_is_answered_with_those_that_are():
    refused = run("-a", "dull", "--reference", "pad")
    assert refused.exit_code == 2
    assert "no such word: got --absent 'dull', possible are A, lovely, film, ." in refused.output
