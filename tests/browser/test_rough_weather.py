"""A network that goes away, and texts that mean no good."""

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from tests.browser.bench import FIRST, card, open_question, settle

pytestmark = pytest.mark.browser


def test_a_lost_network_is_said_and_the_job_goes_on_when_it_is_back(page: Page, context: BrowserContext) -> None:
    open_question(page, FIRST, only="tokens", seed=11, tokens_with={"budget": 1100})
    expect(card(page, "Tokens").locator(".job-words")).to_contain_text("evaluations")
    context.set_offline(True)
    # What is under way may still arrive; a question asked now cannot.
    page.get_by_role("button", name="positive").click()
    expect(card(page, "Tokens")).to_contain_text("Connection lost")
    context.set_offline(False)
    settle(page, "Tokens")
    expect(card(page, "Tokens").locator(".provenance")).to_contain_text("1,100 evaluations")


def test_a_stream_that_breaks_is_taken_up_again(page: Page, context: BrowserContext) -> None:
    broken: list[str] = []

    def break_once(route: Route) -> None:
        if not broken:
            broken.append(route.request.url)
            route.abort("connectionreset")
        else:
            route.continue_()

    context.route("**/events", break_once)
    open_question(page, FIRST, only="tokens", seed=12, model="sst2-cnn")
    settle(page, "Tokens")
    assert broken


HOSTILE = "Nice <img src=x onerror=document.title='harmed'> film <script>document.title='harmed'</script>."


def test_markup_in_a_sentence_is_shown_and_not_run(page: Page) -> None:
    open_question(page, HOSTILE, model="sst2-bow")
    settle(page)
    expect(page.get_by_label("Sentence", exact=True)).to_have_value(HOSTILE)
    assert page.locator("main img, main script").count() == 0
    assert page.title().endswith(" · Espalier")


def test_writing_that_turns_around_stays_in_its_place(page: Page) -> None:
    open_question(page, "A \u202egood\u202c film \u2067סרט טוב\u2069 indeed.", model="sst2-bow")
    settle(page, "Tokens", "Tree")
    finding = card(page, "Tokens").locator(".finding")
    assert finding.locator("bdi").count() == 1
    assert not set(finding.inner_text()) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def test_a_word_of_twenty_thousand_letters_harms_nothing(page: Page) -> None:
    open_question(page, model="sst2-bow", only="tokens")
    settle(page, "Tokens")
    page.get_by_label("Sentence", exact=True).fill("A " + "x" * 20_000 + " film.")
    page.get_by_label("Sentence", exact=True).press("Control+Enter")
    shown = page.get_by_role("alert").or_(card(page, "Tokens").locator(".provenance"))
    expect(shown.first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.get_by_label("Sentence", exact=True).fill("A film.")
    page.get_by_label("Sentence", exact=True).press("Control+Enter")
    settle(page, "Tokens")


def test_a_text_that_is_too_long_says_what_is_possible(page: Page) -> None:
    open_question(page, "", only="tokens")
    page.get_by_label("Sentence", exact=True).fill("word " * 11_000)
    page.get_by_label("Sentence", exact=True).press("Control+Enter")
    expect(page.get_by_role("alert").first).to_contain_text("possible are up to")


def test_an_address_that_means_nothing_opens_the_workbench_all_the_same(page: Page) -> None:
    page.goto("/?text=Good+film.&model=sst2-bow&only=nowhere&seed=many&select=9-1&against=7&tokens.with=[]")
    expect(page.get_by_label("Sentence", exact=True)).to_have_value("Good film.")
    settle(page, "Tokens")
