"""A whole study: its owner makes it with the pages, twelve people take part at once, and every number is recomputed."""

import asyncio
import re
import shutil
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser as AsyncBrowser
from playwright.async_api import Page as AsyncPage
from playwright.async_api import async_playwright
from playwright.sync_api import Page, expect
from tests.browser.bench import keep
from tests.browser.conftest import CHROMIUM_FLAGS, CHROMIUM_NAMES, PATIENCE
from tests.browser.participants import READ_SCREEN, Screen, rows_of

pytestmark = pytest.mark.browser

SENTENCES = (
    ("A warm and funny film.", "positive"),
    ("The soup was cold and dull.", "negative"),
    ("Not a bad movie at all!", "positive"),
    ("I want my money back.", "negative"),
    ("She plays the part with joy.", "positive"),
    ("A long and tedious evening.", "negative"),
    ("The room smelled of smoke.", "negative"),
    ("We laughed until midnight.", "positive"),
    ("Nobody should read this book.", "negative"),
    ("A clever and touching story.", "positive"),
    ("The plot makes no sense.", "negative"),
    ("Never boring, always surprising.", "positive"),
    ("The acting is wooden.", "negative"),
    ("A feast for the eyes.", "positive"),
    ("It fails to be funny.", "negative"),
    ("The best bread in town.", "positive"),
    ("Too slow and too loud.", "negative"),
    ("I would gladly go again.", "positive"),
    ("The lamp broke after a day.", "negative"),
    ("Hardly a dull moment.", "positive"),
)
MODELS = {"sst2-cnn": "Sentiment, CNN", "sst2-bow": "Sentiment, bag of words"}
METHODS = ("leave-one-out", "hedge", "lime")
CONDITIONS = [(model, method) for model in MODELS for method in METHODS]
OPTIONS = ("negative", "positive", "n/a")
PEOPLE = [f"person {number}" for number in range(1, 13)]
CARELESS = "person 7"


@dataclass(frozen=True)
class Given:
    """One judgement as the test saw it made: by whom, on what, where it stood, and how long it can have taken."""

    person: str
    text: str
    position: int
    phrase: str
    answer: str
    shortest: float
    longest: float


def answer_of(person: str, text: str, phrase: str) -> str:
    """What a person says; decided by a hash, so that the test knows it without asking the page."""
    return OPTIONS[sha256(f"{person}|{text}|{phrase}".encode()).digest()[0] % 3]


def check_of(person: str, text: str) -> str:
    """Attention checks are meant to be easy; one person does not read them."""
    if person == CARELESS:
        return "n/a"
    return "positive" if re.search("wonderful|delicious", text) else "negative"


async def take_part(browser: AsyncBrowser, link: str, person: str) -> list[Given]:
    """From the link to the completion code; odd people use the keyboard, even ones the mouse."""
    context = await browser.new_context(viewport={"width": 900, "height": 1100})
    context.set_default_timeout(PATIENCE)
    page = await context.new_page()
    await page.goto(link)
    await page.get_by_label("Your name").fill(person)
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_role("button", name="I agree").click()
    await page.get_by_role("button", name="Try it").click()
    texts = {text for text, _ in SENTENCES}
    given: list[Given] = []
    shown_after = time.monotonic()
    while True:
        await page.locator("form.task, .thanks").first.wait_for()
        if await page.locator(".thanks").count():
            break
        screen: Screen = await page.locator("form.task").evaluate(READ_SCREEN)
        seen = time.monotonic()
        said = {
            letter: answer_of(person, screen["text"], phrase)
            if screen["text"] in texts
            else check_of(person, screen["text"])
            for letter, phrase in screen["lines"]
        }
        await answer(page, said, keyboard=int(person.split()[1]) % 2 == 1)
        pressed = time.monotonic()
        await page.keyboard.press("Enter")
        if screen["practice"]:
            await page.locator(".feedback").wait_for()
            await page.get_by_role("button", name="Continue").click()
        await page.locator(f'form.task[data-task="{screen["task"]}"]').wait_for(state="detached")
        done = time.monotonic()
        if not screen["practice"]:
            given += [
                Given(person, screen["text"], place, phrase, said[letter], pressed - seen, done - shown_after)
                for place, (letter, phrase) in enumerate(screen["lines"], 1)
            ]
        shown_after = pressed
    await context.close()
    return given


async def answer(page: AsyncPage, said: dict[str, str], *, keyboard: bool) -> None:
    for letter, value in said.items():
        if keyboard:
            await page.keyboard.press(str(OPTIONS.index(value) + 1))
        else:
            await page.locator(f'[data-line="{letter}"] label.choice').nth(OPTIONS.index(value)).click()


