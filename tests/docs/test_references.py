"""docs/references.md names what there is, and its benchmark says what it found."""

import re
from pathlib import Path

import numpy as np
from benchmarks import references as benchmark

from espalier.explain.request import MOST_DRAWS, ExplanationRequest
from espalier.games.references import references

PAGE = (Path(__file__).parents[2] / "docs" / "references.md").read_text(encoding="utf-8")


def test_every_reference_has_a_line_in_the_table() -> None:
    table = PAGE.partition("## How words are filled in")[0]
    assert re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE) == list(references())


def test_every_way_to_fill_and_the_numbers_of_draws_are_named() -> None:
    ways = ExplanationRequest.model_fields["fill"].annotation.__args__
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


def test_the_benchmark_names_a_winner_only_where_there_is_one() -> None:
    assert "nobody wins by AOPC: pad, mask, delete, marginal, conditional, in-domain are level" in "\n".join(
        benchmark.show(scores())
    )
    won = "\n".join(benchmark.show(scores(marginal=0.1)))
    assert won.count("marginal wins by AOPC") == won.count("marginal wins by log-odds") == 3
