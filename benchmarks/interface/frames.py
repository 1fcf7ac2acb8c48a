"""Frames while one points and types: counted in the page, and explained by Chromium's own trace."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page

SECONDS = 3.0
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline", "devtools.timeline.frame", "toplevel"]
TYPED = " It stays with you for days, and that is more than most can say."

RECORD = """() => {
  const times = [];
  let going = true;
  const tick = (time) => { times.push(time); if (going) requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
  window.endFrames = () => { going = false; return times; };
}"""

MARKS = """(selector) => [...document.querySelectorAll(selector)].flatMap((mark) => {
  const { x, y, width, height } = mark.getBoundingClientRect();
  const [left, top] = [x + width / 2, y + height / 2];
  const inside = left > 0 && left < innerWidth && top > 0 && top < innerHeight;
  return inside && width > 0 ? [[left, top]] : [];
})"""


@dataclass(frozen=True, slots=True)
class Frames:
    """How a few seconds of use went."""

    per_second: float
    """Frames the page was asked for, a second."""

    slowest: float
    """Milliseconds between two frames that 95 % of them stay below."""

    longest_task: float
    """Milliseconds of processor time of the longest task on the page's thread: what the page itself holds up."""

    work: float
    """Milliseconds of processor time of the page's thread for each frame, on average: hardly changed by other load."""


def pointing(browser: Browser, page: Page, view: str, trace: Path) -> Frames:
    """Sweep over the marks of a picture, a new one about every frame, and watch all pictures answer."""
    page.locator(f".view-card[data-view={view}]").scroll_into_view_if_needed()
    page.locator(f".view-card[data-view={view}] .frame").evaluate("frame => frame.scrollIntoView({block: 'center'})")
    places = page.evaluate(MARKS, f".view-card[data-view={view}] .frame [data-span]")
    if not places:
        raise SystemExit(f"nothing to point at in {view}: got no marks with data-span")

    def sweep() -> None:
        ends, step = time.monotonic() + SECONDS, 0
        while time.monotonic() < ends:
            # Every third mark: neighbours often share a place, and a hand does not stop at each.
            x, y = places[(step * 3) % len(places)]
            page.mouse.move(x, y)
            step += 1

    return _measured(browser, page, sweep, trace)


def typing(browser: Browser, page: Page, trace: Path) -> Frames:
    """Write in the sentence box, a key every 40 ms, with whatever pictures are on the page."""
    box = page.locator("#sentence")
    box.focus()
    page.keyboard.press("Control+End")
    return _measured(browser, page, lambda: page.keyboard.type(TYPED, delay=40), trace)


def _measured(browser: Browser, page: Page, act: Callable[[], None], trace: Path) -> Frames:
    browser.start_tracing(page=page, categories=TRACED)
    page.evaluate(RECORD)
    act()
    times = np.array(page.evaluate("window.endFrames()"))
    content = browser.stop_tracing()
    trace.parent.mkdir(parents=True, exist_ok=True)
    trace.write_bytes(content)
    between = np.diff(times)
    tasks = _page_tasks(json.loads(content)["traceEvents"])
    return Frames(
        1000 / between.mean(), float(np.percentile(between, 95)), max(tasks) / 1000, sum(tasks) / 1000 / len(times)
    )


def _page_tasks(events: list[dict[str, Any]]) -> list[float]:
    """Processor time of every task on the page's thread, in microseconds."""
    mains = {(e["pid"], e["tid"]) for e in events if e.get("args", {}).get("name") == "CrRendererMain"}
    tasks: dict[tuple[int, int], list[float]] = {}
    for event in events:
        thread = (event["pid"], event["tid"])
        if event["name"] == "RunTask" and "dur" in event and thread in mains:
            tasks.setdefault(thread, []).append(event.get("tdur", event["dur"]))
    # The page measured is the one that worked; others of the same browser are idle.
    return max(tasks.values(), key=sum)
