"""Explanations from elsewhere in a run: measured as ours are, kept through kills, and honest about what they lack."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.lab.conftest import TEXTS, Here, contents, design, until_finished
from typer.testing import CliRunner

import espalier
from espalier.cli import app
from espalier.engine.measuring import Measuring
from espalier.lab.documents import PairComparison
from espalier.lab.foreign.written import line_of, to_lines
from espalier.lab.runner import Runner
from espalier.library import shared_explainer
from espalier.measure.registry import USUAL
from espalier.measure.request import Given, MeasureRequest
from espalier.models.describe import Shelf
from espalier.problems import BadParameter, NotSupported
from espalier.store import Store
from espalier.store.evaluations import Evaluations

MEASURES = list(USUAL)
WORDS = ["It", "is", "not", "good", "but", "fun", "."]
FUN: dict[str, Any] = {"text": TEXTS[0], "words": WORDS, "scores": [0, 0, -2, 1, 0, 3, 0], "method": "captum-ig"}


def brought(*lines: dict[str, Any]) -> dict[str, str]:
    return {"kind": "file", "name": "captum.jsonl", "content": to_lines(lines)}


@pytest.mark.parametrize("method", ["shap", "hedge", "ls-tree", "archipelago", "asiv", "mahe"])
def test_what_goes_out_and_comes_in_again_is_measured_the_same_to_the_last_digit(method: str) -> None:
    lines = [line_of(espalier.explain(text, "sst2-cnn", method)) for text in TEXTS[:3]]
    sent = [json.loads(each) for each in to_lines(lines).splitlines()]
    run = espalier.evaluate(TEXTS[:3], "sst2-cnn", method, explanations=sent, measures=MEASURES, best_order=False)
    kept = {(row.text, row.condition): json.loads(row.content) for row in run.stored}
    for text in range(3):
        own, again = kept[text, 0], kept[text, 1]
        assert again["method"] == f"{method} (brought)"
        assert {name: own[name] for name in ("ranking", "top", "values", "curves")} == {
            name: again[name] for name in ("ranking", "top", "values", "curves")
        }
        assert None not in own["values"].values()
    ours, theirs = run.results.lines[:2]
    assert [cell.interval for cell in ours.cells] == [cell.interval for cell in theirs.cells]
    assert (theirs.brought, theirs.baseline, theirs.evaluations.mean, theirs.seconds) == (True, False, None, None)
    assert run.results.agreement[0].kendall.mean == 1


def test_only_what_ranks_words_goes_out() -> None:
    with pytest.raises(NotSupported, match="does not rank the words"):
        line_of(espalier.explain("A fine film. Dull.", "sst2-bow", "shap", players="sentences"))


def test_a_line_has_the_texts_it_explains_and_says_what_it_cannot_have() -> None:
    line = {key: FUN[key] for key in ("text", "words", "scores", "method")}
    run = espalier.evaluate(
        TEXTS[:3],
        "sst2-bow",
        "leave-one-out",
        explanations=[line, line | {"method": "other", "target": "nobody's"}],
        measures=["aopc-delete", "stability", "cohesion"],
        best_order=False,
    )
    lines = {each.method: each for each in run.results.lines}
    ours = lines["captum-ig"]
    assert [cell.interval.n for cell in ours.cells] == [1, 0, 0]
    assert ours.problems == {"is not explained in the file": 2}
    assert ours.not_measured == {
        "stability": "the method would have to be run here",
        "cohesion": "the file has no spans",
        "evaluations": "the method would have to be run here",
        "seconds": "the method would have to be run here",
    }
    assert lines["other"].problems['explains another class than the predicted one: got "nobody\'s"'] == 1
    assert lines["leave-one-out"].not_measured == {}
    assert "Explanations by captum-ig and other were made elsewhere (brought.jsonl)." in run.results.paragraph


def test_a_class_is_the_same_in_capitals() -> None:
    for target, problem in (("POSITIVE", None), (None, None), ("negative", "explains another class")):
        given = Given(method="captum-ig", target=target, ranking=(1, 0, 2))
        request = MeasureRequest(
            text="A lovely film", model="sst2-bow", conditions=(), given=(given,), measures=("aopc-delete",)
        )
        row = Measuring(shared_explainer(), request).run().rows[0]
        assert row.target == "positive"
        assert (row.problem or "").startswith(problem or "")
        assert (row.problem is None) == (problem is None) == ("aopc-delete" in row.values)


def test_a_line_of_a_model_counts_for_that_model_only() -> None:
    other = FUN | {"scores": FUN["scores"][::-1]}
    run = espalier.evaluate(
        TEXTS[:1],
        ["sst2-bow", "sst2-cnn", "sst2-lstm"],
        [],
        explanations=[FUN | {"model": "sst2-bow"}, other | {"model": "sst2-cnn"}],
        measures=["aopc-delete"],
        best_order=False,
    )
    rankings = {row["model"]: row["ranking"] for row in run.rows if row["method"] == "captum-ig"}
    assert rankings == {"sst2-bow": "5 3 0 1 4 6 2", "sst2-cnn": "1 3 0 2 5 6 4", "sst2-lstm": ""}


def test_a_run_needs_a_method_or_explanations() -> None:
    with pytest.raises(BadParameter, match="nothing to measure"):
        espalier.evaluate(TEXTS[:1], "sst2-bow", [])


def test_no_best_line_by_easier_texts() -> None:
    """A file may explain few texts: the best mean is no victory where those that both explain say the contrary."""
    test = PairComparison(
        model="m", measure="aopc-delete", best="a", other="b", difference=-0.1, n=9, p=0.001, corrected=0.002
    )
    assert not test.is_won("higher")
    assert test.is_won("lower")
    assert not test.model_copy(update={"corrected": 0.05}).is_won("lower")


def test_a_run_that_is_stopped_again_and_again_keeps_what_was_brought(store: Store, shelf: Shelf, engine: Here) -> None:
    evaluations = Evaluations(store)
    lines = [FUN, FUN | {"text": TEXTS[1], "words": TEXTS[1].split(), "scores": [0, 3, 0, 1, 2, 0]}]
    chosen = design(explanations=brought(*lines), most_texts=None)

    async def disturbed(stops: int) -> str:
        runner = Runner(engine, evaluations, shelf)  # type: ignore[arg-type]
        made = await runner.add(chosen, "somebody")
        for _ in range(stops):
            before = (await runner.get(made.id)).done
            while (found := await runner.get(made.id)).status == "running" and found.done < before + 1:
                await asyncio.sleep(0.002)
            await runner.stop()
            runner = Runner(engine, evaluations, shelf)  # type: ignore[arg-type]
            await runner.start()
        await until_finished(runner, made.id)
        await runner.stop()
        return made.id

    first, second = asyncio.run(disturbed(0)), asyncio.run(disturbed(3))
    assert contents(evaluations, first) == contents(evaluations, second)
    rows = [json.loads(content) for _, _, condition, content in contents(evaluations, first) if condition == 2]
    assert [row.get("problem") is None for row in rows] == [True] * 4 + [False] * 8
    assert all(row["method"] == "captum-ig" and row["brought"] for row in rows)
    found = evaluations.get(first)
    assert found is not None
    assert found.design["design"]["explanations"] == {
        "kind": "kept",
        "name": "captum.jsonl",
        "explainers": ["captum-ig"],
    }


def test_the_command_measures_a_file_of_explanations(tmp_path: Path) -> None:
    file = tmp_path / "captum.jsonl"
    # The name is nobody's markup.
    file.write_text(to_lines([FUN, FUN | {"method": "[/] [red]mine"}]), encoding="utf-8")
    options = ["--file", str(file), "--explanations", str(file), "--model", "sst2-bow", "--measure", "aopc-delete"]
    done = CliRunner().invoke(app, ["evaluate", *options, "--method", "leave-one-out", "--no-best-order"])
    assert done.exit_code == 0, done.output
    assert "captum-ig" in done.stdout
    assert "[/] [red]mine" in done.stdout
    assert "captum-ig on sst2-bow: evaluations not measured, the method would have to be run here" in done.stdout
    alone = CliRunner().invoke(app, ["evaluate", *options, "--no-own", "--no-best-order", "--json"])
    assert [line["method"] for line in json.loads(alone.stdout)["lines"]] == [
        "captum-ig",
        "[/] [red]mine",
        "random-order",
    ]


def test_the_commands_lines_are_what_the_lab_reads(tmp_path: Path) -> None:
    texts, out = tmp_path / "texts.tsv", tmp_path / "ours.jsonl"
    texts.write_text(f"text\n{TEXTS[0]}\n{'word ' * 3000}\n", encoding="utf-8")
    how = ["--model", "sst2-cnn", "--method", "leave-one-out", "--lines"]
    several = CliRunner().invoke(app, ["explain", "--file", str(texts), "--out", str(out), *how])
    assert several.exit_code == 1, several.output
    single = CliRunner().invoke(app, ["explain", TEXTS[0], *how])
    first, second = (json.loads(line) for line in out.read_text().splitlines())
    assert {name: first[name] for name in json.loads(single.stdout)} == json.loads(single.stdout)
    assert "too many players" in second["problem"]
    run = espalier.evaluate(out, "sst2-cnn", [], explanations=out, measures=["aopc-delete"], best_order=False)
    brought, random = run.results.lines
    assert brought.cells[0].interval.n == random.cells[0].interval.n == 1
    alone = espalier.evaluate([TEXTS[0]], "sst2-cnn", "leave-one-out", measures=["aopc-delete"], best_order=False)
    assert run.rows[0]["aopc-delete"] == alone.rows[0]["aopc-delete"]
    assert run.rows[0]["method"] == "leave-one-out"


def test_a_run_in_a_file_goes_on_with_the_same_explanations_only(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    how: dict[str, Any] = {"measures": ["aopc-delete"], "best_order": False, "out": out}
    whole = espalier.evaluate(TEXTS[:2], "sst2-bow", "leave-one-out", explanations=[FUN], **how)
    out.write_bytes(b"".join(out.read_bytes().splitlines(keepends=True)[:2]))
    again = espalier.evaluate(TEXTS[:2], "sst2-bow", "leave-one-out", explanations=[FUN], **how)
    assert [row.content for row in again.stored] == [row.content for row in whole.stored]
    with pytest.raises(BadParameter, match="holds another run"):
        espalier.evaluate(TEXTS[:2], "sst2-bow", "leave-one-out", explanations=[FUN | {"method": "other"}], **how)


def test_a_run_that_was_written_before_there_were_such_files_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    how: dict[str, Any] = {"measures": ["aopc-delete"], "best_order": False, "out": out}
    espalier.evaluate(TEXTS[:1], "sst2-bow", "leave-one-out", **how)
    first, *rest = out.read_text().splitlines(keepends=True)
    older = json.loads(first)
    del older["design"]["explanations"]
    out.write_text(json.dumps(older) + "\n" + "".join(rest))
    advanced: list[tuple[int, int]] = []
    espalier.evaluate(TEXTS[:1], "sst2-bow", "leave-one-out", advance=lambda *each: advanced.append(each), **how)
    assert advanced == [(1, 1)]
