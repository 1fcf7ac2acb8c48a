import ast
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import espalier as package
from espalier.library import explain

PACKAGE = Path(package.__file__).parent
TEXT = "The film is not very good."


def test_the_picture_is_printed_with_its_finding_and_provenance(espalier):
    done = espalier("explain", TEXT, "--model", "lstm", "--method", "leave-one-out")
    assert done.exit_code == 0
    assert "speaks most" in done.stdout.splitlines()[0]
    assert "exact · 9 evaluations (1 reused)" in done.stdout
    assert done.stderr == ""


def test_json_is_what_the_library_gives(espalier):
    done = espalier(
        "explain", TEXT, "-m", "lstm", "-x", "hedge", "-p", "window=1", "-p", "weights=published-code", "--json"
    )
    printed = json.loads(done.stdout)
    same = explain(TEXT, "lstm", "hedge", parameters={"window": 1, "weights": "published-code"})
    assert printed["result"] == json.loads(same.result.model_dump_json())
    given = {"window": 1, "weights": "published-code"}
    assert printed["parameters"] == {"longest_phrase": 5, "form": "exact", "certainty": 0.95} | given


def test_every_option_reaches_the_request(espalier):
    done = espalier(
        *("explain", "The film is bad.", "-m", "bow", "-x", "lime", "--target", "positive", "--scale", "log_odds"),
        *("--reference", "delete", "--players", "spans", "--span", "0:2", "--seed", "3", "-p", "samples=60", "--json"),
    )
    printed = json.loads(done.stdout)
    assert printed["classes"][printed["target"]] == "positive"
    assert (printed["scale"], printed["reference"], printed["seed"]) == ("log_odds", "delete", 3)
    assert [player["text"] for player in printed["players"]] == ["The film", "is", "bad", "."]
    assert printed["parameters"]["samples"] == 60
    assert printed["parameters"]["seed"] == 3


def test_a_long_text_is_opened_part_by_part(espalier):
    """What the parts of the open sentence add up to is what the sentence has one level above."""
    text = "The film is good. The music is not very good, it is bad. It is not the film."
    nested = ("explain", text, "-m", "lstm", "-x", "shap", "--players", "nested", "--json")
    top = json.loads(espalier(*nested).stdout)
    assert (top["player_kind"], len(top["players"])) == ("sentences", 3)
    second = top["players"][1]
    done = espalier(*nested, "--open", f"{second['start']}:{second['end']}")
    inside = json.loads(done.stdout)
    assert (inside["players"][0]["start"], inside["players"][-1]["end"]) == (second["start"], second["end"])
    assert len(inside["players"]) > 1
    assert sum(inside["result"]["values"]) == pytest.approx(top["result"]["values"][1], abs=1e-9)
    assert [level["kind"] for level in inside["levels"]] == ["text", "sentence"]


def test_a_tree_can_be_given(espalier):
    tree = "(S (NP The film) (VP is (ADJP not very good)) .)"
    done = espalier("explain", TEXT, "-m", "lstm", "--method", "ls-tree", "--tree", tree)
    assert done.exit_code == 0
    assert "ADJP" in done.stdout


def test_the_text_can_come_from_standard_input(espalier):
    done = espalier("explain", "-", "-m", "bow", "-x", "leave-one-out", "--json", input=TEXT)
    assert json.loads(done.stdout)["text"] == TEXT


def test_the_picture_can_be_written_as_svg(espalier, tmp_path):
    file = tmp_path / "picture.svg"
    done = espalier("explain", TEXT, "-m", "lstm", "-x", "acd", "--svg", str(file))
    assert done.exit_code == 0
    assert ElementTree.parse(file).getroot().get("data-method") == "acd"


def test_one_word_is_enough(espalier):
    for method in ("leave-one-out", "hedge", "hedge-merge", "acd", "shap", "lime"):
        assert espalier("explain", "good", "-m", "lstm", "-x", method).exit_code == 0


