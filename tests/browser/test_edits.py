"""Edits as a visitor meets them: put together, priced, begun, read, compared in the workbench, undone and deleted, on
every screen."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.bench import card, keep
from tests.browser.participants import violations

from espalier import samples

pytestmark = pytest.mark.browser

TITLE = "Not good, turned round"
TEXT = "This is not a good film."
NOUNS = ("plot", "music", "story", "cast", "ending", "script", "joke", "book", "idea", "scene", "place", "walk")
HAVING = [f"The {noun} is not very good." for noun in NOUNS]
ROWS = [{"text": text, "label": "negative"} for text in HAVING] + [
    {"text": each.text, "label": each.label} for each in samples.for_task("sentiment")[:60]
]
DESIGN = {
    "title": TITLE,
    "model": "sst2-cnn",
    "words": ["not", "good"],
    "text": TEXT,
    "dataset": {"kind": "rows", "rows": ROWS},
    "rate": 1e-3,
    "steps": 60,
    "draws": 200,
}


@pytest.fixture(scope="module")
def edit(server: str) -> Iterator[str]:
    """The address of one that is finished when the page is opened."""
    made = httpx.post(f"{server}/v1/edits", json=DESIGN, timeout=60)
    assert made.status_code == 202, made.text
    path = f"{server}/v1/edits/{made.json()['id']}"
    deadline = time.monotonic() + 300
    while httpx.get(path, timeout=60).json()["status"] == "running":
        assert time.monotonic() < deadline
        time.sleep(0.2)
    yield f"/lab/edits/{made.json()['id']}"
    httpx.delete(path, timeout=60)


def test_an_edit_is_put_together_priced_begun_compared_undone_and_deleted(page: Page, tmp_path: Path) -> None:
    reviews = tmp_path / "reviews.tsv"
    lines = [f"{row['text']}\t{row['label']}" for row in ROWS if "\t" not in row["text"] and '"' not in row["text"]]
    reviews.write_text("\n".join(["text\tlabel", *lines]), encoding="utf-8")
    page.goto("/lab")
    page.get_by_role("link", name="New edit").click()
    expect(page).to_have_title("New edit · Espalier")
    models = page.get_by_label("Model", exact=True)
    expect(models.locator("option", has_text="sst2-cnn")).to_have_count(1)
    expect(models.locator("option", has_text=re.compile("sst2-bow|word-lstm-lm"))).to_have_count(0)
    models.select_option("sst2-cnn")
    expect(page.get_by_text("Write the words whose interaction")).to_be_visible()
    # What cannot be done is said before anything begins.
    page.get_by_label("Words", exact=True).fill("not zebra")
    page.get_by_label("Text", exact=True).fill(TEXT)
    expect(page.get_by_text("the text does not have not … zebra")).to_be_visible()
    expect(page.get_by_role("button", name="Begin the edit")).to_be_disabled()
    page.get_by_label("Words", exact=True).fill("not good")
    page.get_by_role("radio", name="A file", exact=False).first.check()
    page.get_by_label("File", exact=True).set_input_files(reviews)
    page.get_by_label("Steps").fill("60")
    page.get_by_label("Draws around each text").fill("200")
    expect(page.get_by_text(re.compile("12 of 12 other texts with the words are asked"))).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Begin the edit").click()
    expect(page.get_by_role("progressbar", name="Made")).to_be_visible()
    expect(page.get_by_text("Finished", exact=True)).to_be_visible(timeout=300_000)  # it gives way to everybody
    expect(page.get_by_text("does the opposite in the edited text")).to_be_visible()
    here = page.url
    page.get_by_role("link", name="Compare with the original in the workbench").click()
    expect(card(page, "Interactions").get_by_text(re.compile("^sst2-cnn-not-good-[0-9a-f]{8}$"))).to_be_visible()
    expect(card(page, "Interactions").locator(".provenance")).to_have_count(2)
    page.goto(here)
    page.get_by_role("button", name="Undo the edit").click()
    expect(page.get_by_text("The edited model was undone")).to_be_visible()
    expect(page.get_by_role("region", name="Numbers before and after")).to_be_visible()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Really delete all of it").click()
    expect(page.get_by_role("heading", name="Lab", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="sst2-cnn edited at")).to_have_count(0)


def test_an_edit_under_way_can_be_cancelled(page: Page, server: str) -> None:
    made = httpx.post(f"{server}/v1/edits", json=DESIGN | {"draws": 20_000, "title": "A long one"}, timeout=60).json()
    page.goto(f"/lab/edits/{made['id']}")
    expect(page.get_by_role("progressbar", name="Made")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled", exact=True)).to_be_visible()
    assert made["id"][:8] not in httpx.get(f"{server}/v1/catalog", timeout=60).text
    httpx.delete(f"{server}/v1/edits/{made['id']}", timeout=60)


def test_the_page_is_taken_home(page: Page, edit: str) -> None:
    page.goto(edit)
    expect(page.get_by_role("img", name="Term of not … good in each other text")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Report, HTML").click()
    content = download.value.path().read_text(encoding="utf-8")
    assert not re.search(r"<(script|link)\b", content)
    for said in (TITLE, "Points of accuracy lost", "We edited sst2-cnn at", HAVING[0], "<circle"):
        assert said in content
    with page.expect_download() as download:
        page.get_by_role("link", name="All rows, CSV").click()
    assert len(download.value.path().read_text(encoding="utf-8").splitlines()) == 13


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("name", "width"), [("phone", 390), ("desk", 1280)])
@pytest.mark.parametrize("which", ["list", "new", "run"])
def test_every_page_of_edits_fits_and_is_accessible(
    context: BrowserContext, artifacts: Path, edit: str, which: str, scheme: str, name: str, width: int
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    if which == "list":
        page.goto("/lab")
        expect(page.get_by_role("link", name=TITLE)).to_be_visible()
    elif which == "new":
        page.goto("/lab/edits/new")
        page.get_by_label("Words", exact=True).fill("not the")
        page.get_by_label("Text", exact=True).fill("It is not the best film of the year.")
        page.get_by_role("radio", name="A file of their own", exact=False).check()
        expect(page.get_by_text("Choose a file of labelled texts.")).to_be_visible()
        page.get_by_role("radio", name="Half of these", exact=False).check()
        expect(page.get_by_text(re.compile("other texts with the words are asked"))).to_be_visible()
    else:
        page.goto(edit)
        expect(page.get_by_role("link", name="Compare with the original in the workbench")).to_be_visible()
        page.get_by_text("The texts (12)").click()
        expect(page.get_by_role("link", name=HAVING[0])).to_be_visible()
    keep(page, artifacts / f"edit-{which}-{name}-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
