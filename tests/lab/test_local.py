"""Runs in this process: `espalier.evaluate` and `espalier evaluate`, stopped and gone on with."""

import json
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

import espalier
from espalier.cli import app
from espalier.engine.explainer import Explainer, ParseText
from espalier.lab.design import EvaluationDesign
from espalier.lab.local import run_here
from espalier.models.catalog import catalog
from espalier.models.describe import Shelf
from espalier.problems import BadParameter
from espalier.text import Passage
from espalier.trees.tree import SpanTree, from_spans

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


def test_several_texts_are_measured_at_once_and_have_the_rows_that_each_has_alone() -> None:
    """The parser waits until two texts are at it: a run that goes one text at a time never comes by."""
    at_it: set[str] = set()
    two_are = threading.Event()

    def flat(passage: Passage) -> SpanTree:
        return from_spans(len(passage.words), {})

    def patient(passage: Passage) -> SpanTree:
        at_it.add(passage.source)
        if len(at_it) == 2:
            two_are.set()
        assert two_are.wait(60)
        return flat(passage)

    how = HOW | {"models": ("sst2-bow", "sst2-cnn"), "methods": [{"method": "ls-tree"}, {"method": "leave-one-out"}]}

    def rows(texts: list[str], parse: ParseText) -> list[dict[str, object]]:
        explainer = Explainer(catalog().load, parse)
        design = EvaluationDesign.model_validate(
            how | {"dataset": {"kind": "rows", "rows": [{"text": text} for text in texts]}}
        )
        found = run_here(design, explainer, Shelf(catalog())).rows
        explainer.close()
        return [{name: value for name, value in row.items() if name != "seconds"} for row in found]

    texts = [*TEXTS, "The plot is thin, but the leads are charming ."]
    alone = [row for text in texts for row in rows([text], flat)]
    together = rows(texts, patient)
    assert [row["text"] for row in together] == [number for number in range(4) for _ in range(len(alone) // 4)]
    assert [row | {"text": 0} for row in together] == alone


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