ERRORS = {
    "unknown method": (["-x", "magic"], "unknown method: got 'magic', possible are"),
    "unknown model": (["-m", "magic", "-x", "hedge"], "unknown model: got 'magic', possible are bow, lstm"),
    "unknown class": (["--target", "magic"], "unknown class of bow: got 'magic', possible are negative, positive"),
    "unknown scale": (["--scale", "magic"], "bad --scale: got 'magic'"),
    "unknown reference": (["--reference", "magic"], "bad --reference: got 'magic'"),
    "unknown players": (["--players", "magic"], "bad --players: got 'magic'"),
    "unknown parameter": (["-p", "magic=1"], "bad parameter for leave-one-out: got magic = 1"),
    "bad parameter": (["-x", "hedge", "-p", "window=9"], "bad parameter for hedge: got window = 9"),
    "parameter without value": (["-p", "window"], "bad --parameter: got 'window', possible is name=value"),
    "bad span": (["--players", "spans", "--span", "x"], "bad --span: got 'x'"),
    "players without spans": (["--players", "spans"], "players = spans needs spans"),
    "open without levels": (["--open", "0:2"], "something is open: got players = words, possible is players = nested"),
    "bad part": (["--players", "nested", "--open", "2"], "bad --open: got '2'"),
    "no such part": (["-x", "shap", "--players", "nested", "--open", "1:3"], "nothing there to open: got words [1, 3]"),
    "negative seed": (["--seed", "-1"], "bad --seed: got -1"),
    "bad tree": (["-x", "ls-tree", "--tree", "(S The"], ""),
    "too few words": (["-x", "mahe", "--text", "good"], "too few players for mahe: got 1"),
    "too many words": (
        ["-x", "hedge", "-p", "window=4", "--text", "good " * 51],
        "too many players for hedge: got 51, possible are up to 50; explain phrases or sentences instead",
    ),
    "too many words for exact": (
        ["-x", "shap", "-p", "algorithm=exact", "--text", "good " * 19],
        "too many players for shap: got 19, possible are up to 18; explain phrases or sentences instead",
    ),
    "empty text": (["--text", ""], "empty text: got no words"),
    "no words in the text": (["--text", " \n\t"], "empty text: got no words"),
    "no inside": (["-x", "acd"], "cannot answer 'decompose'"),
    "svg without folder": (["--svg", "missing/folder/x.svg"], "cannot write --svg: got 'missing/folder/x.svg'"),
}


@pytest.mark.parametrize("problem", ERRORS)
def test_what_is_wrong_is_said_in_one_line(problem, espalier, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments, message = ERRORS[problem]
    text = TEXT
    if "--text" in arguments:
        text, arguments = arguments[-1], arguments[:-2]
    defaults = ["-m", "bow", "-x", "leave-one-out"]
    done = espalier("explain", text, *defaults, *arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_an_error_leaves_no_empty_picture_behind(espalier, tmp_path):
    file = tmp_path / "picture.svg"
    assert espalier("explain", TEXT, "-m", "bow", "-x", "magic", "--svg", str(file)).exit_code == 2
    assert not file.exists()


def test_methods_are_listed_with_what_they_show(espalier):
    done = espalier("methods")
    assert done.exit_code == 0
    assert "leave-one-out" in done.stdout
    assert "What the prediction loses when one word is taken out" in " ".join(done.stdout.split())


def test_methods_are_listed_with_their_parameters_as_json(espalier):
    listed = {method["name"]: method for method in json.loads(espalier("methods", "--json").stdout)}
    window = listed["hedge"]["parameters"]["properties"]["window"]
    assert (window["default"], window["minimum"], window["maximum"]) == (2, 0, 4)
    assert window["description"]


def test_every_method_there_is_a_file_for_is_listed(espalier):
    """Read off the sources: every `Method(name=…)` that is registered at the top of a file."""
    named = set()
    for file in (PACKAGE / "explain").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Method":
                named |= {word.value.value for word in node.keywords if word.arg == "name"}
    assert {method["name"] for method in json.loads(espalier("methods", "--json").stdout)} == named
    assert {"ls-tree", "hedge", "mahe"} <= named


def test_help_imports_nothing_heavy():
    heavy = ["torch", "transformers", "numpy", "spacy", "pydantic", "fastapi"]
    code = f"import sys, espalier.cli; print(*[name for name in {heavy} if name in sys.modules])"
    path = str(PACKAGE.parent)
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": path}, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr, done.returncode) == ("", "", 0)
