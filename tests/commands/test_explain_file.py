"""`espalier explain --file … --out …`, with the small catalog."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from espalier.library import explain

OPTIONS = ("--model", "bow", "--method", "leave-one-out")
TEXTS = ["The film is good.", 'The "music is bad.', "It is not very good, it is bad."]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "reviews.tsv"
    file.write_text("label\ttext\n" + "".join(f"1\t{text}\n" for text in TEXTS), encoding="utf-8")
    return file


def records(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").split("\n") if line]


def test_every_row_is_explained_as_if_it_had_been_given_alone(espalier, table, tmp_path):
    out = tmp_path / "results.jsonl"
    assert espalier("explain", "--file", str(table), "--out", str(out), *OPTIONS).exit_code == 0
    assert [record["explanation"]["text"] for record in records(out)] == TEXTS
    for record in records(out):
        alone = explain(record["request"]["text"], "bow", "leave-one-out")
        assert record["explanation"]["result"] == json.loads(alone.result.model_dump_json())


def test_a_stopped_run_goes_on_where_it_ended(espalier, table, tmp_path):
    out = tmp_path / "results.jsonl"
    espalier("explain", "--file", str(table), "--out", str(out), *OPTIONS)
    lines = out.read_text(encoding="utf-8").splitlines(keepends=True)
    marked = lines[0].replace('"seconds": {"model": ', '"seconds": {"model": 77')
    assert marked != lines[0]
    out.write_text(marked + lines[1][:40])  # the second line was being written when the power went
    done = espalier("explain", "--file", str(table), "--out", str(out), *OPTIONS)
    assert done.exit_code == 0
    assert "3 texts" in done.stderr
    assert "1 of them before" in done.stderr
    assert out.read_text(encoding="utf-8").startswith(marked)  # not computed again
    assert [record["index"] for record in records(out)] == [0, 1, 2]


def in_a_terminal(command: list[str], environment: dict[str, str]) -> str:
    """What somebody sees on standard error who runs a command in a terminal, colours and cursor taken away."""
    here, there = pty.openpty()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=there, env=os.environ | environment) as process:
        os.close(there)
        seen = b""
        try:
            while part := os.read(here, 65536):
                seen += part
        except OSError:
            pass  # a terminal that everybody has left ends with an error
        os.close(here)
    assert process.returncode == 0, seen
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())


def test_a_terminal_shows_how_many_texts_are_done_how_fast_and_how_long_it_takes(small_catalog, table, tmp_path):
    out = tmp_path / "results.jsonl"
    command = [str(Path(sys.executable).with_name("espalier")), "explain", "--file", str(table), "--out", str(out)]
    environment = {"ESPALIER_CATALOG": str(small_catalog), "COLUMNS": "100", "TERM": "xterm"}
    whole = in_a_terminal([*command, *OPTIONS], environment)
    assert "0/3 texts" in whole
    assert re.search(r"3/3 texts +\d+\.\d a second +0:00:00 left", whole)

    # What was done before counts as done, not as work of this run.
    lines = out.read_text(encoding="utf-8").splitlines(keepends=True)
    out.write_text("".join(lines[:2]), encoding="utf-8")
    rest = in_a_terminal([*command, *OPTIONS], environment)
    assert "2/3 texts" in rest
    assert "0/3 texts" not in rest
    assert "3/3 texts" in rest


def test_nothing_is_drawn_where_nobody_looks(espalier, table, tmp_path):
    done = espalier("explain", "--file", str(table), "--out", str(tmp_path / "results.jsonl"), *OPTIONS)
    assert "explaining" not in done.stderr


def test_a_text_that_cannot_be_explained_does_not_stop_the_others(espalier, tmp_path):
    file, out = tmp_path / "reviews.txt", tmp_path / "results.jsonl"
    file.write_text("good\n\n" + "good " * 500 + "\nbad\n")
    done = espalier("explain", "--file", str(file), "--out", str(out), *OPTIONS)
    assert done.exit_code == 1
    assert "1 could not be explained" in done.stderr
    assert [record["problem"] and record["problem"]["code"] for record in records(out)] == [None, "too-long", None]


def test_a_line_is_what_ends_with_a_line_feed_and_nothing_else(espalier, tmp_path):
    file, out = tmp_path / "reviews.tsv", tmp_path / "results.jsonl"
    file.write_text("text\nThe film\u2028is\x85good.\nIt is bad.\n", encoding="utf-8")
    assert espalier("explain", "--file", str(file), "--out", str(out), *OPTIONS).exit_code == 0
    assert [record["request"]["text"] for record in records(out)] == ["The film\u2028is\x85good.", "It is bad."]


def test_a_table_of_pairs_and_a_column_by_name(espalier, tmp_path):
    file, out = tmp_path / "reviews.csv", tmp_path / "results.jsonl"
    file.write_text('sentence,label\n"The film, it is good.",1\n')
    assert espalier("explain", "--file", str(file), "--out", str(out), "--column", "sentence", *OPTIONS).exit_code == 0
    assert records(out)[0]["request"]["text"] == "The film, it is good."


ERRORS = {
    "other settings": (["--seed", "4"], "results of another run"),
    "no such column": (["--column", "review"], "got 'review', possible are label, text"),
    "text and file": (["A text."], "goes with --out and without a text"),
}


@pytest.mark.parametrize("problem", ERRORS)
def test_what_is_wrong_is_said_and_the_results_are_left_alone(problem, espalier, table, tmp_path):
    out = tmp_path / "results.jsonl"
    espalier("explain", "--file", str(table), "--out", str(out), *OPTIONS)
    before = out.read_bytes()
    arguments, message = ERRORS[problem]
    done = espalier("explain", "--file", str(table), "--out", str(out), *OPTIONS, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert out.read_bytes() == before


def test_a_file_that_is_not_results_is_not_overwritten(espalier, table, tmp_path):
    out = tmp_path / "thesis.txt"
    out.write_text("Chapter one\n")
    assert "not a file of results" in espalier("explain", "--file", str(table), "--out", str(out), *OPTIONS).stderr
    assert out.read_text(encoding="utf-8") == "Chapter one\n"


def test_nothing_to_explain_is_said(espalier):
    assert "nothing to explain" in espalier("explain").stderr
