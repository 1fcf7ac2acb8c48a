"""`python -m benchmarks.interface`: measures the interface in Chromium and writes what it measured into docs/.

Traces are kept in test-artifacts/frames; Chromium's developer tools open them (Performance, Load profile).
"""

from contextlib import nullcontext
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from playwright.sync_api import Browser
from rich.console import Console

from benchmarks import pages, report
from benchmarks.interface import page as sheet
from benchmarks.interface.browser import VIEWS, chromium, open_workbench, serving
from benchmarks.interface.frames import Frames, pointing, typing
from benchmarks.interface.sentences import SIXTY, TWELVES, TWENTIES, WARMING_UP, WARMING_UP_WORDS
from benchmarks.interface.waiting import Waited, wait_for
from benchmarks.sections import Section

TRACES = Path(__file__).parents[2] / "test-artifacts" / "frames"


def main(
    address: Annotated[str | None, typer.Option(help="A server that runs already; one is started without.")] = None,
    clock: Annotated[bool, typer.Option(help="Whether to measure the time to the pictures as well.")] = True,
    words_only: Annotated[bool, typer.Option("--words-only", help="Nothing but a language model's pictures.")] = False,
) -> None:
    """Measure frames and waiting, say what came out, and write it down."""
    console, run = Console(), pages.Run()
    with chromium() as browser, nullcontext(address) if address else serving() as served:
        sections = [waiting(browser, served)] if clock and not words_only else []
        sections += [waiting_for_words(browser, served)] if clock else []
        sections += [] if words_only else [frames(browser, served)]
    for section in sections:
        report.show(console, section)
        if address is None:
            pages.write(sheet.PAGE, sheet.OPENING, section, run)


def waiting(browser: Browser, address: str) -> Section:
    page = open_workbench(browser, address, WARMING_UP)
    waits: list[Waited] = [wait_for(page, text) for text in TWENTIES]
    page.close()
    return sheet.waiting_section(waits, median)


def waiting_for_words(browser: Browser, address: str) -> Section:
    """The first use makes the model ready, which is not what is measured."""
    page = open_workbench(browser, address, WARMING_UP_WORDS, model="smollm2")
    waits = [wait_for(page, text) for text in TWELVES]
    page.close()
    return sheet.words_section(waits, median)


def frames(browser: Browser, address: str) -> Section:
    measured: list[tuple[str, Frames]] = []
    page = open_workbench(browser, address, SIXTY)
    measured.append(("typing, all five on the page", typing(browser, page, TRACES / "typing-all.json")))
    for view in VIEWS:
        trace = TRACES / f"pointing-{view}-of-five.json"
        measured.append((f"pointing at {view}, all five on the page", pointing(browser, page, view, trace)))
    page.close()
    for view in VIEWS:
        page = open_workbench(browser, address, SIXTY, only=view)
        trace = TRACES / f"pointing-{view}.json"
        measured.append((f"pointing at {view} alone", pointing(browser, page, view, trace)))
        page.close()
    return sheet.frames_section(measured)


if __name__ == "__main__":
    typer.run(main)
