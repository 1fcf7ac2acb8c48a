"""Forty pairs: written for it alone, counted as the page says, and kept so that later weights can be compared."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from benchmarks import pairs
from benchmarks.pairs import Record, both_right, findings, keep, names, record, section

from espalier import samples
from espalier.text import read
from training import composition

ASKED = pairs.pairs()


def test_there_are_forty_of_several_phenomena_under_both_labels():
    assert len(ASKED) == len({pair.second for pair in ASKED}) == 40
    assert min(Counter(pair.phenomenon for pair in ASKED).values()) >= 3
    labels = Counter(pair.second_label for pair in ASKED)
    assert labels.keys() == {"negative", "positive"}
    assert min(labels.values()) >= 16


@pytest.mark.parametrize("pair", ASKED, ids=lambda pair: pair.second)
def test_what_composes_stands_in_the_second_sentence(pair):
    words = [word.text.lower() for word in read(pair.second).words]
    assert set(pair.word.split()) <= set(words)


def test_none_is_a_sample_or_teaches_composition():
    others = [sample.text for sample in samples.load()] + [each.text for each in composition.sentences()]
    assert composition.shared_runs([text for pair in ASKED for text in (pair.first, pair.second)], others) == []


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("“not” turns “good” from +1.2 to −0.8 for positive.", True),
        ("“is NOT good” takes 0.8 for positive off the sum of its words.", True),
        ("“The food is not good.” takes 0.8 for positive off the sum of its words.", False),
        ("“The food is not good” takes 0.8 for positive off the sum of its words.", False),
        ("“food” does not turn “good” from +1.2 to −0.8 for positive.", False),
        ("“nothing” speaks most for positive.", False),
        (None, False),
    ],
)
def test_a_finding_names_a_word_where_it_quotes_it_with_less_than_everything(said, named):
    assert names(said, "The food is not good.", "not") is named


def test_one_of_several_words_that_compose_together_is_enough():
    assert names("“but” adds +0.2 without “friendly”.", "The waiters were anything but friendly.", "anything but")


def test_a_bag_of_words_gets_the_first_sentences_right_at_best(monkeypatch):
    """What it says of "not bad" is the sum of two bad words; of plain praise and blame it is sure."""
    asked = [pair for pair in ASKED if pair.second == "The acting is not bad."]
    assert both_right("sst2-bow", asked) == []
    assert both_right("sst2-bow", [replace(asked[0], second_label="negative")]) == [0]


def test_a_record_counts_what_the_findings_of_the_library_say():
    asked = [pair for pair in ASKED if pair.phenomenon == "without"]
    found = record("sst2-cnn", asked, "2026-01-01").found
    said = list(findings("sst2-cnn", "asiv", [pair.second for pair in asked]))
    assert found["asiv"] == [number for number, pair in enumerate(asked) if names(said[number], pair.second, pair.word)]


OLD = Record("old", "2026-01-01", "p", {"right": [0], "ls-tree": [0, 1], "asiv": []})
NEW = Record("new", "2026-02-02", "p", {"right": [0, 1, 2], "ls-tree": [0, 1, 6], "asiv": [39]})


def test_what_was_found_first_is_what_later_weights_are_compared_with(tmp_path):
    path = tmp_path / "kept.json"
    assert keep("m", OLD, path) == OLD
    assert keep("m", NEW, path) == OLD
    assert keep("m", NEW, path) == OLD
    again = replace(OLD, date="2026-03-03")
    assert keep("m", again, path) == again
    assert keep("m", NEW, path) == again
    assert keep("another", NEW, path) == NEW
    assert keep("m", replace(NEW, pairs="others"), path).pairs == "others"


def test_a_section_shows_both_by_phenomenon_and_together():
    (table,) = section("m", ASKED, OLD, NEW).tables
    assert table.columns == (
        "", "pairs", "both right, before", "both right, now", "LS-Tree, before", "LS-Tree, now", "graph, before",
        "graph, now",
    )  # fmt: skip
    assert table.rows[0] == ("negation", "6", "1", "3", "2", "2", "0", "0")
    assert table.rows[-1] == (
        "all", "40", "1 (2.5 %)", "3 (7.5 %)", "2 (5.0 %)", "3 (7.5 %)", "0 (0.0 %)", "1 (2.5 %)",
    )  # fmt: skip


def test_the_first_measured_stands_alone():
    (table,) = section("m", ASKED, OLD, OLD).tables
    assert table.columns == ("", "pairs", "both right", "LS-Tree", "graph")
    assert table.rows[-1] == ("all", "40", "1 (2.5 %)", "2 (5.0 %)", "0 (0.0 %)")


def test_the_page_has_the_totals_that_are_kept():
    page = pairs.PAGE.read_text(encoding="utf-8")
    assert page.startswith(pairs.OPENING)
    for model, records in json.loads(pairs.KEPT.read_text(encoding="utf-8")).items():
        before, now = Record(**records[0]), Record(**records[-1])
        total = section(model, ASKED, before, now).tables[0].rows[-1]
        assert "| " + " | ".join(total) + " |" in page.partition(f"## {model}\n")[2].partition("\n## ")[0]
