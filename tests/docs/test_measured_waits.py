"""Where people wait: what the benchmarks make of their times, and that it stands in the pages afterwards."""

from pathlib import Path

import pytest
from benchmarks import long_texts, pages, start
from benchmarks.interface.browser import VIEWS
from benchmarks.interface.page import long_sentences_section
from benchmarks.interface.waiting import Waited
from benchmarks.long_texts import Step, Walk
from benchmarks.reviews import LONGEST, SHORTEST, reviews
from benchmarks.sections import Section

RUN = pages.Run("2026-01-01", "aaaaaaa", 0.0)


def verdicts(section: Section, page: Path) -> list[str]:
    """What the top of a page says of each mark, once the section is written into it."""
    pages.write(page, "# Measured\n", section, RUN)
    written = page.read_text(encoding="utf-8")
    assert f"\n## {section.title}\n" in written
    top = written.partition("\n## ")[0]
    return [line.rstrip(" |").rpartition(" | ")[2] for line in top.splitlines() if line.startswith("| ")][1:]


@pytest.mark.parametrize("count", [1, 10])
def test_reviews_have_as_many_words_as_the_mark_says(count: int) -> None:
    chosen = reviews(None, count)
    assert len(set(chosen)) == count
    assert all(SHORTEST <= len(text.split()) <= LONGEST for text in chosen)


def walked(*kinds: str, seconds: float = 1.0) -> Walk:
    return Walk(200, 0.5, 4.0, tuple(Step(kind, seconds) for kind in kinds))


def test_a_step_that_no_review_had_leaves_its_mark_unmet(tmp_path: Path) -> None:
    whole = [walked("passage", "sentence", "phrase"), walked("sentence", "phrase", "phrase")]
    assert verdicts(long_texts.section(whole), tmp_path / "whole.md") == ["yes", "yes", "yes"]
    part = [walked("sentence", "phrase"), walked("sentence")]
    assert verdicts(long_texts.section(part), tmp_path / "part.md") == ["yes", "yes", "no"]
    assert "no passage was opened" in (tmp_path / "part.md").read_text(encoding="utf-8")


def test_the_slowest_step_of_all_counts(tmp_path: Path) -> None:
    slow = [walked("passage", "sentence", "phrase"), walked("phrase", seconds=5.1)]
    assert verdicts(long_texts.section(slow), tmp_path / "page.md") == ["yes", "yes", "no"]


def started(first_picture: float) -> dict[str, float]:
    return dict.fromkeys(start.PHASES, 1.0) | {"first picture": first_picture}


def test_a_start_is_as_fast_as_warm_ones_are_in_the_middle_not_at_best(tmp_path: Path) -> None:
    found = start.section([started(2.0), started(3.0), started(4.5), started(4.4)])
    assert verdicts(found, tmp_path / "page.md") == ["no"]
    assert "| first picture | 2.00 | 4.40 | 4.50 |" in (tmp_path / "page.md").read_text(encoding="utf-8")
    found = start.section([started(9.0), started(3.0), started(3.5), started(4.5)])
    assert verdicts(found, tmp_path / "page.md") == ["yes"]
    assert verdicts(start.section([started(1.0)]), tmp_path / "cold.md") == ["no"]


def waited(seconds: float) -> Waited:
    return Waited(dict.fromkeys(VIEWS, 0.5), dict.fromkeys(VIEWS, 5.0) | {"graph": seconds})


def test_every_long_sentence_must_be_done_in_time(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    assert verdicts(long_sentences_section([(45, waited(24.0)), (60, waited(25.0))]), page) == ["yes"]
    assert verdicts(long_sentences_section([(45, waited(8.0)), (60, waited(25.1))]), page) == ["no"]
