"""A real server with an empty store and a real Chromium, as a visitor meets them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

VIEWS = ("tree", "ladder", "graph", "interactions", "tokens")

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_FLAGS = ["--disable-background-networking", "--disable-component-update", "--disable-gpu", "--no-first-run"]

PATIENCE = 600_000
"""Milliseconds for all five views, even on a busy machine."""


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server of our own. Nothing is known to it yet, so every explanation is made, not looked up."""
    command = [str(Path(sys.executable).with_name("espalier")), "serve", "--host", "127.0.0.1", "--port", "0"]
    with (
        tempfile.TemporaryDirectory() as data,
        subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, encoding="utf-8", env={**os.environ, "ESPALIER_DATA": data}
        ) as process,
    ):
        assert process.stderr is not None
        address = next((found[1] for line in process.stderr if (found := _LISTENING.search(line))), None)
        # The rest of the log must go on being read, or the server would stop when the pipe is full.
        threading.Thread(target=process.stderr.read, daemon=True).start()
        try:
            if address is None:
                raise SystemExit("espalier serve ended before it listened: got no address, try `make run` to see why")
            _wait_until_ready(address)
            yield address
        finally:
            process.terminate()


_LISTENING = re.compile(r"running on (http://\S+)")


def _wait_until_ready(address: str) -> None:
    deadline = time.monotonic() + 300
    while httpx.get(f"{address}/health/ready", timeout=60).status_code != 200:
        if time.monotonic() > deadline:
            raise SystemExit("the server was not ready after five minutes")
        time.sleep(0.2)


@contextmanager
def chromium() -> Iterator[Browser]:
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS, chromium_sandbox=False)
        yield browser
        browser.close()


def open_workbench(
    browser: Browser, address: str, text: str, only: str | None = None, model: str | None = None
) -> Page:
    """The workbench on a text with all its views finished, or with one of them in full width."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    asked = {"text": text, "only": only, "model": model}
    page.goto(f"{address}/?{urlencode({name: value for name, value in asked.items() if value})}")
    for view in (only,) if only else VIEWS:
        page.locator(f".view-card[data-view={view}][aria-busy=false] .frame svg").first.wait_for()
    return page
