"""The first page, as a visitor meets it."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.browser


def expect_prediction(page: Page, words: str) -> None:
    prediction = page.get_by_role("region", name="Prediction")
    expect(prediction).to_contain_text(words)
    expect(prediction.locator("li")).not_to_have_count(0)


def test_the_page_opens_with_an_example_already_answered(page: Page, artifacts: Path) -> None:
    page.goto("/")
    expect_prediction(page, "heartwarming or entertaining")
    expect(page.locator(".word").first).to_have_text("The")
    page.screenshot(path=artifacts / "first-page.png", full_page=True)


def test_a_typed_sentence_is_predicted_with_control_enter(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Sentence").fill("A warm, funny film with a marvellous young cast.")
    page.get_by_label("Sentence").press("Control+Enter")
    expect_prediction(page, "marvellous")
    first = page.get_by_role("region", name="Prediction").locator("li").first
    expect(first).to_have_attribute("data-class", "positive")


def test_every_word_of_the_sentence_stands_in_the_tree(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Sentence").fill("Nobody expected this to work.")
    page.get_by_role("button", name="Predict").click()
    expect_prediction(page, "Nobody")
    words = page.locator(".word")
    expect(words.first).to_have_text("Nobody")
    assert words.all_text_contents() == ["Nobody", "expected", "this", "to", "work", "."]


def test_a_text_that_cannot_be_read_is_explained(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Sentence").fill("word " * 11_000)
    page.get_by_label("Sentence").press("Control+Enter")
    problem = page.get_by_role("region", name="Prediction").get_by_role("alert")
    expect(problem).to_contain_text("possible are up to 50,000")


def test_markup_in_a_sentence_is_shown_and_not_run(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Sentence").fill("Nice <img src=x onerror='document.title=1'> film.")
    page.get_by_label("Sentence").press("Control+Enter")
    expect_prediction(page, "<img src=x")
    assert page.title() == "Espalier"


@pytest.mark.parametrize(("name", "width", "scheme"), [("phone", 390, "light"), ("dark", 1280, "dark")])
def test_the_page_fits_a_phone_and_the_dark(
    context: BrowserContext, artifacts: Path, name: str, width: int, scheme: str
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto("/")
    expect_prediction(page, "heartwarming")
    expect(page.locator(".word").first).to_be_visible()
    page.screenshot(path=artifacts / f"first-page-{name}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    brightness = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]")
    assert (brightness < 64) == (scheme == "dark")


def test_the_api_reference_works_without_the_internet(page: Page, artifacts: Path) -> None:
    page.goto("/docs")
    expect(page.get_by_text("/v1/predictions")).to_be_visible()
    page.screenshot(path=artifacts / "docs.png", full_page=True)