async def everybody(link: str) -> list[Given]:
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=executable, args=CHROMIUM_FLAGS, chromium_sandbox=False
        )
        parts = await asyncio.gather(*(take_part(browser, link, person) for person in PEOPLE))
        await browser.close()
    return [each for part in parts for each in part]


def make_with_pages(page: Page, server: str, artifacts: Path) -> str:
    """The owner's way: five steps, then publish; the link to send to people."""
    titles = {method["name"]: method["title"] for method in httpx.get(f"{server}/v1/catalog").json()["methods"]}
    page.goto("/studies")
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Name").fill("What gives a review away?")
    go_on = page.get_by_role("button", name="Continue")
    go_on.click()
    page.get_by_role("radio", name=re.compile("^A file")).check()
    table = "text\tlabel\n" + "".join(f"{text}\t{label}\n" for text, label in SENTENCES)
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "reviews.tsv", "mimeType": "text/tab-separated-values", "buffer": table.encode()}
    )
    expect(page.get_by_role("region", name="The texts")).to_contain_text("20 texts")
    go_on.click()
    for title in MODELS.values():
        page.get_by_role("checkbox", name=re.compile(f"^{re.escape(title)}")).check()
    for name in METHODS:
        page.get_by_role("checkbox", name=re.compile(f"^{re.escape(titles[name])}(?!,)")).check()
    go_on.click()
    page.get_by_label("Texts for each person").fill("5")
    page.get_by_text("Fine points").click()
    page.get_by_label("Shortest honest answer").fill("0")
    expect(page.get_by_text("20 texts: 60 screens of 6 lines, by at least 12 people.")).to_be_visible()
    keep(page, artifacts / "studies-new-people.png")
    go_on.click()
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_text("Ready", exact=True)).to_be_visible(timeout=120_000)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Running", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Recruiting").click()
    return page.get_by_role("region", name="Link", exact=True).locator("code").inner_text()


def test_twelve_people_at_once_give_the_rows_the_balance_and_the_results_that_they_should(
    page: Page, server: str, artifacts: Path
) -> None:
    link = make_with_pages(page, server, artifacts)
    study = page.url.split("/studies/")[1].split("?")[0]
    with ThreadPoolExecutor(1) as aside:
        given = aside.submit(asyncio.run, everybody(link)).result()
    rows = rows_of(server, study)
    shown = phrases(server, study)

    expect_every_row_as_it_was_given(rows, given, shown)
    expect_balance([row for row in rows if row["kind"] == "task"])

    page.get_by_role("tab", name="Results").click()
    counted = [row for row in rows if row["kind"] == "task" and row["who"] != CARELESS]
    expect(page.get_by_role("region", name="Quality")).to_contain_text("11330 answers")
    expect_results(page, counted)
    keep(page, artifacts / "studies-results.png")
    page.get_by_role("checkbox", name=re.compile("attention", re.I)).uncheck()
    expect(page.get_by_role("region", name="Quality")).to_contain_text("12360 answers")
    expect_results(page, [row for row in rows if row["kind"] == "task"])


def phrases(server: str, study: str) -> dict[tuple[str, str, str], str]:
    """What each condition shows of each text, as its owner may know."""
    items: list[dict[str, Any]] = httpx.get(f"{server}/v1/studies/{study}/items").json()["items"]
    return {
        (item["text"], each["model"], each["method"]): each["phrase"]
        for item in items
        if item["kind"] == "task"
        for each in item["shown"]
    }


def expect_every_row_as_it_was_given(
    rows: list[dict[str, Any]], given: list[Given], shown: dict[tuple[str, str, str], str]
) -> None:
    kept = {(row["who"], row["text"], row["position"]): row for row in rows}
    assert len(kept) == len(rows) == len(given) == 12 * 6 * 6  # five texts and a check, six lines each
    for each in given:
        row = kept[each.person, each.text, each.position]
        assert row["answer"] == each.answer
        assert each.shortest * 1000 - 20 <= row["milliseconds"] <= each.longest * 1000 + 20
        if row["kind"] == "task":
            assert (row["model"], row["method"]) in CONDITIONS
            assert shown[each.text, row["model"], row["method"]] == each.phrase
            assert row["coherent"] == (row["prediction"] == each.answer)
    careless = [row for row in rows if row["kind"] == "attention" and row["answer"] != row["expected"]]
    assert {row["who"] for row in careless} == {CARELESS}


