"""`python -m benchmarks.interface [part …]`: measures the interface in Chromium and writes what it measured into docs/.

Traces are kept in test-artifacts/frames; Chromium's developer tools open them (Performance, Load profile).
"""

from collections.abc import Callable
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
from benchmarks.long_sentences import long_sentences
from benchmarks.sections import Section
from espalier.text import read

TRACES = Path(__file__).parents[2] / "test-artifacts" / "frames"


def main(
    parts: Annotated[list[str] | None, typer.Argument(help="Which parts to run; all without.")] = None,
    address: Annotated[str | None, typer.Option(help="A server that runs already; one is started without.")] = None,
) -> None:
    """Measure frames and waiting, say what came out, and write it down."""
    for part in parts or []:
        if part not in PARTS:
            raise SystemExit(f"unknown part: got {part!r}, possible are {', '.join(PARTS)}")
    console = Console()
    with chromium() as browser, nullcontext(address) if address else serving() as served:
        for part in parts or PARTS:
            run = pages.Run()
            section = PARTS[part](browser, served)
            report.show(console, section)
            if address is None:
                sheet.write(section, run)


def waiting(browser: Browser, address: str) -> Section:
    page = open_workbench(browser, address, WARMING_UP)
    waits: list[Waited] = [wait_for(page, text) for text in TWENTIES]
    page.close()
    return sheet.waiting_section(waits, median)


def waiting_for_long_sentences(browser: Browser, address: str) -> Section:
    page = open_workbench(browser, address, WARMING_UP)
    waits = [wait_for(page, text) for text in long_sentences()]
    page.close()
    return sheet.long_sentences_section(list(zip(map(words_of, long_sentences()), waits, strict=True)))


def words_of(text: str) -> int:
    return len(read(text).words)


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


PARTS: dict[str, Callable[[Browser, str], Section]] = {
    "waiting": waiting,
    "long-sentences": waiting_for_long_sentences,
    "next-words": waiting_for_words,
    "frames": frames,
}


if __name__ == "__main__":
    typer.run(main)
