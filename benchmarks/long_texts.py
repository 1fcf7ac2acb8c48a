"""`python -m benchmarks.long_texts`: long reviews in Chromium, from the click to the first level and down into it."""

import time
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from playwright.sync_api import Page
from rich.console import Console

from benchmarks.interface.browser import PATIENCE, VIEWS, chromium, open_workbench, serving
from benchmarks.interface.waiting import wait_for
from benchmarks.report import show
from benchmarks.reviews import reviews
from benchmarks.sections import Rows, Section, Target, keep

FIRST_WITHIN, ALL_WITHIN, STEP_WITHIN = 2.0, 10.0, 5.0
WARMING_UP = "The plot is thin, but the leads are charming."


def main(
    texts: Annotated[Path | None, typer.Option(help="A file of reviews, one a line; our own without.")] = None,
    count: Annotated[int, typer.Option(help="How many reviews.")] = 10,
) -> None:
    """Measure, say what came out, and keep it for the page."""
    chosen = reviews(texts, count)
    rows: list[tuple[int, float, float, float, float]] = []
    with chromium() as browser, serving() as address:
        page = open_workbench(browser, address, WARMING_UP)
        page.set_default_timeout(PATIENCE)
        for text in chosen:
            waited = wait_for(page, text)
            sentence = step(page, ".level-text .part[data-kind=sentence], .level-text .part[data-kind=passage]")
            phrase = step(page, ".open-part .part:is([data-kind=phrase], [data-kind=sentence])")
            rows.append((len(text.split()), waited.first_picture, waited.all_views, sentence, phrase))
    found = section(rows)
    show(Console(), found)
    if texts is None and count >= 10:
        keep("long-texts", found)


def step(page: Page, parts: str) -> float:
    """Open the longest of these parts; seconds until all five views show what is in it."""
    found = page.locator(parts)
    lengths = found.evaluate_all("parts => parts.map(part => part.textContent.length)")
    if not lengths:
        return 0.0
    before = page.url
    began = time.perf_counter()
    found.nth(lengths.index(max(lengths))).click()
    page.wait_for_function("before => location.href !== before", arg=before)
    for view in VIEWS:
        page.locator(f".view-card[data-view={view}][aria-busy=false] .frame[data-stale=false] svg").first.wait_for()
    return time.perf_counter() - began


def section(rows: list[tuple[int, float, float, float, float]]) -> Section:
    table = Rows(
        "seconds",
        ("words", "first picture", "all five views", "a sentence opened", "a phrase of it opened"),
        [(str(words), *(f"{each:.2f}" for each in times)) for words, *times in rows],
    )
    first, whole = [row[1] for row in rows], [row[2] for row in rows]
    steps = [each for row in rows for each in row[3:]]

    def target(claim: str, wanted: float, got: list[float]) -> Target:
        return Target(claim, f"≤ {wanted:g} s", f"{max(got):.1f} s (median {median(got):.1f})", max(got) <= wanted)

    return Section(
        "Long texts, level by level",
        "Reviews that the server has not seen, in Chromium with the shipped transformer: from the click on Explain to "
        "the first picture and to all five views of the first level; then from the click on the longest sentence, and "
        "on the longest phrase in it, to all five views of what is in them.",
        [table],
        [
            target("first picture", FIRST_WITHIN, first),
            target("all five views of the first level", ALL_WITHIN, whole),
            target("every step into it", STEP_WITHIN, steps),
        ],
    )


if __name__ == "__main__":
    typer.run(main)
