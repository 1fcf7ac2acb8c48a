"""Pages that are measured section by section: a run writes its own section and leaves the others."""

from dataclasses import replace

import pytest
from benchmarks import pages
from benchmarks.interface.sentences import TWELVES, WARMING_UP_WORDS
from benchmarks.sections import Rows, Section, Target

from espalier.text import read

SPEED = Section("Speed", "How fast.", [Rows("Here", ("", "seconds"), [("ours", "1.0")])], [])
SIZE = Section("Size", "How large.", [], [Target("it is small", "≤ 2", "1", True)])
FIRST, SECOND = pages.Run("2026-01-01", "aaaaaaa", 0.0), pages.Run("2026-02-02", "bbbbbbb", 0.1)


def test_a_section_is_written_by_its_own_run_and_the_others_stay_to_the_last_letter(tmp_path):
    page = tmp_path / "page.md"
    pages.write(page, "# Measured\n", SPEED, FIRST)
    pages.write(page, "# Measured\n", SIZE, FIRST)
    before = page.read_text(encoding="utf-8")
    pages.write(page, "# Measured\n", replace(SIZE, explanation="How very large."), SECOND)
    after = page.read_text(encoding="utf-8")
    speed = before.partition("## Speed")[2].partition("## Size")[0]
    assert speed == after.partition("## Speed")[2].partition("## Size")[0]
    assert "2026-01-01 at revision aaaaaaa" in speed
    assert after.count("## Size") == 1
    assert "2026-02-02 at revision bbbbbbb" in after.partition("## Size")[2]
    assert "How very large." in after


def test_the_targets_of_all_sections_stand_at_the_top_as_they_are_now(tmp_path):
    page = tmp_path / "page.md"
    pages.write(page, "# Measured\n", SIZE, FIRST)
    pages.write(page, "# Measured\n", replace(SPEED, targets=[Target("it is fast", "≥ 5 ×", "6 ×", True)]), FIRST)
    pages.write(page, "# Measured\n", replace(SIZE, targets=[Target("it is small", "≤ 2", "3", False)]), SECOND)
    top = page.read_text(encoding="utf-8").partition("## ")[0]
    assert "| it is fast | ≥ 5 × | 6 × | yes |" in top
    assert "| it is small | ≤ 2 | 3 | no |" in top
    assert "| it is small | ≤ 2 | 1 | yes |" not in top


@pytest.mark.parametrize("name", ["benchmarks.md", "interface-speed.md"])
def test_a_page_is_what_writing_its_sections_makes_of_it(tmp_path, name):
    """Every section says from which run it is, and what stands at the top are their targets."""
    kept = (pages.DOCS / name).read_text(encoding="utf-8")
    opening = kept.partition("| target |")[0]
    page = tmp_path / name
    page.write_text(kept, encoding="utf-8")
    pages.write(page, opening, SPEED, FIRST)
    assert page.read_text(encoding="utf-8").startswith(kept.rstrip())
    for section in kept.split("\n## ")[1:]:
        assert section.split("\n\n")[1].startswith("*Measured on 20")


@pytest.mark.parametrize("prompt", [*TWELVES, WARMING_UP_WORDS])
def test_prompts_that_are_said_to_have_twelve_words_have_twelve(prompt):
    assert len(read(prompt).words) == 12
