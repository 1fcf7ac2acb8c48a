"""A method that the page was not built with: another package's, offered, drawn, compared and saved like all others."""

import csv
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.browser.bench import SHORT, card, open_question, save, settle, values
from tests.outside import with_method
from tests.serving import serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    outside = with_method(tmp_path_factory.mktemp("outside"))
    with serving(tmp_path_factory.mktemp("served"), **outside.environment) as address:
        yield address


def test_its_bars_have_its_numbers_their_errors_and_its_finding(page: Page, server: str) -> None:
    open_question(page, SHORT, only="tokens", tokens="banzhaf")
    settle(page, "Tokens")
    question = {"text": SHORT, "model": "sst2-minilm", "method": "banzhaf"}
    answer = httpx.post(f"{server}/v1/explanations", json=question, headers={"Prefer": "wait=60"}, timeout=90)
    served = answer.json()["explanation"]
    tokens = card(page, "Tokens")
    spans = {f"{span['start']}-{span['end']}": span for span in served["reading"]["spans"]}
    assert values(tokens, "[data-row][data-span]") == {place: span["score"] for place, span in spans.items()}
    errors = tokens.locator("[data-row][data-error]").evaluate_all("marks => marks.map(m => Number(m.dataset.error))")
    assert sorted(errors) == sorted(span["error"] for span in spans.values())
    expect(tokens.locator(".finding")).to_have_text(served["finding"])
    expect(tokens.locator(".provenance")).to_have_text(served["provenance"])


def test_it_is_offered_and_compared_with_another_method(page: Page) -> None:
    open_question(page, SHORT, only="tokens")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_label("Another method").select_option("tokens/banzhaf")
    page.keyboard.press("Escape")
    panes = card(page, "Tokens").locator(".pane")
    expect(panes).to_have_count(2)
    expect(panes.nth(1).locator(".provenance")).to_be_visible()
    expect(panes.nth(0).locator(".provenance")).to_be_visible()
    sides = [values(panes.nth(place), "[data-row][data-span]") for place in (0, 1)]
    card(page, "Tokens").get_by_role("button", name="Difference").click()
    rows = card(page, "Tokens").locator(".difference li")
    expect(rows).to_have_count(len(sides[0]))
    for span, value in values(card(page, "Tokens"), ".difference li").items():
        assert value == pytest.approx(sides[1][span] - sides[0][span], abs=1e-12)


def test_its_numbers_are_saved_with_their_errors(page: Page, tmp_path: Path) -> None:
    open_question(page, SHORT, only="tokens", tokens="banzhaf")
    settle(page, "Tokens")
    with save(page, "Tokens", "CSV", tmp_path).open(newline="") as table:
        rows = [row for row in csv.DictReader(table) if row["standard_error"]]
    assert [row["text"] for row in rows] == ["Not", "a", "good", "film", "."]
    assert all(float(row["standard_error"]) > 0 for row in rows)
