"""A long text in the browser: level by level, with a map beside it, and a link that restores what is open."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.bench import REVIEW, card, keep, open_question, settle, values
from tests.browser.test_looks import violations

pytestmark = pytest.mark.browser

FORTY_FOUR = (
    "Although the director has gathered a remarkable cast and the first hour moves with real wit and warmth, the story "
    "soon forgets why it began, piles one tired coincidence upon another, and ends in a shouting match that is neither "
    "funny nor moving"
)


def test_a_sentence_opens_into_phrases_a_phrase_into_words_and_the_link_restores_it(page: Page, artifacts: Path):
    open_question(page, REVIEW, model="sst2-cnn")
    settle(page)
    text = page.get_by_role("group", name="The text, part by part")
    top = values(text, ".part")
    assert len(top) == 6
    keep(page, artifacts / "long-text.png")
    assert violations(page) == []

    # With the keyboard alone: along the map to the third sentence, and into it.
    stripes = page.get_by_role("navigation", name="Map of the text").get_by_role("button")
    expect(stripes).to_have_count(6)
    stripes.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(text.locator(".open-part")).to_have_count(1)
    settle(page)
    expect(stripes.nth(2)).to_have_attribute("aria-current", "location")
    inside = values(text.locator(".open-part"), ".part")
    third = list(top.values())[2]
    assert abs(sum(inside.values()) - third) < 1e-9
    assert violations(page) == []

    # A phrase that is chosen in a picture opens from there.
    bars = card(page, "Tokens")
    phrase = next(span for span in inside if int(span.split("-")[1]) - int(span.split("-")[0]) > 1)
    bars.locator(f'[data-span="{phrase}"]').first.click()
    bars.get_by_role("button", name="Open “").click()
    expect(text.locator(".open-part .open-part")).to_have_count(1)
    settle(page)
    words = values(text.locator(".open-part .open-part"), ".part")
    assert abs(sum(words.values()) - inside[phrase]) < 1e-9
    keep(page, artifacts / "long-text-words.png")

    page.goto(page.url)
    settle(page)
    assert values(text.locator(".open-part .open-part"), ".part") == words

    text.locator(".open-part .open-part .part").first.focus()
    page.keyboard.press("Escape")
    expect(text.locator(".open-part .open-part")).to_have_count(0)
    page.get_by_role("button", name="Whole text").click()
    expect(text.locator(".open-part")).to_have_count(0)


def test_the_keys_go_past_a_part_of_the_map_that_does_not_open(page: Page):
    """A part of one word cannot have the focus: arrows that stopped at it left no way back by Tab."""
    open_question(page, REVIEW + " Wow", model="sst2-bow", only="tokens")
    stripes = page.get_by_role("navigation", name="Map of the text").get_by_role("button")
    expect(stripes).to_have_count(7)
    expect(stripes.last).to_be_disabled()
    stripes.first.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")
    expect(stripes.nth(5)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(stripes.nth(5)).to_be_focused()


def test_a_text_that_the_model_cannot_read_says_who_can(page: Page):
    open_question(page, REVIEW * 12, model="sst2-minilm", only="tokens")
    expect(page.get_by_role("alert").first).to_contain_text("Text too long for sst2-minilm")
    page.get_by_role("button", name="Sentiment, bag of words").click()
    expect(page.get_by_role("navigation", name="Map of the text").get_by_role("button")).not_to_have_count(0)


def test_the_ladder_of_a_long_sentence_is_the_economical_one_until_somebody_wants_the_exact(page: Page):
    open_question(page, FORTY_FOUR, model="sst2-cnn", only="ladder")
    ladder = card(page, "Ladder")
    settle(page, "Ladder")
    expect(ladder.locator(".provenance")).to_contain_text("sure on average")
    ladder.get_by_role("button", name="Exact form").click()
    expect(ladder.get_by_role("button", name="Exact form")).to_have_count(0)
    settle(page, "Ladder")
    expect(ladder.locator(".provenance")).not_to_contain_text("sure on average")

    # The choice is in the address, and the way back in the settings.
    page.goto(page.url)
    settle(page, "Ladder")
    expect(ladder.locator(".provenance")).not_to_contain_text("sure on average")
    ladder.get_by_role("button", name="Settings of Ladder").click()
    expect(page.get_by_label("Form")).to_have_value("exact")
    page.get_by_role("button", name="Back to the usual settings").click()
    expect(ladder.locator(".provenance")).to_contain_text("sure on average")
