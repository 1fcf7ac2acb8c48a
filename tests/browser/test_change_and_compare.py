"""What if: a word dropped, masked or replaced; and two of something side by side."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.browser.bench import SHORT, card, keep, open_question, settle

pytestmark = pytest.mark.browser


def probability(server: str, text: str, name: str) -> float:
    answer = httpx.post(f"{server}/v1/predictions", json={"model": "sst2-minilm", "text": text}, timeout=60).json()
    return next(float(entry["probability"]) for entry in answer["classes"] if entry["name"] == name)


def change(page: Page, word: str, how: str, by: str = "") -> None:
    page.get_by_role("group", name="Words", exact=True).get_by_role("button", name=word, exact=True).click()
    sheet = page.get_by_role("dialog", name=f"Change “{word}”")
    if by:
        sheet.get_by_label("Replaced by").fill(by)
    sheet.get_by_role("button", name=how).click()


@pytest.mark.parametrize(
    ("how", "by", "text"), [("Dropped", "", "A good film."), ("Replaced", "Really", "Really a good film.")]
)
def test_a_changed_word_shows_the_prediction_before_and_after(
    page: Page, server: str, how: str, by: str, text: str
) -> None:
    open_question(page, "Not a good film.", only="tokens")
    change(page, "Not", how, by)
    outcome = page.locator(".outcome")
    expect(outcome).to_contain_text("points")
    shown = float(outcome.locator("[data-after]").get_attribute("data-after") or "nan")
    # The first word's capital goes with it: nothing else is rewritten.
    assert shown == pytest.approx(probability(server, text if by else "a good film.", "negative"), abs=1e-9)
    outcome.get_by_role("button", name="Undo").click()
    expect(outcome).to_have_count(0)


def test_a_masked_word_is_what_the_explanations_see(page: Page, server: str) -> None:
    open_question(page, SHORT, only="tokens", tokens="leave-one-out", reference="mask")
    settle(page, "Tokens")
    full = probability(server, SHORT, "negative")
    lost = float(card(page, "Tokens").locator("[data-row][data-span='0-1']").first.get_attribute("data-value") or "nan")
    change(page, "Not", "Masked")
    shown = page.locator("[data-after]")
    expect(shown).to_be_visible()
    assert float(shown.get_attribute("data-after") or "nan") == pytest.approx(full - lost, abs=1e-9)


def test_the_changed_sentence_is_compared_with_the_original(page: Page) -> None:
    open_question(page, SHORT, only="tokens")
    change(page, "Not", "Dropped")
    page.get_by_role("button", name="Compare both").click()
    expect(page).to_have_url(re.compile("against"))
    panes = card(page, "Tokens").locator(".pane")
    expect(panes).to_have_count(2)
    expect(panes.nth(1).locator(".pane-name")).to_have_text("a good film.")


def test_two_models_share_one_colour_scale_and_have_a_difference(page: Page, artifacts: Path) -> None:
    open_question(page, SHORT, only="tokens")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_label("Another model").select_option("sst2-bow")
    page.keyboard.press("Escape")
    panes = card(page, "Tokens").locator(".pane")
    expect(panes).to_have_count(2)
    expect(panes.nth(1).locator(".provenance")).to_be_visible()
    expect(panes.nth(0).locator(".provenance")).to_be_visible()
    legends = [panes.nth(place).locator(".legend .ramp").inner_text() for place in (0, 1)]
    assert legends[0] == legends[1]
    sides = [
        dict(
            panes.nth(place)
            .locator("[data-row][data-span]")
            .evaluate_all("marks => marks.map(mark => [mark.dataset.span, Number(mark.dataset.value)])")
        )
        for place in (0, 1)
    ]
    keep(page, artifacts / "compare.png")
    card(page, "Tokens").get_by_role("button", name="Difference").click()
    rows = card(page, "Tokens").locator(".difference li")
    expect(rows).not_to_have_count(0)
    for span, value in rows.evaluate_all("rows => rows.map(row => [row.dataset.span, Number(row.dataset.value)])"):
        assert value == pytest.approx(sides[1][span] - sides[0][span], abs=1e-12)
    page.get_by_role("button", name="End comparison").click()
    expect(card(page, "Tokens").locator(".pane")).to_have_count(1)


@pytest.mark.parametrize(
    ("label", "value", "names"),
    [
        ("Another class", "positive", ["negative", "positive"]),
        ("Another way to leave words out", "mask", ["absent: pad", "absent: mask"]),
        ("Another method", "tokens/leave-one-out", ["shap", "leave-one-out"]),
    ],
)
def test_classes_references_and_methods_are_compared_too(page: Page, label: str, value: str, names: list[str]) -> None:
    open_question(page, SHORT, only="tokens")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_label(label).select_option(value)
    page.keyboard.press("Escape")
    expect(card(page, "Tokens").locator(".pane-name")).to_have_text(names)
    for place in (0, 1):
        expect(card(page, "Tokens").locator(".pane").nth(place).locator(".provenance")).to_be_visible()
