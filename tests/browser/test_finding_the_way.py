"""What a visitor meets between the pictures: titles of tabs, wrong links, sheets that close, other catalogs."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect
from tests.browser.bench import SHORT, card, open_question, settle
from tests.browser.participants import make_study

pytestmark = pytest.mark.browser

FORBID_STORAGE = """
for (const name of ["getItem", "setItem", "removeItem"])
  Storage.prototype[name] = () => { throw new DOMException("The operation is insecure.", "SecurityError"); };
"""


@pytest.fixture(scope="module")
def study(server: str) -> str:
    return make_study(server, title="What gives a review away?", methods=["leave-one-out", "hedge"], votes=2)


def test_a_tab_names_the_sentence(page: Page) -> None:
    open_question(page, SHORT, model="sst2-bow", only="tokens")
    expect(page).to_have_title(f"{SHORT} · Espalier")
    page.get_by_label("Sentence").fill("A fine film.")
    page.keyboard.press("Control+Enter")
    expect(page).to_have_title("A fine film. · Espalier")


def test_a_tab_names_the_study(page: Page, study: str) -> None:
    page.goto("/studies")
    expect(page).to_have_title("Studies · Espalier")
    page.goto(f"/studies/{study}")
    expect(page).to_have_title("What gives a review away? · Espalier")


def test_a_wrong_link_leads_to_a_page_that_says_so(page: Page) -> None:
    answer = page.goto("/workbench/of/somebody")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", name="There is no such page.")).to_be_visible()
    expect(page).to_have_title("No such page · Espalier")


def test_a_theme_is_chosen_where_nothing_can_be_kept(page: Page) -> None:
    page.add_init_script(FORBID_STORAGE)
    open_question(page, SHORT, model="sst2-bow", only="tokens")
    page.get_by_role("button", name="Switch to dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("button", name="Switch to light")).to_be_visible()


def test_a_comparison_is_not_hidden_by_the_sheet_it_was_chosen_on(page: Page) -> None:
    open_question(page, SHORT, model="sst2-bow", only="tokens")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_label("Another model").select_option("sst2-cnn")
    expect(page.get_by_role("heading", name="sst2-cnn")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_ring_around_a_tab_of_a_study_is_whole(page: Page, study: str) -> None:
    page.goto(f"/studies/{study}")
    page.get_by_role("tab", name="Overview").click()
    page.keyboard.press("ArrowRight")
    tab = page.get_by_role("tab", name="Preview")
    expect(tab).to_be_focused()
    ring, row = tab.evaluate(
        """tab => {
            const style = getComputedStyle(tab);
            const reach = parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth);
            const box = ({top, right, bottom, left}, by) => [top - by, right + by, bottom + by, left - by];
            return [box(tab.getBoundingClientRect(), reach), box(tab.parentElement.getBoundingClientRect(), 0)];
        }"""
    )
    assert ring[0] >= row[0]
    assert ring[2] <= row[2]
    assert ring[3] >= row[3]


def test_a_catalog_with_other_models_opens_with_its_first(page: Page) -> None:
    def without_the_usual(route: Route) -> None:
        catalog = route.fetch().json()
        catalog["models"] = [model for model in catalog["models"] if model["name"] == "sst2-bow"]
        route.fulfill(body=json.dumps(catalog), content_type="application/json")

    page.route("**/v1/catalog", without_the_usual)
    page.goto("/?only=tokens")
    settle(page, "Tokens")
    expect(page.get_by_role("button", name=re.compile("^Model: .*Bag of words", re.IGNORECASE))).to_be_visible()


@pytest.mark.parametrize("method", ["soc", "sampled-shapley", "lime", "integrated-gradients"])
def test_every_method_that_can_be_more_precise_offers_it(page: Page, method: str) -> None:
    model = "sst2-minilm" if method == "integrated-gradients" else "sst2-bow"
    open_question(page, SHORT, model=model, only="tokens", tokens=method)
    settle(page, "Tokens")
    card(page, "Tokens").get_by_role("button", name="More precise").click()
    expect(page).to_have_url(re.compile("tokens.with="))
    settle(page, "Tokens")
