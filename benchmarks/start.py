"""`python -m benchmarks.start`: from `espalier serve` to the first picture, phase by phase."""

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Annotated

import httpx
import typer
from playwright.sync_api import Browser
from rich.console import Console

from benchmarks.interface.browser import PATIENCE, VIEWS, chromium
from benchmarks.report import show
from benchmarks.sections import Rows, Section, Target, keep

WITHIN = 4.0
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
    runs: Annotated[int, typer.Option(help="Starts, one after the other; all but the first are warm.")] = 3,
) -> None:
    """Measure, say what came out, and keep it for the page."""
    with chromium() as browser:
        started = [start(browser) for _ in range(runs)]
    found = section(started)
    show(Console(), found)
    if runs >= 3:
        keep("start", found)


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


def section(started: list[dict[str, float]]) -> Section:
    names = ["cold or not", *(f"warm {number}" for number in range(1, len(started)))]
    warm = started[1:] or started
    best = min(each["first picture"] for each in warm)
    return Section(
        "Start",
        "Seconds from the command `espalier serve` with an empty store to each phase; the browser runs already and "
        "opens the page as soon as the server listens. The parser is asked for last, and loaded behind the first "
        "answers.",
        [
            Rows(
                "seconds",
                ("phase", *names[: len(started)]),
                [(phase, *(f"{each[phase]:.2f}" for each in started)) for phase in PHASES],
            )
        ],
        [Target("first picture, warm", f"≤ {WITHIN:g} s", f"{best:.1f} s", best <= WITHIN)],
    )


if __name__ == "__main__":
    typer.run(main)
