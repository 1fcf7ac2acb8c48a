"""Asking: paste a sentence, read what the model says, choose what is explained and how."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.browser.bench import FIRST, SHORT, VIEWS, card, keep, open_question, settle, values

pytestmark = pytest.mark.browser


def test_the_page_opens_with_an_example_explained_in_five_views(page: Page, artifacts: Path) -> None:
    page.goto("/")
    settle(page)
    expect(page.get_by_label("Sentence", exact=True)).to_have_value(FIRST)
    for view in VIEWS:
        expect(card(page, view).locator(".finding")).not_to_be_empty()
        expect(card(page, view).locator(".frame svg[role]").first).to_be_visible()
    keep(page, artifacts / "workbench.png")


def test_a_pasted_sentence_is_explained_with_control_enter(page: Page) -> None:
    open_question(page, SHORT, only="tokens", model="sst2-bow")
    page.get_by_label("Sentence", exact=True).fill("A warm, funny film.")
    page.get_by_label("Sentence", exact=True).press("Control+Enter")
    expect(page).to_have_url(re.compile("warm"))
    settle(page, "Tokens")
    expect(card(page, "Tokens").locator(".finding")).to_contain_text("funny")
    expect(page.get_by_role("button", name="positive")).to_have_attribute("aria-pressed", "true")


def test_an_example_is_one_click_away(page: Page) -> None:
    open_question(page, SHORT, only="tokens", model="sst2-bow")
    example = page.locator(".example").nth(1)
    text = example.inner_text()
    example.click()
    expect(page.get_by_label("Sentence", exact=True)).to_have_value(text)
    settle(page, "Tokens")


def test_another_class_is_explained_on_click(page: Page) -> None:
    open_question(page, SHORT, only="tokens")
    settle(page, "Tokens")
    before = values(card(page, "Tokens").locator(".frame"), "[data-row][data-value]")
    page.get_by_role("button", name="positive").click()
    expect(page).to_have_url(re.compile("class=positive"))
    expect(card(page, "Tokens").locator(".provenance")).to_contain_text("of positive")
    after = values(card(page, "Tokens").locator(".frame"), "[data-row][data-value]")
    assert before.keys() == after.keys()
    # Two classes share one probability: what speaks for one speaks against the other.
    for span, value in before.items():
        assert after[span] == pytest.approx(-value, abs=1e-6)


def test_a_method_says_what_it_shows_and_replaces_the_picture(page: Page) -> None:
    open_question(page, SHORT, only="tokens", model="sst2-bow")
    settle(page, "Tokens")
    card(page, "Tokens").get_by_role("button", name="Method of Tokens").click()
    choice = page.get_by_role("menuitemradio", name=re.compile("^Leave"))
    expect(choice).to_contain_text("What the prediction loses when one word is taken out")
    choice.click()
    expect(page).to_have_url(re.compile("tokens=leave-one-out"))
    settle(page, "Tokens")
    expect(card(page, "Tokens")).to_contain_text("What the prediction loses")


def test_parameters_are_set_in_a_form_made_from_their_schema(page: Page) -> None:
    open_question(page, FIRST, only="tokens", model="sst2-bow")
    settle(page, "Tokens")
    card(page, "Tokens").get_by_role("button", name="Settings of Tokens").click()
    form = page.get_by_role("dialog", name="Settings of Tokens")
    form.get_by_label("Algorithm").select_option("permutation")
    expect(page).to_have_url(re.compile("permutation"))
    form.get_by_label("Budget").fill("300")
    form.get_by_label("Budget").press("Enter")
    expect(page).to_have_url(re.compile("300"))
    page.keyboard.press("Escape")
    settle(page, "Tokens")
    expect(card(page, "Tokens").locator(".provenance")).to_contain_text("standard error")


def test_more_precise_goes_on_from_the_same_pool_and_shrinks_the_errors(page: Page) -> None:
    open_question(page, FIRST, only="tokens", model="sst2-cnn", tokens_with={"budget": 128})
    settle(page, "Tokens")
    errors = "marks => Math.max(...marks.map(mark => Number(mark.dataset.error)))"
    bars = card(page, "Tokens").locator("[data-error]")
    before = bars.evaluate_all(errors)
    page.get_by_role("button", name="More precise").click()
    expect(page).to_have_url(re.compile("512"))
    expect(card(page, "Tokens").locator(".provenance")).to_contain_text("512 evaluations")
    assert bars.evaluate_all(errors) < before


def test_the_reference_and_the_seed_are_chosen_for_all_views(page: Page) -> None:
    open_question(page, SHORT, only="tokens")
    settle(page, "Tokens")
    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_label("In place of an absent word").select_option("mask")
    page.get_by_label("Seed").fill("7")
    page.get_by_label("Seed").press("Enter")
    page.keyboard.press("Escape")
    expect(card(page, "Tokens").locator(".provenance")).to_contain_text("seed 7")
    expect(card(page, "Tokens").locator(".provenance")).to_contain_text("masked")


def test_a_job_shows_how_far_it_is_and_stops_when_cancelled(page: Page) -> None:
    open_question(page, FIRST, only="tokens", tokens_with={"budget": 16384})
    progress = card(page, "Tokens").get_by_role("progressbar")
    expect(progress).to_be_visible()
    expect(card(page, "Tokens").locator(".job-words")).to_contain_text(re.compile(r"\d+ of 16,384 evaluations"))
    card(page, "Tokens").get_by_role("button", name="Cancel").click()
    expect(card(page, "Tokens")).to_contain_text("Cancelled")
    expect(progress).to_have_count(0)
    expect(card(page, "Tokens").get_by_role("button", name="Start again")).to_be_visible()


def test_a_partial_picture_comes_before_the_last_word(page: Page) -> None:
    open_question(page, FIRST, only="tokens", seed=5, tokens_with={"budget": 8000})
    expect(card(page, "Tokens").locator(".frame svg[role]").first).to_be_visible()
    assert card(page, "Tokens").get_by_role("progressbar").count() == 1, "the first picture was the last one"
    card(page, "Tokens").get_by_role("button", name="Cancel").click()


def test_what_a_method_cannot_do_comes_with_what_can_be_done(page: Page) -> None:
    open_question(page, SHORT, only="tokens", tokens="deep-shap")
    problem = card(page, "Tokens").get_by_role("alert")
    expect(problem).to_contain_text("Deep-shap looks inside the model")
    expect(problem).to_contain_text("possible models are sst2-cnn")
    problem.get_by_role("button", name="Use shap instead").click()
    settle(page, "Tokens")


def test_one_view_can_have_the_whole_width(page: Page) -> None:
    open_question(page, SHORT, model="sst2-bow")
    card(page, "Ladder").get_by_role("button", name="Show only Ladder").click()
    expect(card(page, "Tree")).to_have_count(0)
    settle(page, "Ladder")
    page.get_by_role("button", name="All", exact=True).click()
    expect(card(page, "Tree")).to_be_visible()


@pytest.mark.parametrize("model", ["sst2-minilm", "emotion-minilm", "topic-minilm"])
def test_the_examples_are_ones_the_model_gets_right(page: Page, server: str, model: str) -> None:
    catalog = httpx.get(f"{server}/v1/catalog", timeout=60).json()
    labels = {sample["text"]: sample["label"] for sample in catalog["samples"]}
    open_question(page, SHORT, only="tokens", model=model)
    examples = page.locator(".example")
    expect(examples.nth(4)).to_be_visible()
    for text in examples.all_inner_texts():
        answer = httpx.post(f"{server}/v1/predictions", json={"model": model, "text": text}, timeout=60).json()
        assert answer["label"] == labels[text], text
