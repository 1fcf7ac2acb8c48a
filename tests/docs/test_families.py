"""Every family of models that the house has is on the page that says what can be served."""

from pathlib import Path

from espalier.models.families import HOUSE

PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-model.md").read_text(encoding="utf-8")


def test_the_page_names_every_family() -> None:
    table = [line for line in PAGE.splitlines() if line.startswith("|")]
    assert [record.name for record in HOUSE if not any(f"`{record.name}`" in line for line in table)] == []
