"""A real server and a real Chromium, as a visitor meets them."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ARTIFACTS = Path(__file__).parents[2] / "test-artifacts"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# Chromium would otherwise look for updates and other services of its maker; the tests need no network but the server.
CHROMIUM_FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]

PATIENCE = 60_000
"""Milliseconds to wait for anything, even on a busy machine."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def artifacts() -> Path:
    """Where screenshots and logs are kept after the run."""
    ARTIFACTS.mkdir(exist_ok=True)
    return ARTIFACTS


@pytest.fixture(scope="session")
def server(artifacts: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of `espalier serve` with nothing kept from before."""
    with serving(artifacts / "server.log", tmp_path_factory.mktemp("data")) as address:
        yield address


@contextmanager
def serving(log: Path, data: Path, *more: str) -> Iterator[str]:
    """Address of `espalier serve`, running as a process of its own on a free port; `more` are further arguments."""
    command = [str(Path(sys.executable).with_name("espalier")), "serve", "--host", "127.0.0.1", "--port", "0", *more]
    with (
        log.open("w", encoding="utf-8") as kept,
        subprocess.Popen(
            command,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=os.environ | {"ESPALIER_DATA": str(data)},
        ) as process,
    ):
        assert process.stderr is not None
        address = None
        for line in process.stderr:
            kept.write(line)
            if found := re.search(r"running on (http://\S+)", line):
                address = found[1]
                break
        # The rest of the log must go on being read, or the server would stop when the pipe is full.
        rest = threading.Thread(target=lambda: kept.writelines(process.stderr), daemon=True)
        rest.start()
        try:
            if address is None:
                rest.join()
                kept.flush()
                pytest.fail(f"espalier serve ended before it listened:\n{log.read_text(encoding='utf-8')}")
            wait_until_ready(address)
            yield address
        finally:
            process.terminate()
            rest.join()


def wait_until_ready(address: str) -> None:
    """Models load after the port opens, and how long that takes is not what the tests are about."""
    deadline = time.monotonic() + 300
    while httpx.get(f"{address}/health/ready", timeout=60).status_code != 200:
        assert time.monotonic() < deadline, "the server was not ready after five minutes"
        time.sleep(0.2)


# One for each module, not for the session: while it is open, Playwright keeps an event loop running in this thread, and
# asynchronous tests elsewhere could not start theirs.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium where there is one, else the one Playwright downloaded (see chromium.sh)."""
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=CHROMIUM_FLAGS, chromium_sandbox=False, timeout=PATIENCE
        )
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser, server: str) -> Iterator[BrowserContext]:
    """A fresh visitor whose browser reaches nothing but the server."""
    context = browser.new_context(base_url=server, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    context.route(lambda url: not url.startswith((server, "data:", "blob:")), lambda route: route.abort())
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails its test when a script fails or the console says so."""
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    assert not faults, f"scripts of the page failed: {faults}"
