"""What is measured finds its place in a page that people write."""

from pathlib import Path

import pytest
from benchmarks import pages
from benchmarks.sections import Rows

TABLE = Rows("", ("people", "workers"), [("30", "1")])


def test_tables_go_where_the_page_has_a_place_for_them_and_nowhere_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Before\n\n<!-- measured: sizes -->\nold\n<!-- measured -->\n\nAfter\n", encoding="utf-8")
    run = pages.Run(date="2026-01-01", revision="abc", load=0.0)
    for _ in range(2):  # again changes nothing
        pages.put_in(page, "sizes", [TABLE], run)
    written = page.read_text(encoding="utf-8")
    assert written.startswith("# Before\n\n<!-- measured: sizes -->\n")
    assert written.endswith("<!-- measured -->\n\nAfter\n")
    assert written.count("| 30 | 1 |") == 1
    assert "old" not in written
    assert "2026-01-01 at revision abc" in written


def test_a_page_without_a_place_is_left_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Nothing measured\n", encoding="utf-8")
    with pytest.raises(ValueError, match="got 'sizes', needed are <!-- measured: sizes -->"):
        pages.put_in(page, "sizes", [TABLE], pages.Run())
    assert page.read_text(encoding="utf-8") == "# Nothing measured\n"


def test_the_page_of_clusters_has_a_place_for_sizes() -> None:
    assert (pages.DOCS / "cluster.md").read_text(encoding="utf-8").count("<!-- measured: sizes -->") == 1
