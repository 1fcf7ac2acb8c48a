"""The Lab as a visitor meets it: an example on the first visit, and a run of one's own from form to table."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Page, expect
from tests.browser.bench import keep
from tests.browser.participants import violations

from espalier import samples

pytestmark = pytest.mark.browser

EXAMPLE = "Five ways to explain two small sentiment models"


def test_an_example_is_there_on_the_first_visit_and_leads_to_its_sentences(page: Page) -> None:
    page.goto("/lab")
    expect(page).to_have_title("Lab · Espalier")
    page.get_by_role("link", name=EXAMPLE).click()
    table = page.get_by_role("region", name="Measures on sst2-cnn")
    expect(table.get_by_role("row", name="random order")).to_be_visible()
    expect(page.get_by_text("Do not compare AOPC")).to_be_visible()
    expect(page.locator(".curve-figure svg").first).to_be_visible()
    expect(page.locator("circle.dot").nth(60)).to_be_attached()
    assert violations(page) == []
    # The same page fits a phone: tables scroll in themselves.
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function("document.documentElement.scrollWidth <= 390")
    link = page.get_by_role("link", name="explain with hedge on sst2-cnn").first
    link.click()
    expect(page).to_have_url(re.compile("model=sst2-cnn.*only=ladder"))


def test_a_run_is_put_together_priced_begun_and_read(page: Page) -> None:
    page.goto("/lab/new")
    for box in ("Sentiment, transformer", "LIME", "HEDGE", "LS-Tree", "Cohesion", "Normalised AOPC (delete)"):
        page.get_by_role("checkbox", name=box, exact=False).first.uncheck()
    page.get_by_role("checkbox", name="Sentiment, bag of words").check()
    page.get_by_role("checkbox", name="Search for the best order").uncheck()
    page.get_by_label("Texts to draw").fill("3")
    expect(page.get_by_text("3 texts, 6 rows")).to_be_visible()
    broken = {"text": samples.for_task("sentiment")[0].text, "words": ["nowhere"], "scores": [1], "method": "captum-ig"}
    field = page.get_by_label("Explanations (JSONL)")
    field.set_input_files(FilePayload(name="own.jsonl", mimeType="", buffer=json.dumps(broken).encode()))
    page.get_by_label("Texts to draw").fill("")
    expect(page.get_by_text("line 1 of own.jsonl cannot be aligned")).to_be_visible()
    page.get_by_role("button", name="Without them").click()
    page.get_by_label("Texts to draw").fill("3")
    own = [
        {"text": each.text, "words": each.text.split(), "scores": [*range(len(each.text.split()))], "method": "mine"}
        for each in samples.for_task("sentiment")
    ]
    lines = "".join(json.dumps(each) + "\n" for each in own)
    field.set_input_files(FilePayload(name="own.jsonl", mimeType="", buffer=lines.encode()))
    expect(page.get_by_text("3 texts, 9 rows")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Begin the run").click()
    expect(page.get_by_text("Finished", exact=True)).to_be_visible()
    row = page.get_by_role("region", name="Measures on sst2-bow").get_by_role("row", name="leave-one-out")
    expect(row).to_be_visible()
    expect(page.get_by_role("region", name="Measures on sst2-bow").get_by_role("row", name="mine")).to_be_visible()
    expect(page.get_by_text("Not measured of mine: Phrase deletion (delete): the file has no spans")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Really delete all of it").click()
    expect(page.get_by_role("heading", name="Lab", exact=True)).to_be_visible()


def test_the_report_is_a_page_of_its_own_with_the_table_and_the_pictures(
    page: Page, context: BrowserContext, tmp_path: Path
) -> None:
    page.goto("/lab")
    page.get_by_role("link", name=EXAMPLE).click()
    table = page.get_by_role("region", name="Measures on sst2-cnn")
    cell = table.get_by_role("row", name="hedge").get_by_role("cell").first
    expect(cell).to_be_visible()
    expect(page.locator(".curve-figure svg").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Report, HTML").click()
    assert download.value.suggested_filename.endswith(".html")
    file = tmp_path / "report.html"
    download.value.save_as(file)
    # Nothing of it is asked of the server: it opens where there is none.
    content = file.read_text(encoding="utf-8")
    assert not re.search(r"<(script|link|img)\b", content)
    reader = context.new_page()
    reader.set_content(content)
    expect(reader.get_by_role("heading", name=EXAMPLE)).to_be_visible()
    rows = reader.locator("table").first.locator("tbody tr")
    assert rows.count() >= 7
    mean = re.search(r"-?\d\.\d+", cell.inner_text())
    assert mean is not None
    expect(reader.locator("table").first).to_contain_text(mean[0])
    assert reader.locator("svg").count() >= 1
    assert reader.locator("svg path").count() > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("name", "width"), [("phone", 390), ("desk", 1280)])
@pytest.mark.parametrize("which", ["list", "new", "run"])
def test_every_page_of_the_lab_fits_and_is_accessible(
    context: BrowserContext, artifacts: Path, which: str, scheme: str, name: str, width: int
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    if which == "new":
        page.goto("/lab/new")
        expect(page.get_by_text(re.compile(r"\d+ texts, \d+ rows"))).to_be_visible()
    else:
        page.goto("/lab")
        link = page.get_by_role("link", name=EXAMPLE)
        expect(link).to_be_visible()
        if which == "run":
            link.click()
            expect(page.locator(".curve-figure svg").first).to_be_visible()
            expect(page.locator("circle.dot").first).to_be_attached()
    keep(page, artifacts / f"lab-{which}-{name}-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
