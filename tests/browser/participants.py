"""A study as the people in it know it: come in, read, practise, answer; and one made for them without the pages."""

import time
from pathlib import Path
from typing import Any, TypedDict

import httpx
from playwright.sync_api import Page, expect

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"

READY = 120
"""Seconds that a small study may take to be prepared on a busy machine."""

TEXTS = (
    "A warm and funny film.",
    "The soup was cold and dull.",
    "Not a bad movie at all!",
    "I want my money back.",
    "She plays the part with joy.",
    "A long and tedious evening.",
)


class Screen(TypedDict):
    """What a person sees of one task."""

    task: str
    practice: bool
    text: str
    lines: list[list[str]]


READ_SCREEN = """form => ({
    task: form.dataset.task,
    practice: form.querySelector('button[type=submit]').textContent === 'Check',
    text: form.querySelector('.passage')?.textContent ?? '',
    lines: [...form.querySelectorAll('[data-line]')].map(line =>
        [line.dataset.line, line.querySelector('.shown-phrase')?.textContent ?? ''])
})"""


def make_study(server: str, **design: Any) -> str:
    """A published study, small and quick unless the design says otherwise; its id."""
    small: dict[str, Any] = {
        "title": "A small study",
        "protocol": "coherence",
        "dataset": {"kind": "rows", "rows": [{"text": text} for text in TEXTS]},
        "models": ["sst2-bow"],
        "methods": ["leave-one-out"],
        "items": len(TEXTS),
        "votes": 30,
        "items_per_person": 3,
        "attention_checks": 0,
        "practice": [],
        "minimum_milliseconds": 0,
    }
    with httpx.Client(base_url=server, timeout=60) as owner:
        created = owner.post("/v1/studies", json=small | design)
        assert created.status_code == 201, created.text
        study: str = created.json()["id"]
        deadline = time.monotonic() + READY
        while (status := owner.get(f"/v1/studies/{study}").json()["status"]) == "preparing":
            assert time.monotonic() < deadline, "the study was not prepared in time"
            time.sleep(0.1)
        assert status == "ready", owner.get(f"/v1/studies/{study}").text
        published = owner.post(f"/v1/studies/{study}/publish")
        assert published.json()["status"] == "published", published.text
    return study


def rows_of(server: str, study: str) -> list[dict[str, Any]]:
    """Every raw row of real people, and in `who` the name they came under."""
    answer = httpx.get(f"{server}/v1/studies/{study}/rows.json", params={"identities": "true"}, timeout=60)
    return [row | {"who": row["provider_id"].partition(":")[2]} for row in answer.raise_for_status().json()]


def arrived(server: str, study: str) -> int:
    count: int = httpx.get(f"{server}/v1/studies/{study}", timeout=60).json()["people"]["arrived"]
    return count


def come_in(page: Page, study: str, name: str) -> None:
    """To the first task, by the plain link."""
    page.goto(f"/s/{study}")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Continue").click()
    agree(page)


def agree(page: Page) -> None:
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("form.task")).to_be_visible()


def see(page: Page) -> Screen:
    screen: Screen = page.locator("form.task").evaluate(READ_SCREEN)
    return screen


def choose(page: Page, label: str) -> None:
    """On a screen with one line."""
    page.locator(".task label.choice", has_text=label).click()


def go_on(page: Page, before: str) -> None:
    """Press Next, and wait until the answer to the task `before` is kept and something else is shown."""
    page.get_by_role("button", name="Next").click()
    expect(page.locator(f'form.task[data-task="{before}"]')).to_have_count(0)


def answer_all(page: Page, label: str = "Positive") -> list[str]:
    """Answer every task that is left; their texts."""
    texts = []
    while page.locator("form.task").count() > 0:
        screen = see(page)
        texts.append(screen["text"])
        choose(page, label)
        go_on(page, screen["task"])
    expect(page.get_by_role("heading", name="All done.")).to_be_visible()
    return texts


def violations(page: Page) -> list[str]:
    """What axe finds wrong: rule, and where."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations)")
    return [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]
