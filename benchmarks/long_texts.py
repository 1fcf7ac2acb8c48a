"""`python -m benchmarks.long_texts`: long reviews in Chromium, from the click to the first level and down to words.

A few reviews show that it works: `--count 1`. Ten of our own are written into docs/interface-speed.md.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from playwright.sync_api import Page
from rich.console import Console

from benchmarks import pages, report
from benchmarks.interface import page as sheet
from benchmarks.interface.browser import PATIENCE, VIEWS, chromium, open_workbench, serving
from benchmarks.interface.waiting import wait_for
from benchmarks.reviews import LONGEST, SHORTEST, reviews
from benchmarks.sections import Rows, Section, Target

FIRST_WITHIN, ALL_WITHIN, STEP_WITHIN = 2.0, 10.0, 5.0
ENOUGH = 10
"""Reviews of a run that is written down."""

KINDS = ("passage", "sentence", "phrase")
"""What opens, from the top. A word does not."""

WARMING_UP = "The plot is thin, but the leads are charming."

INNERMOST = ":is(.level-text, .open-part):not(:has(.open-part)) > .part"


@dataclass(frozen=True, slots=True)
class Step:
    """Something was opened: what it was, and seconds until all five views showed its parts."""

    kind: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Walk:
    """One review, from the click on Explain down to the words of a phrase."""

    words: int
    first_picture: float
    all_views: float
    steps: tuple[Step, ...]

    def of(self, kind: str) -> list[float]:
        return [step.seconds for step in self.steps if step.kind == kind]


def main(
    texts: Annotated[Path | None, typer.Option(help="A file of reviews, one a line; our own without.")] = None,
    count: Annotated[int, typer.Option(help="How many reviews.")] = ENOUGH,
) -> None:
    """Measure, say what came out, and write it down."""
    run, chosen = pages.Run(), reviews(texts, count)
    with chromium() as browser, serving() as address:
        page = open_workbench(browser, address, WARMING_UP)
        page.set_default_timeout(PATIENCE)
        walks = [walk(page, text) for text in chosen]
    found = section(walks)
    report.show(Console(), found)
    if texts is None and count >= ENOUGH:
        sheet.write(found, run)


def walk(page: Page, text: str) -> Walk:
    """Into the longest part of every level, until there are only words."""
    waited = wait_for(page, text)
    steps: list[Step] = []
    while (taken := step(page)) is not None:
        steps.append(taken)
    if not steps:
        raise SystemExit(f"nothing to open: got a text of {len(text.split())} words, possible are those with levels")
    return Walk(len(text.split()), waited.first_picture, waited.all_views, tuple(steps))


def step(page: Page) -> Step | None:
    """Open the longest part of what is open; None where its parts are words."""
    parts = page.locator(INNERMOST)
    parts.first.wait_for()
    kinds, lengths = parts.evaluate_all(
        "parts => [parts.map(part => part.dataset.kind), parts.map(part => part.textContent.length)]"
    )
    # A sentence may be one word long; a word among phrases does not open.
    opening = [place for place, kind in enumerate(kinds) if kind != "word"]
    if not opening:
        return None
    place = max(opening, key=lambda each: int(lengths[each]))
    depth = page.locator(".open-part").count()
    began = time.perf_counter()
    parts.nth(place).click()
    # The part comes open when its values are there; views that had not begun by then would look finished.
    page.wait_for_function("depth => document.querySelectorAll('.open-part').length > depth", arg=depth)
    for view in VIEWS:
        page.locator(f".view-card[data-view={view}][aria-busy=false] .frame[data-stale=false] svg").first.wait_for()
    return Step(kinds[place], time.perf_counter() - began)


def section(walks: Sequence[Walk]) -> Section:
    """What did not happen is no time: a kind of step that no review has leaves its mark unmet."""
    table = Rows(
        "seconds to the first level, and into a part of each kind",
        ("words", "first picture", "five views", *KINDS, "steps"),
        [
            (
                str(each.words),
                f"{each.first_picture:.2f}",
                f"{each.all_views:.2f}",
                *(f"{max(each.of(kind)):.2f}" if each.of(kind) else "" for kind in KINDS),
                str(len(each.steps)),
            )
            for each in walks
        ],
    )

    def target(claim: str, wanted: float, got: list[float], missing: Sequence[str] = ()) -> Target:
        said = f"{max(got):.1f} s (median {median(got):.1f})" if got else "nothing measured"
        said += "".join(f", no {kind} was opened" for kind in missing)
        return Target(claim, f"≤ {wanted:g} s", said, bool(got) and not missing and max(got) <= wanted)

    lengths = [each.words for each in walks]
    steps = [step.seconds for each in walks for step in each.steps]
    missing = [kind for kind in KINDS if not any(each.of(kind) for each in walks)]
    return Section(
        "Long texts, level by level",
        f"{len(walks)} reviews of {min(lengths)} to {max(lengths)} words that the server has not seen, in Chromium "
        "with the shipped transformer: from the click on Explain to the first picture and to all five views of the "
        "first level; then down to the words of a phrase, from each click on the longest part of what is open to all "
        "five views of what is in it. Where several of a kind were opened, the slowest stands here.",
        [table],
        [
            target(f"first picture of {SHORTEST} to {LONGEST} words", FIRST_WITHIN, [e.first_picture for e in walks]),
            target("all five views of the first level", ALL_WITHIN, [each.all_views for each in walks]),
            target("every step into it, down to words", STEP_WITHIN, steps, missing),
        ],
    )


if __name__ == "__main__":
    typer.run(main)
