"""Tables that are opened in a spreadsheet."""

import csv
import io

import pytest

from espalier.datasets.tables import to_csv


@pytest.mark.parametrize(
    "trick", ["=1+1", '=HYPERLINK("http://evil.example")', "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"]
)
def test_what_somebody_wrote_is_no_formula(trick: str) -> None:
    (row,) = csv.DictReader(io.StringIO(to_csv([{"text": trick, "n": 1}]), newline=""))
    assert row["text"] == f"'{trick}"


def test_numbers_and_other_texts_stay_as_they_are() -> None:
    (row,) = csv.DictReader(io.StringIO(to_csv([{"text": "A film = art", "n": -1.5, "none": None, "true": True}])))
    assert row == {"text": "A film = art", "n": "-1.5", "none": "", "true": "True"}
