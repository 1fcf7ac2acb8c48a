"""Links, the history and files: opened again, they show the same."""

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.browser.bench import SHORT, card, open_question, save, settle, values

pytestmark = pytest.mark.browser

SVG = "{http://www.w3.org/2000/svg}"


def test_a_link_shows_another_visitor_exactly_the_same(page: Page, browser: Browser, server: str) -> None:
    open_question(page, "A film with no surprises.", only="tokens", model="sst2-cnn", seed=3, tokens="lime")
    settle(page, "Tokens")
    page.get_by_role("button", name="negative").click()
    settle(page, "Tokens")
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link to exactly this").input_value()
    bars = "[data-row][data-value]"
    expect(card(page, "Tokens").locator(".provenance")).to_contain_text("of negative")
    shown = values(card(page, "Tokens").locator(".frame"), bars)
    visitor = browser.new_context()
    try:
        other = visitor.new_page()
        other.goto(link)
        settle(other, "Tokens")
        assert values(card(other, "Tokens").locator(".frame"), bars) == shown
        expect(other.get_by_role("button", name="negative")).to_have_attribute("aria-pressed", "true")
        assert other.url == page.url
    finally:
        visitor.close()


def test_the_history_brings_back_what_was_explained(page: Page) -> None:
    open_question(page, "A first film.", only="tokens", model="sst2-bow")
    settle(page, "Tokens")
    page.get_by_label("Sentence", exact=True).fill("A second film.")
    page.get_by_label("Sentence", exact=True).press("Control+Enter")
    settle(page, "Tokens")
    page.reload()
    page.get_by_role("button", name="History").click()
    entries = page.locator(".history li")
    expect(entries).to_have_count(2)
    expect(entries.first).to_contain_text("A second film.")
    entries.nth(1).get_by_role("button").click()
    expect(page.get_by_label("Sentence", exact=True)).to_have_value("A first film.")


def test_the_back_button_undoes_a_step(page: Page) -> None:
    open_question(page, SHORT, only="tokens", model="sst2-bow")
    page.get_by_role("button", name="Ladder", exact=True).click()
    expect(card(page, "Ladder")).to_be_visible()
    page.go_back()
    expect(card(page, "Tokens")).to_be_visible()


def test_a_picture_is_saved_as_svg_png_csv_and_json(page: Page, tmp_path: Path) -> None:
    open_question(page, SHORT, only="tree", model="sst2-bow")
    settle(page, "Tree")
    shown = values(card(page, "Tree").locator(".frame"), "[data-node][data-value]")

    drawing = ElementTree.parse(save(page, "Tree", "SVG", tmp_path)).getroot()
    kept = {
        mark.attrib["data-span"]: float(mark.attrib["data-value"])
        for mark in drawing.iter()
        if "data-node" in mark.attrib and "data-value" in mark.attrib
    }
    assert kept == shown
    words = " ".join("".join(text.itertext()) for text in drawing.iter(f"{SVG}text"))
    for said in ("LS-Tree", "sst2-bow", "seed 0", "Made with Espalier"):
        assert said in words
    assert not [mark for mark in drawing.iter() if "class" in mark.attrib], "needs a style sheet"

    picture = save(page, "Tree", "PNG", tmp_path).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") > 800

    with save(page, "Tree", "CSV", tmp_path).open(newline="", encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["kind"] in {"word", "phrase"}]
    assert len(rows) == len(shown)
    assert sorted(float(row["score"]) for row in rows) == sorted(shown.values())

    explanation = json.loads(save(page, "Tree", "JSON", tmp_path).read_text(encoding="utf-8"))
    assert explanation["method"] == "ls-tree"
    assert explanation["text"] == SHORT


def test_one_html_file_opens_without_the_server(page: Page, browser: Browser, tmp_path: Path, artifacts: Path) -> None:
    open_question(page, "Not <b>a</b> good film.", model="sst2-bow")
    settle(page)
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as one HTML file").click()
    path = tmp_path / "shared.html"
    waiting.value.save_as(path)
    offline: BrowserContext = browser.new_context(offline=True)
    try:
        alone = offline.new_page()
        asked: list[str] = []
        alone.on("request", lambda request: asked.append(request.url))
        alone.goto(path.as_uri())
        for view in ("Tree", "Ladder", "Graph", "Interactions", "Tokens"):
            expect(alone.get_by_role("region", name=view).locator("svg").first).to_be_visible()
        assert alone.locator("h1").inner_text() == "Not <b>a</b> good film."
        data = json.loads(alone.locator("#explanations").text_content() or "")
        assert [entry["method"] for entry in data] == ["ls-tree", "hedge", "asiv", "mahe", "shap"]
        assert asked == [path.as_uri()], "something was fetched"
        alone.screenshot(path=artifacts / "shared-file.png", full_page=True)
    finally:
        offline.close()


def test_a_figure_is_copied_with_its_caption(page: Page, context: BrowserContext, server: str) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
    open_question(page, SHORT, only="tree", model="sst2-bow")
    settle(page, "Tree")
    card(page, "Tree").get_by_role("button", name=re.compile("^Save")).click()
    page.get_by_role("menuitem", name=re.compile("^Copy as figure")).click()
    expect(card(page, "Tree").get_by_text("Copied with its caption.")).to_be_attached()
    types = page.evaluate("navigator.clipboard.read().then(items => items.flatMap(item => [...item.types]))")
    assert set(types) == {"image/png", "text/plain"}
    caption = page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"Tree \(LS-Tree\) of “Not a good film\.”.*sst2-bow.*seed 0.*\d{4}-\d{2}-\d{2}", caption)
