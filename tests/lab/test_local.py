"""Runs in this process: `espalier.evaluate` and `espalier evaluate`, stopped and gone on with."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import espalier
from espalier.cli import app
from espalier.problems import BadParameter

TEXTS = ["A lovely film .", "It is not good .", "Dull !"]
HOW = {"models": "sst2-bow", "methods": ["leave-one-out"], "measures": ["aopc-delete"], "best_order": False}


def kept(out: Path) -> list[list[list[object]]]:
    """Rows without their seconds."""
    return [[row[:4] for row in json.loads(line)["rows"]] for line in out.read_text().splitlines()[1:]]


def test_a_run_that_was_cut_off_goes_on_to_the_same_rows(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    run = espalier.evaluate(TEXTS, out=whole, **HOW)
    assert [row["method"] for row in run.rows] == ["leave-one-out", "random-order"] * 3
    assert run.results.lines[0].cells[0].interval.n == 3
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 3 // 5])
    before = len(cut.read_text().splitlines())
    counted: list[tuple[int, int]] = []
    espalier.evaluate(TEXTS, out=cut, advance=lambda done, total: counted.append((done, total)), **HOW)
    assert 1 < before < 4
    assert counted[0][0] >= 1
    assert counted[-1] == (3, 3)
    assert kept(cut) == kept(whole)


def test_another_runs_file_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    espalier.evaluate(TEXTS[:1], out=out, **HOW)
    with pytest.raises(BadParameter, match="holds another run"):
        espalier.evaluate(TEXTS[1:], out=out, **HOW)


def test_the_command_measures_a_file_and_prints_a_table(tmp_path: Path) -> None:
    file = tmp_path / "reviews.tsv"
    file.write_text("text\tlabel\n" + "".join(f"{text}\tpositive\n" for text in TEXTS), encoding="utf-8")
    options = ["--model", "sst2-bow", "--method", "leave-one-out", "--measure", "aopc-delete", "--no-best-order"]
    planned = CliRunner().invoke(app, ["evaluate", "--file", str(file), *options, "--plan"])
    assert planned.exit_code == 0
    assert "3 texts, 6 rows" in planned.stderr
    done = CliRunner().invoke(app, ["evaluate", "--file", str(file), *options])
    assert done.exit_code == 0, done.output
    assert "AOPC (delete) ↑" in done.stdout
    assert "random-order" in done.stdout
