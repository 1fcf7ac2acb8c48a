"""One selection for all views, by pointer and by keyboard alone."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.bench import FIRST, SHORT, card, open_question, settle

pytestmark = pytest.mark.browser


def test_a_word_lights_up_in_every_view(page: Page) -> None:
    open_question(page, SHORT, model="sst2-bow")
    settle(page)
    word = page.get_by_role("group", name="Words", exact=True).get_by_role("button", name="good")
    word.hover()
    for view in ("Tree", "Ladder", "Graph", "Interactions", "Tokens"):
        lit = card(page, view).locator("[data-lit='hovered'], [data-lit='inside'], [data-state='lit']")
        expect(lit.first, f"{view} does not show what is pointed at").to_be_attached()


def test_what_is_chosen_in_a_picture_is_chosen_everywhere_and_in_the_address(page: Page) -> None:
    open_question(page, SHORT, model="sst2-bow", only="tokens")
    settle(page, "Tokens")
    card(page, "Tokens").locator("[data-row][data-span='2-3']").first.click()
    expect(page).to_have_url(re.compile("select=2-3"))
    chosen = page.get_by_role("group", name="Words", exact=True).get_by_role("button", name="good")
    expect(chosen).to_have_attribute("data-lit", "selected")
    page.reload()
    expect(chosen).to_have_attribute("data-lit", "selected")


def test_everything_is_reached_with_the_keyboard_alone(page: Page) -> None:
    open_question(page, SHORT, model="sst2-bow")
    settle(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    reached: set[str] = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
                const here = document.activeElement;
                const card = here?.closest('.view-card');
                return [here?.id || here?.className?.baseVal || here?.className || '',
                        card && here.closest('.frame') ? card.dataset.view : '', here?.textContent ?? ''];
            }"""
        )
        reached.update((found[0] or "", f"view:{found[1]}", found[2][:40]))
    assert "sentence" in reached
    assert "Explain" in reached
    for view in ("tree", "ladder", "graph", "interactions", "tokens"):
        assert f"view:{view}" in reached, f"no way into {view}"


def test_a_sentence_is_written_explained_and_read_without_a_pointer(page: Page) -> None:
    open_question(page, SHORT, model="sst2-bow", only="tokens")
    settle(page, "Tokens")
    page.get_by_label("Sentence", exact=True).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("A dull film.")
    page.keyboard.press("Control+Enter")
    settle(page, "Tokens")
    expect(card(page, "Tokens").locator(".finding")).to_contain_text("dull")
    # Arrows move from word to word, Enter opens what can be done with one.
    page.get_by_role("group", name="Words", exact=True).get_by_role("button").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name=re.compile("Change “dull”"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="dull")).to_be_focused()


def test_the_page_explains_itself_and_shows_its_numbers(page: Page) -> None:
    open_question(page, FIRST)
    settle(page, "Tree")
    card(page, "Tree").get_by_role("button", name="How to read Tree").click()
    expect(page.get_by_role("dialog", name="How to read Tree")).to_contain_text(re.compile(r"\w+"))
    page.keyboard.press("Escape")
    card(page, "Tree").get_by_role("button", name="Table").click()
    expect(card(page, "Tree").get_by_role("table")).to_contain_text("heartwarming")
