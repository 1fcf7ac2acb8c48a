"""`espalier diagnose`: tables for people, JSON for programs, checkpoints by their folders."""

import json
from pathlib import Path

from tests.commands.conftest import Command

TEXTS = ["the film is not good .", "the music is very good , the film is bad .", "it is very very bad ."]
TRAINING = ["the music is good .", "it is not bad .", "the film is very good , it is not bad ."]


def written(path: Path, texts: list[str]) -> str:
    path.write_text("text\tlabel\n" + "".join(f"{text}\t1\n" for text in texts), encoding="utf-8")
    return str(path)


def test_all_diagnostics_in_tables(espalier: Command, small_catalog: Path, tmp_path: Path) -> None:
    texts, training = written(tmp_path / "texts.tsv", TEXTS), written(tmp_path / "train.tsv", TRAINING)
    checkpoint = str(small_catalog.parent / "lstm")
    done = espalier("diagnose", texts, "--model", checkpoint, "--model", "bow", "--linear", "bow", "--train", training)
    assert done.exit_code == 0, done.output
    for said in ("Correlation with bow", "Depth of the top nodes", "words of contrast", "Overfitting", "lstm"):
        assert said in done.stdout
    assert "not" in done.stdout


def test_json_has_all_numbers(espalier: Command, tmp_path: Path) -> None:
    texts = written(tmp_path / "texts.tsv", TEXTS)
    done = espalier(
        "diagnose", texts, "--model", "bow", "--linear", "bow", "--scale", "logit", "--word", "not", "--json"
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    (model,) = found["models"]
    assert (found["texts"], found["scale"], model["texts"]) == (3, "logit", 3)
    assert abs(model["linearity"]["words"]["mean"] - 1) < 1e-6
    assert model["contrast"]["words"][0]["word"] == "not"
    assert model["contrast"]["words"][0]["alone"]["count"] == 1
    assert model["overfitting"] is None


def test_what_is_not_linear_is_refused_as_linear(espalier: Command, tmp_path: Path) -> None:
    done = espalier("diagnose", written(tmp_path / "texts.tsv", TEXTS), "--model", "bow", "--linear", "lstm")
    assert done.exit_code == 2
    assert "error: no text can be explained on bow: lstm" in done.stderr
