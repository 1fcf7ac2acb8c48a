"""`espalier stand-ins`: what a model reads when words are absent."""

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


def test_a_word_that_is_not_there_is_answered_with_those_that_are():
    refused = run("-a", "dull", "--reference", "pad")
    assert refused.exit_code == 2
    assert "no such word: got --absent 'dull', possible are A, lovely, film, ." in refused.output
