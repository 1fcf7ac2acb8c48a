"""`espalier study` against a real server."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from espalier.cli import app


@pytest.fixture
def on_server(service: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ESPALIER_SERVER", service)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str, code: int = 0) -> Result:
        outcome = CliRunner().invoke(app, ["study", *arguments])
        assert outcome.exit_code == code, outcome.output
        return outcome

    return run


def test_a_study_is_run_from_a_terminal_from_creation_to_deletion(on_server, tmp_path: Path) -> None:
    data = tmp_path / "texts.tsv"
    data.write_text("text\tlabel\nA lovely film.\tpositive\nA dull film.\tnegative\nA film of wit.\tpositive\n")
    design = tmp_path / "design.json"
    design.write_text(json.dumps({"practice": [], "attention_checks": 0}))
    study = on_server(
        *("create", "From a terminal", "--protocol", "coherence", "--method", "leave-one-out", "--model", "sst2-bow"),
        *("--data", str(data), "--items", "3", "--votes", "2", "--design", str(design), "--seed", "5"),
    ).stdout.strip()
    assert "From a terminal" in on_server("list").stdout
    shown = on_server("show", study).stdout
    assert "ready · seed 5" in shown
    assert "items   3 of 3 (from 3 texts)" in shown
    assert on_server("publish", study).stdout.strip() == "published"
    (name, link), *_ = [line.split("\t") for line in on_server("links", study, "Ada", "Grace").stdout.splitlines()]
    assert name == "Ada"
    assert f"/s/{study}?name=ada&until=" in link
    assert on_server("pause", study).stdout.strip() == "paused"
    on_server("rehearse", study, "--people", "2", "--error", "0")
    rows = list(csv.DictReader(io.StringIO(on_server("export", study, "--simulated").stdout)))
    assert len(rows) == 6
    assert {row["simulated"] for row in rows} == {"True"}
    assert "REHEARSAL" in on_server("results", study, "--simulated").stdout
    assert json.loads(on_server("results", study, "--json").stdout)["answers"] == 0
    assert on_server("close", study).stdout.strip() == "closed"
    on_server("delete", study, "--yes")
    assert "no such study" in on_server("show", study, code=2).output


def test_a_server_that_is_not_there_is_said_in_one_line(on_server, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = on_server("list", "--server", "http://127.0.0.1:9", code=2)
    assert "no server answers at http://127.0.0.1:9" in outcome.output
