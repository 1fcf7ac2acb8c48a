"""Diagnoses as a visitor meets them: put together, priced, begun, read, on every screen, taken home and deleted."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.bench import keep
from tests.browser.participants import violations

pytestmark = pytest.mark.browser

EXAMPLE = "A convolutional network beside a bag of words"
TITLE = "Two small models"
DESIGN = {
    "title": TITLE,
    "dataset": {"kind": "samples", "task": "sentiment"},
    "models": ["sst2-cnn", "sst2-bow"],
    "diagnostics": ["linearity", "depth", "contrast", "fit", "context-free"],
    "linear": "sst2-bow",
    "interactions": [["not", "the"]],
    "random_pairs": 2,
    "draws": 100,
    "most_texts": 40,
}


@pytest.fixture(scope="module")
def diagnosis(server: str) -> Iterator[str]:
    """The address of one that is there when the page is opened."""
    made = httpx.post(f"{server}/v1/diagnoses", json=DESIGN, timeout=60)
    assert made.status_code == 202, made.text
    yield f"/lab/diagnoses/{made.json()['id']}"
    httpx.delete(f"{server}/v1/diagnoses/{made.json()['id']}", timeout=60)


def test_a_diagnosis_is_put_together_priced_begun_and_read(page: Page) -> None:
    page.goto("/lab")
    page.get_by_role("link", name="New diagnosis").click()
    expect(page).to_have_title("New diagnosis · Espalier")
    page.get_by_role("checkbox", name="Sentiment, transformer", exact=False).first.uncheck()
    page.get_by_role("checkbox", name="Sentiment, bag of words").check()
    page.get_by_role("checkbox", name="Linearity").check()
    page.get_by_role("checkbox", name="Signs of interactions").check()
    page.get_by_label("Texts to draw").fill("8")
    # What cannot be done is said before anything begins.
    page.get_by_label("Interactions", exact=True).fill("not zebra")
    expect(page.get_by_text("no text with not … zebra")).to_be_visible()
    expect(page.get_by_role("button", name="Begin the diagnosis")).to_be_disabled()
    page.get_by_role("checkbox", name="Signs of interactions").uncheck()
    expect(page.get_by_text("8 texts, 8 texts on models")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Begin the diagnosis").click()
    expect(page.get_by_text("Finished", exact=True)).to_be_visible()
    row = page.get_by_role("region", name="Correlations in numbers").get_by_role("row", name="sst2-bow")
    expect(row).to_contain_text(re.compile(r"0\.\d{3}"))
    expect(page.get_by_role("img", name="Mean depth by number of top nodes")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="All rows, CSV").click()
    assert len(download.value.path().read_text(encoding="utf-8").splitlines()) == 9
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Really delete all of it").click()
    expect(page.get_by_role("heading", name="Lab", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Diagnosis of sst2-bow")).to_have_count(0)


def test_an_example_is_there_on_the_first_visit_and_cannot_be_deleted(page: Page) -> None:
    page.goto("/lab")
    page.get_by_role("link", name=EXAMPLE).click()
    expect(
        page.get_by_role("region", name="Correlations in numbers").get_by_role("row", name="sst2-cnn")
    ).to_be_visible()
    expect(page.locator("circle.dot").first).to_be_attached()
    expect(page.get_by_role("button", name="Delete", exact=True)).to_have_count(0)


def test_numbers_lead_to_their_sentences_and_the_page_is_taken_home(page: Page, diagnosis: str) -> None:
    page.goto(diagnosis)
    expect(page.get_by_text("Finished", exact=True)).to_be_visible()
    expect(page.locator("circle.dot").nth(40)).to_be_attached()
    with page.expect_download() as download:
        page.get_by_role("button", name="Report, HTML").click()
    content = download.value.path().read_text(encoding="utf-8")
    assert not re.search(r"<(script|link|img)\b", content)
    for said in (
        TITLE,
        "Correlation with sst2-bow",
        "Free of the context?",
        "We diagnosed sst2-cnn and sst2-bow",
        "<path",
    ):
        assert said in content
    page.get_by_text("Texts in which a word of contrast weighs most on sst2-cnn").click()
    page.get_by_role("link", name="explain with ls-tree on sst2-cnn").first.click()
    expect(page).to_have_url(re.compile("model=sst2-cnn.*only=tree"))
    page.go_back()
    page.get_by_text("Texts with not … the on sst2-bow").click()
    page.get_by_role("link", name="explain with mahe on sst2-bow").first.click()
    expect(page).to_have_url(re.compile("model=sst2-bow.*=mahe"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("name", "width"), [("phone", 390), ("desk", 1280)])
@pytest.mark.parametrize("which", ["list", "new", "run"])
def test_every_page_of_diagnoses_fits_and_is_accessible(
    context: BrowserContext, artifacts: Path, diagnosis: str, which: str, scheme: str, name: str, width: int
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    if which == "list":
        page.goto("/lab")
        expect(page.get_by_role("link", name=TITLE)).to_be_visible()
    elif which == "new":
        page.goto("/lab/diagnoses/new")
        for box in ("Linearity", "Signs of interactions", "Fit by number"):
            page.get_by_role("checkbox", name=box).check()
        expect(page.get_by_label("Bag of words", exact=True)).to_be_visible()
        page.get_by_label("Interactions", exact=True).fill("not the")
        expect(page.get_by_text(re.compile(r"\d+ texts, \d+ texts on models"))).to_be_visible()
    else:
        page.goto(diagnosis)
        expect(page.get_by_text("Finished", exact=True)).to_be_visible()
        page.get_by_text("In numbers", exact=True).click()
        for region in (
            "Correlations in numbers",
            "Depths in numbers",
            "Words of contrast on sst2-cnn",
            "Errors of fits",
            "Interactions and their signs",
        ):
            expect(page.locator(f"section.scroll[aria-label='{region}']")).to_be_visible()
        expect(page.locator(".curve-figure path.curve")).to_have_count(3)
    keep(page, artifacts / f"diagnosis-{which}-{name}-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