def expect_balance(rows: list[dict[str, Any]]) -> None:
    """Three votes on everything, no text twice for anybody, and each condition at each place equally often."""
    votes = Counter((row["text"], row["model"], row["method"]) for row in rows)
    assert votes == {(text, *condition): 3 for text, _ in SENTENCES for condition in CONDITIONS}
    screens = {(row["who"], row["text"], row["screen"]) for row in rows}
    assert Counter(person for person, _, _ in screens) == dict.fromkeys(PEOPLE, 5)
    assert len({(person, text) for person, text, _ in screens}) == len(screens)
    places = Counter((row["model"], row["method"], row["position"]) for row in rows)
    assert places == {(*condition, place): 10 for condition in CONDITIONS for place in range(1, 7)}


def wilson(count: int, of: int) -> tuple[float, float]:
    """Wilson (1927), from the formula."""
    z = 1.959963984540054
    middle = (count + z * z / 2) / (of + z * z)
    half = z / (of + z * z) * sqrt(count * (of - count) / of + z * z / 4)
    return middle - half, middle + half


def expect_results(page: Page, rows: list[dict[str, Any]]) -> None:
    """Every plot and every test on the page, recomputed from the rows."""

    def plot(caption: str, column: str, inside: list[dict[str, Any]]) -> None:
        table = page.get_by_role("table", name=caption)
        names = METHODS if column == "method" else tuple(MODELS)
        expect(table.locator("tbody tr")).to_have_count(len(names))
        for name in names:
            votes = [row["coherent"] for row in inside if row[column] == name]
            low, high = wilson(sum(votes), len(votes))
            row = table.locator(f'tr[data-name="{name}"]')
            expect(row).to_have_attribute("data-count", str(sum(votes)))
            expect(row).to_have_attribute("data-total", str(len(votes)))
            found = row.evaluate("row => [row.dataset.share, row.dataset.low, row.dataset.high].map(Number)")
            assert found == pytest.approx([sum(votes) / len(votes), low, high], abs=1e-9)

    plot("By method, all models together", "method", rows)
    plot("By model, all methods together", "model", rows)
    for model in MODELS:
        plot(f"Methods on {model}", "method", [row for row in rows if row["model"] == model])

    pairs = [("methods", model, *two) for model in MODELS for two in combinations(METHODS, 2)]
    pairs += [("models", method, *two) for method in METHODS for two in combinations(MODELS, 2)]
    expected = {pair: paired(rows, *pair) for pair in pairs}
    table = page.get_by_role("region", name="Comparisons").locator("tbody tr")
    expect(table).to_have_count(len(pairs))
    for family in ("methods", "models"):
        of_family = [pair for pair in pairs if pair[0] == family]
        corrected = holm([expected[pair][1] for pair in of_family])
        for pair, corrected_p in zip(of_family, corrected, strict=True):
            row = page.locator(
                f'tr[data-family="{family}"][data-within="{pair[1]}"][data-first="{pair[2]}"][data-second="{pair[3]}"]'
            )
            found = row.evaluate(
                "row => [row.dataset.difference, row.dataset.mcnemar, row.dataset.mcnemarHolm].map(Number)"
            )
            assert found == pytest.approx([*expected[pair], corrected_p], abs=1e-9)


def paired(rows: list[dict[str, Any]], family: str, within: str, first: str, second: str) -> tuple[float, float]:
    """Mean difference over texts, and the exact McNemar p on the majorities of each text."""
    fixed, varied = ("model", "method") if family == "methods" else ("method", "model")
    votes: dict[str, dict[str, list[bool]]] = {first: defaultdict(list), second: defaultdict(list)}
    for row in rows:
        if row[fixed] == within and row[varied] in votes:
            votes[row[varied]][row["text"]].append(row["coherent"])
    shares = {name: {text: sum(each) / len(each) for text, each in of.items()} for name, of in votes.items()}
    texts = list(shares[first])
    difference = sum(shares[first][text] - shares[second][text] for text in texts) / len(texts)
    sides = [(shares[first][text], shares[second][text]) for text in texts]
    decided = [(one > 0.5, two > 0.5) for one, two in sides if one != 0.5 and two != 0.5]
    b, c = decided.count((True, False)), decided.count((False, True))
    tail = sum(comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c)
    return difference, min(1.0, 2 * tail)


def holm(values: list[float]) -> list[float]:
    """Holm (1979): the smallest times the number of tests, the next times one less, never falling."""
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = highest
    return corrected
