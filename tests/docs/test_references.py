"""docs/references.md names what there is, and its benchmark says what it found."""

import json
import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from benchmarks import pages
from benchmarks import references as benchmark

from espalier.explain.hedge import HedgeParameters, hedge
from espalier.explain.plan import GameShape
from espalier.explain.request import MOST_DRAWS
from espalier.explain.toy import Toy
from espalier.games.references import Fill, references

PAGE = (Path(__file__).parents[2] / "docs" / "references.md").read_text(encoding="utf-8")


def test_every_reference_has_a_line_in_the_table() -> None:
    table = PAGE.partition("## How words are filled in")[0]
    assert re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE) == list(references())


def test_every_way_to_fill_and_the_numbers_of_draws_are_named() -> None:
    ways = get_args(Fill)
    assert re.findall(r"^\| `(drawn|likeliest|in-turn)`", PAGE, re.MULTILINE) == list(ways)
    draws = {name: each.usual_draws for name, each in references().items()}
    assert (draws["conditional"], draws["in-domain"], draws["marginal"]) == (4, 4, 8)
    assert f"up\nto {MOST_DRAWS})" in PAGE


def scores(**better: float) -> dict[tuple[str, str], np.ndarray]:
    noise = np.random.default_rng(0).normal(0, 0.01, 40)
    return {
        (method, name): np.stack([0.3 + better.get(name, 0) + noise, -0.4 - better.get(name, 0) + noise], axis=1)
        for method in benchmark.METHODS
        for name in references()
    }


def said(found: dict[tuple[str, str], np.ndarray]) -> str:
    drawn = benchmark.Sentences(["a"] * 40, fitting=60, longer=30, shorter=10)
    return benchmark.report(found, drawn, pages.Run("2026-01-01", "aaaaaaa", 0.0))


def test_the_benchmark_names_a_winner_only_where_there_is_one() -> None:
    assert "nobody wins by AOPC: pad, mask, delete, marginal, conditional, in-domain are level" in said(scores())
    won = said(scores(marginal=0.1))
    assert won.count("marginal wins by AOPC") == won.count("marginal wins by log-odds") == 3


def test_the_benchmark_says_what_it_left_out_and_what_it_asked_for() -> None:
    text = said(scores())
    assert "40 sentences, drawn from the 60 of 100 that have 4 to 25 words; left out are 30 longer and 10" in text
    for setting in ("shap with budget = 512", "hedge with window = 0", "conditional with fill = likeliest"):
        assert setting in text


def test_sentences_that_are_too_long_or_too_short_are_counted(tmp_path) -> None:
    table = tmp_path / "dev.tsv"
    rows = ["so short", *(f"a film number {index}" for index in range(5)), " ".join(["long"] * 26)]
    table.write_text("sentence\tlabel\n" + "".join(f"{row}\t1\n" for row in rows), encoding="utf-8")
    drawn = benchmark.sentences(table, 3, seed=0)
    assert (len(drawn.texts), drawn.fitting, drawn.longer, drawn.shorter) == (3, 5, 1, 1)
    assert all(text.startswith("a film") for text in drawn.texts)


def test_a_run_that_was_killed_while_it_wrote_goes_on_with_the_sentence_that_was_torn(tmp_path) -> None:
    kept = tmp_path / "references" / "kept.jsonl"
    assert benchmark.resumed(kept) == {}
    line = json.dumps({"text": "One.", "scores": {"shap": [[0.1, -0.2]]}}) + "\n"
    kept.write_text(line + line.replace("One", "Two")[:-20], encoding="utf-8")
    assert list(benchmark.resumed(kept)) == ["One."]
    with kept.open("a", encoding="utf-8") as lines:
        lines.write(line.replace("One", "Two"))
    assert list(benchmark.resumed(kept)) == ["One.", "Two."]


def test_what_was_found_with_other_settings_or_weights_is_kept_apart(monkeypatch) -> None:
    usual = benchmark.kept_in(["a", "b", "c"])
    assert benchmark.kept_in(["a", "b", "c"]) == usual != benchmark.kept_in(["a", "b", "d"])
    monkeypatch.setitem(benchmark.METHODS, "shap", {"budget": 1024})
    assert benchmark.kept_in(["a", "b", "c"]) != usual


def test_what_was_found_is_written_between_the_marks_and_nowhere_else(tmp_path) -> None:
    page = tmp_path / "references.md"
    page.write_text(PAGE, encoding="utf-8")
    benchmark.write("found first", page)
    benchmark.write("found then", page)
    text = page.read_text(encoding="utf-8")
    assert "found then" in text
    assert "found first" not in text
    assert text.partition(benchmark.BEGIN)[0] == PAGE.partition(benchmark.BEGIN)[0]
    assert text.partition(benchmark.END)[2] == PAGE.partition(benchmark.END)[2] != ""


@pytest.mark.parametrize("seed", range(5))
def test_hedge_ranks_words_the_same_whatever_its_window(seed) -> None:
    """The benchmark asks for the smallest one: the bottom of every ladder are the words, each by itself."""
    values = np.random.default_rng(seed).normal(size=1 << 7)
    game = GameShape(players=tuple("abcdefg"), classes=("yes",), target=0)
    rankings = {
        Toy(lambda coalitions: values[coalitions @ (1 << np.arange(7))])
        .run(hedge(game, HedgeParameters(window=window)))
        .reading()
        .ranking
        for window in (0, 1, 2, 4)
    }
    alone = values[1 << np.arange(7)]
    assert rankings == {tuple(np.argsort(-alone).tolist())}
