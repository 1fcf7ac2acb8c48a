"""What is wanted of the shipped models, what a table shows of it, and that everything which ships is in it."""

import io
import shutil

import nltk
import pytest
from rich.console import Console

from espalier import samples
from espalier.settings import settings
from training import data, held_out, quality, treebank
from training.quality import Line, classifier, lines, show, size

ROWS = [("A warm, funny film.", 1), ("A dull, lifeless film.", 0), ("Terrible.", 0), ("Simply wonderful.", 1)]


def printed(*found: Line) -> list[str]:
    """The lines below the heading."""
    paper = io.StringIO()
    Console(file=paper, width=200).print(show(list(found)))
    return paper.getvalue().splitlines()[1:]


@pytest.fixture
def few(monkeypatch):
    """Four texts are held out: a good bag of words knows them all."""
    monkeypatch.setitem(held_out.SETS, "sst2-bow", held_out.HeldOut(lambda: ([], ROWS), "sentiment"))


def test_a_model_is_measured_on_its_texts_and_on_our_sentences(few):
    held, ours = lines(["sst2-bow"])
    assert (held.what, held.measured_on, held.result, held.met) == ("sst2-bow", "4 texts", "accuracy 1.0000", True)
    assert held.wanted == "0.8"
    assert 0 < held.calibration_error < 0.5
    assert ours.measured_on == "200 of ours"
    assert ours.met is None


def test_what_is_missed_is_shown(few, monkeypatch):
    monkeypatch.setitem(quality.ACCURACY, "sst2-bow", 1.01)
    monkeypatch.setitem(quality.RIGHT_SAMPLES, "sst2-bow", 0)
    held, ours = (line.split() for line in printed(*classifier("sst2-bow")))
    assert "MISSED" in held
    assert "ok" in ours


@pytest.mark.parametrize(("wanted", "code"), [(0.9, 0), (1.01, 1)])
def test_the_command_fails_when_something_is_missed(few, monkeypatch, capsys, wanted, code):
    monkeypatch.setitem(quality.ACCURACY, "sst2-bow", wanted)
    monkeypatch.setattr("sys.argv", ["quality", "sst2-bow"])
    assert quality.main() == code


def test_an_unknown_name_is_answered_with_the_known_ones(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["quality", "sst2-gru"])
    with pytest.raises(SystemExit):
        quality.main()
    assert "unknown model: got 'sst2-gru', possible are sst2-minilm, " in capsys.readouterr().err


def test_the_parser_is_held_to_its_trees_and_to_its_speed(monkeypatch):
    trees = [
        "(ROOT (S (NP (DT The) (NN film)) (VP (VBZ is) (ADJP (JJ good))) (. .)))",
        "(ROOT (S (NP (PRP I)) (VP (VBD slept)) (. .)))",
    ]
    monkeypatch.setattr(treebank, "gum", lambda part, commercial_only: list(map(nltk.Tree.fromstring, trees)))
    monkeypatch.setattr(quality, "PARSER_SPEED", 10**9)
    brackets, speed = lines(["parser"])
    assert (brackets.measured_on, brackets.met) == ("GUM dev, 2", True)
    assert brackets.result.startswith("labelled F1 100")
    assert speed.result.endswith("sentences a second")
    assert speed.met is False


def test_all_files_together_are_the_size(tmp_path):
    shutil.copytree(settings().catalog.parent / "sst2-bow", tmp_path / "sst2-bow")
    (tmp_path / "sst2-bow" / "more.safetensors").write_bytes(bytes(10_000_000))
    (line,) = size(tmp_path)
    assert (line.result, line.met) == ("10.3 MB", True)
    (tmp_path / "sst2-bow" / "more.safetensors").write_bytes(bytes(80_000_000))
    (line,) = size(tmp_path)
    assert line.met is False


def test_every_classifier_has_a_target_and_a_model_that_is_not_there_is_left_out(tmp_path, monkeypatch):
    assert quality.ACCURACY.keys() == held_out.SETS.keys()
    shutil.copytree(settings().catalog.parent / "sst2-bow", tmp_path / "sst2-bow")
    monkeypatch.setattr(held_out, "MODELS", tmp_path)
    assert held_out.shipped() == ["sst2-bow"]


def test_classes_of_samples_are_those_of_the_data():
    assert {sample.label for sample in samples.for_task("emotion")} == set(data.EMOTIONS)
