"""`python -m benchmarks.start`: from `espalier serve` to the first picture, phase by phase.

One start shows that it works: `--runs 1`. Five or more are written into docs/interface-speed.md.
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Annotated

import httpx
import typer
from playwright.sync_api import Browser
from rich.console import Console

from benchmarks import pages, report
from benchmarks.interface import page as sheet
from benchmarks.interface.browser import PATIENCE, VIEWS, chromium
from benchmarks.sections import Rows, Section, Target

WITHIN = 4.0
ENOUGH = 5
"""Starts of a run that is written down."""

LISTENING = re.compile(r"running on (http://\S+)")
PHASES = (
    "the server listens",
    "the page is there",
    "the model answers",
    "first picture",
    "all five views",
    "the parser",
)


def main(
    runs: Annotated[int, typer.Option(help="Starts, one after the other; all but the first are warm.")] = ENOUGH,
) -> None:
    """Measure, say what came out, and write it down."""
    run = pages.Run()
    with chromium() as browser:
        started = [start(browser) for _ in range(runs)]
    found = section(started)
    report.show(Console(), found)
    if runs >= ENOUGH:
        sheet.write(found, run)


def start(browser: Browser) -> dict[str, float]:
    """Seconds from the command to each phase. The page is opened as soon as the server listens, as a visitor would."""
    command = [str(Path(sys.executable).with_name("espalier")), "serve", "--host", "127.0.0.1", "--port", "0"]
    reached: dict[str, float] = {}
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as data,
        subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, encoding="utf-8", env={**os.environ, "ESPALIER_DATA": data}
        ) as process,
    ):
        assert process.stderr is not None
        try:
            address = next(found[1] for line in process.stderr if (found := LISTENING.search(line)))
            reached["the server listens"] = time.perf_counter() - began
            threading.Thread(target=process.stderr.read, daemon=True).start()
            ready = threading.Thread(target=_until_ready, args=(address, began, reached))
            ready.start()
            _look(browser, address, began, reached)
            ready.join()
            httpx.post(f"{address}/v1/trees", json={"text": "A parse."}, timeout=120).raise_for_status()
            reached["the parser"] = time.perf_counter() - began
        finally:
            process.terminate()
    return reached


def _until_ready(address: str, began: float, reached: dict[str, float]) -> None:
    while httpx.get(f"{address}/health/ready", timeout=60).status_code != 200:
        time.sleep(0.02)
    reached["the model answers"] = time.perf_counter() - began


def _look(browser: Browser, address: str, began: float, reached: dict[str, float]) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(address, wait_until="commit")
    page.locator("#sentence").wait_for()
    reached["the page is there"] = time.perf_counter() - began
    page.locator(".view-card .frame svg").first.wait_for()
    reached["first picture"] = time.perf_counter() - began
    for view in VIEWS:
        page.locator(f".view-card[data-view={view}][aria-busy=false] .frame svg").first.wait_for()
    reached["all five views"] = time.perf_counter() - began
    page.close()


def section(started: Sequence[dict[str, float]]) -> Section:
    """The first start reads the disk, or not: nobody knows what the machine had in memory. The others are warm."""
    warm = started[1:]
    columns = {"first": started[0]}
    if warm:
        columns["warm, median"] = {phase: median(each[phase] for each in warm) for phase in PHASES}
        columns["warm, slowest"] = {phase: max(each[phase] for each in warm) for phase in PHASES}
    rows = [(phase, *(f"{column[phase]:.2f}" for column in columns.values())) for phase in PHASES]
    found = [each["first picture"] for each in warm]
    got = f"{median(found):.1f} s in the middle, {max(found):.1f} s at the slowest" if found else "no warm start"
    return Section(
        "Start",
        "Seconds from the command `espalier serve` with an empty store to each phase; the browser runs already and "
        f"opens the page as soon as the server listens. {len(started)} starts one after the other: the first, and the "
        "median and the slowest of the others. The parser is asked for last, and loaded behind the first answers.",
        [Rows("seconds", ("phase", *columns), rows)],
        [Target("first picture, warm", f"≤ {WITHIN:g} s", got, bool(found) and median(found) <= WITHIN)],
    )


if __name__ == "__main__":
    typer.run(main)
