"""All that the workbench does with classes, done with next words: five pictures, links, files, edits; and prompts that
nobody meant well. The model is the light one over whole words."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.bench import VIEWS, card, keep, open_question, save, settle, values
from tests.browser.test_change_and_compare import change
from tests.browser.test_looks import violations

pytestmark = pytest.mark.browser

MODEL = "word-lstm-lm"
PROMPT = "the film was not"
CONTRAST = {"class": " good", "rather": " bad"}
STATES = {
    "base": {},
    "contrast": {**CONTRAST, "words": [" good", " bad"], "real": " good"},
    "running": {"class": " not", "real": " not", "at": len("the film was")},
}


def test_five_pictures_of_a_next_word_a_link_to_them_and_a_file(
    page: Page, browser: Browser, tmp_path: Path, artifacts: Path
) -> None:
    open_question(page, PROMPT, model=MODEL, **CONTRAST)
    settle(page)
    for view in VIEWS:
        expect(card(page, view).locator(".provenance").first).to_contain_text("good rather than bad")
    keep(page, artifacts / "next-word-five.png")
    shown = values(card(page, "Tokens").locator(".frame"), "[data-row][data-value]")
    assert len(shown) == 4
    saved = json.loads(save(page, "Tokens", "JSON", tmp_path).read_text(encoding="utf-8"))
    assert (saved["classes"][saved["target"]], saved["classes"][saved["against"]]) == (" good", " bad")
    assert "rather than" in save(page, "Tree", "SVG", tmp_path).read_text(encoding="utf-8")
    page.get_by_role("button", name="Share").click()
    visitor = browser.new_context()
    try:
        other = visitor.new_page()
        other.goto(page.get_by_label("Link to exactly this").input_value())
        settle(other, "Tokens")
        assert values(card(other, "Tokens").locator(".frame"), "[data-row][data-value]") == shown
        expect(other.get_by_role("group", name="Contrast")).to_contain_text(re.compile("Why “good” rather than.*“bad”"))
    finally:
        visitor.close()


def test_a_word_of_the_prompt_is_left_out_and_the_next_word_is_another(page: Page) -> None:
    open_question(page, PROMPT, model=MODEL, only="tokens")
    settle(page, "Tokens")
    change(page, "not", "Dropped")
    expect(page.locator(".outcome [data-after]")).to_be_visible()
    page.get_by_role("button", name="Compare both").click()
    expect(card(page, "Tokens").locator(".pane")).to_have_count(2)
    settle(page, "Tokens")
    expect(card(page, "Tokens").locator(".pane").nth(1).locator(".token-heat")).to_have_count(3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("state", STATES)
def test_every_state_of_next_words_fits_and_is_accessible(
    page: Page, artifacts: Path, scheme: str, width: int, state: str
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    open_question(page, PROMPT, model=MODEL, only="tokens", **STATES[state])
    settle(page, "Tokens")
    expect(page.locator(".running-text button").first).to_be_visible()
    keep(page, artifacts / f"next-words-{state}-{width}-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("control characters", "the \u0007 film \u001b[31mwas\u001b[0m \u200bnot"),
        ("right to left", "הסרט היה \u202eטוב מאוד"),
        ("emoji", "👩‍👩‍👧‍👦 the 🎬 was 🏳️‍🌈"),
        ("another language", "Der Film war überhaupt nicht gut, 映画は"),
        ("markup", "<img src=x onerror=alert(1)> <script>alert(1)</script> was"),
    ],
)
def test_a_hostile_prompt_is_explained_like_any_other(page: Page, name: str, text: str) -> None:
    open_question(page, "the film", model=MODEL, only="tokens")
    settle(page, "Tokens")
    page.get_by_label("Sentence", exact=True).fill(text)
    page.get_by_label("Sentence", exact=True).press("Control+Enter")
    expect(page.locator(".running-text")).to_be_visible()
    settle(page, "Tokens")
    assert page.locator(".running-text img, .next-words img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize("text", ["x" * 20_000, "film " * 4_000], ids=["one word", "many words"])
def test_twenty_thousand_characters_are_refused_and_the_page_goes_on(page: Page, text: str) -> None:
    open_question(page, "the film", model=MODEL, only="tokens")
    settle(page, "Tokens")
    sentence = page.get_by_label("Sentence", exact=True)
    sentence.fill(text)
    sentence.press("Control+Enter")
    expect(page.locator("[role=alert], .next-words .class").first).to_be_visible()
    sentence.fill(PROMPT)
    sentence.press("Control+Enter")
    settle(page, "Tokens")
    expect(card(page, "Tokens").locator(".token-heat")).to_have_count(4)
