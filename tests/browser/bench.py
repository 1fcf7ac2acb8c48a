"""The workbench as a visitor's hands know it: open a question, wait until it is answered, find a view."""

import json
import re
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

VIEWS = ("Tree", "Ladder", "Graph", "Interactions", "Tokens")
FIRST = "The music is lovely, but the film is not heartwarming or entertaining."
SHORT = "Not a good film."
REVIEW = (
    "I went in expecting nothing and left with my mouth open. The first half hour is slow, and the music does not help "
    "at all. But then the daughter comes home, and from that scene on the film never puts a foot wrong. Every line she "
    "says is funny and sad at once. I have not seen a better performance this year. There are faults."
)


def open_question(page: Page, text: str | None = None, **question: object) -> None:
    """Open the workbench, at a question if one is given; `only="tokens"` keeps a test about something else quick."""
    asked = ({} if text is None else {"text": text}) | {
        name.replace("_with", ".with"): value if isinstance(value, str) else json.dumps(value)
        for name, value in question.items()
    }
    page.goto("/?" + urlencode(asked) if asked else "/")


def card(page: Page, view: str) -> Locator:
    return page.get_by_role("region", name=view, exact=True)


def settle(page: Page, *views: str) -> None:
    """Wait until these views (all, unless named) show a finished explanation."""
    for view in views or VIEWS:
        expect(card(page, view)).to_have_attribute("aria-busy", "false")
        expect(card(page, view).locator(".provenance").first).to_be_visible()


def values(frame: Locator, marks: str) -> dict[str, float]:
    """What the marks of a picture say of themselves: data-span to data-value."""
    found: list[list[str]] = frame.locator(marks).evaluate_all(
        "marks => marks.map(mark => [mark.dataset.span, mark.dataset.value])"
    )
    return {span: float(value) for span, value in found}


def save(page: Page, view: str, format_name: str, folder: Path) -> Path:
    """Save a view from its menu; where the file went."""
    card(page, view).get_by_role("button", name=re.compile("^Save")).click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name=re.compile(f"^{format_name}")).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def keep(page: Page, path: Path) -> None:
    """A screenshot of the whole page as one tall screen, so that nothing that sticks to an edge lies over the rest."""
    size = page.viewport_size
    assert size is not None
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": size["width"], "height": min(8000, max(size["height"], height))})
    page.screenshot(path=path)
    page.set_viewport_size(size)
