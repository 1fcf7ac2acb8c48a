"""One prediction under every reference: small pictures on one scale, how far they agree, two of them side by side."""

import json
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from scipy.stats import kendalltau
from tests.browser.bench import SHORT, card, keep, open_question, settle
from tests.browser.test_looks import violations

pytestmark = pytest.mark.browser

QUESTION = {"model": "sst2-bow", "across": "references"}


def settled(page: Page) -> None:
    expect(page.locator(".multiples li").first).to_be_visible()
    for one in page.locator(".multiples li").all():
        expect(one).to_have_attribute("aria-busy", "false")


def test_one_click_shows_a_prediction_under_all_references(page: Page, server: str, artifacts: Path) -> None:
    open_question(page, SHORT, model="sst2-bow", only="tokens")
    page.get_by_role("button", name="References", exact=True).click()
    settled(page)
    offered = [each["name"] for each in httpx.get(f"{server}/v1/catalog", timeout=60).json()["references"]]
    assert page.locator(".multiples li").evaluate_all("each => each.map(one => one.dataset.reference)") == offered
    keep(page, artifacts / "references.png")
    # Where values are drawn, a line on their whiskers stands below the scale.
    domains = {
        (each.text_content() or "").partition("whisker")[0] for each in page.locator(".multiples .scale-legend").all()
    }
    assert len(domains) == 1


def test_rankings_agree_as_far_as_scipy_says(page: Page, server: str) -> None:
    open_question(page, SHORT, only="tokens", **QUESTION)
    settled(page)
    scores = {}
    for reference in ("pad", "marginal"):
        asked = {"text": SHORT, "model": "sst2-bow", "method": "shap", "reference": reference}
        asked["parameters"] = {"budget": 1024}
        answer = httpx.post(f"{server}/v1/explanations", json=asked, headers={"Prefer": "wait=60"}, timeout=90).json()
        scores[reference] = answer["explanation"]["result"]["values"]
    tau = kendalltau(scores["pad"], scores["marginal"]).statistic
    shown = page.locator(".multiples li[data-reference=marginal] .agrees strong")
    expect(shown).to_have_text(f"{tau:.2f}".replace("-", "−"))


def test_what_stands_in_for_absent_words_can_be_read(page: Page, server: str) -> None:
    open_question(page, SHORT, only="tokens", absent=[2], **QUESTION)
    shown = page.locator(".multiples li[data-reference=marginal] .stood-in p").first
    asked = {"text": SHORT, "model": "sst2-bow", "reference": "marginal"}
    for absent in ([2], [1, 2]):
        answer = httpx.post(f"{server}/v1/stand-ins", json=asked | {"absent": absent}, timeout=60).json()
        expect(shown).to_have_text(answer["texts"][0]["text"])
        expect(shown.locator("mark")).to_have_count(len(absent))
        page.get_by_role("group", name="Words that are present").get_by_role("button").nth(1).click()
    expect(page.locator(".multiples li[data-reference=delete] mark")).to_have_count(0)


def test_texts_that_stand_in_are_those_that_the_picture_below_averages(page: Page) -> None:
    """The chosen reference draws as often as was asked for; others by their own choice."""
    open_question(page, SHORT, only="tokens", absent=[2], reference="conditional", draws=8, **QUESTION)
    for reference, draws in (("conditional", 8), ("in-domain", 4)):
        expect(page.locator(f".multiples li[data-reference={reference}] .stood-in .hint")).to_contain_text(
            f"1 of {draws} texts that are averaged"
        )


def test_two_references_stand_side_by_side_with_their_difference(page: Page) -> None:
    open_question(page, SHORT, only="tokens", **QUESTION)
    settled(page)
    marginal = page.locator(".multiples li[data-reference=marginal]")
    marginal.get_by_role("button", name="beside pad").click()
    settle(page, "Tokens")
    expect(card(page, "Tokens").locator(".pane")).to_have_count(2)
    expect(card(page, "Tokens").locator(".difference li").first).to_be_visible()


def test_an_exact_result_over_a_few_draws_can_buy_draws(page: Page) -> None:
    open_question(page, SHORT, model="sst2-bow", only="tokens", reference="conditional")
    settle(page, "Tokens")
    expect(card(page, "Tokens")).to_contain_text("exact for 4 draws")
    expect(card(page, "Tokens").get_by_role("button", name="More precise")).to_have_count(0)
    card(page, "Tokens").get_by_role("button", name="More draws").click()
    expect(card(page, "Tokens")).to_contain_text("exact for 16 draws")
    assert "draws=16" in page.url
    page.get_by_role("button", name="Settings", exact=True).first.click()
    expect(page.get_by_label("Draws", exact=True)).to_have_value("16")
    page.get_by_label("In place of an absent word").select_option("pad")
    settle(page, "Tokens")
    assert "draws" not in page.url
    expect(card(page, "Tokens").get_by_role("button", name="More draws")).to_have_count(0)


def test_a_word_that_the_model_never_uses_is_marked_where_others_credit_it(page: Page, artifacts: Path) -> None:
    """A bag of words has no weight for a word it does not know; what is filled in for it has one."""
    against = {"reference": "in-domain"}
    open_question(page, "A zzyzx story, but lovely.", model="sst2-bow", only="tokens", against=against)
    settle(page, "Tokens")
    marked = card(page, "Tokens").locator(".difference li", has=page.locator(".unused-mark"))
    expect(marked).to_have_count(1)
    expect(marked.locator("bdi")).to_have_text("zzyzx")
    keep(page, artifacts / "interventional-observational.png")


def test_all_pictures_of_the_panel_are_saved(page: Page) -> None:
    open_question(page, SHORT, only="tokens", **QUESTION)
    settled(page)
    saved: list[str] = []
    count = page.locator(".multiples li").count()
    page.on("download", lambda download: saved.append(download.suggested_filename))
    page.get_by_role("button", name="Save tokens").click()
    with page.expect_event("download", lambda _: len(saved) == count):
        page.get_by_role("menuitem", name="CSV").click()
    assert len(set(saved)) == count


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_panel_fits_a_phone_and_is_accessible(page: Page, scheme: str) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    open_question(page, SHORT, only="tokens", absent=[1], **QUESTION)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []
    words = page.get_by_role("group", name="Words that are present").get_by_role("button")
    expect(words.nth(1)).to_have_attribute("aria-pressed", "false")
    words.nth(1).press("Enter")
    expect(words.nth(1)).to_have_attribute("aria-pressed", "true")
    assert json.loads(page.evaluate("new URL(location.href).searchParams.get('absent')")) == []
