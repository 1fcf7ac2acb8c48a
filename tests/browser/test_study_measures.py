"""Measures beside people on the results page of a study: begun with a button, and the same numbers as over REST."""

import time
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.bench import keep
from tests.browser.participants import violations
from tests.lab.people.texts import TEXTS

pytestmark = pytest.mark.browser

DESIGN = {
    "title": "Do measures know?",
    "protocol": "coherence",
    "dataset": {"kind": "rows", "rows": [{"text": text} for text in TEXTS]},
    "models": ["sst2-cnn", "sst2-bow"],
    "methods": ["hedge", "leave-one-out"],
    "items": len(TEXTS),
    "votes": 4,
    "items_per_person": len(TEXTS),
    "attention_checks": 0,
    "minimum_milliseconds": 0,
    "seed": 5,
}


@pytest.fixture(scope="module")
def study(server: str) -> str:
    """Rehearsed: four simulated people have judged every item."""
    with httpx.Client(base_url=server, timeout=60) as client:
        made = client.post("/v1/studies", json=DESIGN)
        assert made.status_code == 201, made.text
        address = made.headers["location"]
        deadline = time.monotonic() + 300
        while client.get(address).json()["status"] == "preparing":
            assert time.monotonic() < deadline
            time.sleep(0.2)
        client.post(f"{address}/rehearsals", json={"people": 4, "error_rate": 0.2}).raise_for_status()
        while client.get(f"{address}/results?simulated=true").json()["answers"] < 4 * 4 * len(TEXTS):
            assert time.monotonic() < deadline
            time.sleep(0.2)
    return str(made.json()["id"])


def test_the_items_are_measured_and_stand_beside_the_answers(page: Page, server: str, study: str) -> None:
    page.goto(f"/studies/{study}?tab=results")
    card = page.get_by_role("region", name="Measures beside people")
    expect(card.get_by_text("It asks the models about at most")).to_be_visible()
    card.get_by_role("button", name="Measure the items").click()
    expect(card.locator("table.correlations")).to_have_count(2)
    found = httpx.get(f"{server}/v1/studies/{study}/measures?simulated=true", timeout=60).json()
    expect(card.locator(".finding")).to_have_text(found["says"])
    cells = card.locator("td[data-verdict]")
    expect(cells).to_have_count(len(found["correlations"]))
    drawn = cells.evaluate_all("cells => cells.map(({dataset}) => [dataset.rho, dataset.verdict])")
    told = [(each["correlation"]["rho"], each["verdict"]) for each in found["correlations"]]
    assert sorted((float(rho) if rho else None, verdict) for rho, verdict in drawn if rho) == sorted(
        (rho, verdict) for rho, verdict in told if rho is not None
    )
    name = found["measures"][0]["name"]
    measured = [item for item in found["items"] if item["model"] == "sst2-cnn" and item["values"].get(name) is not None]
    expect(card.locator("svg.scatter path.item")).to_have_count(len(measured))
    card.get_by_role("button", name="Model: sst2-cnn").click()
    page.get_by_role("menuitemradio", name="sst2-bow").click()
    expect(card.get_by_role("button", name="Model: sst2-bow")).to_be_visible()
    with page.expect_download() as download:
        card.get_by_role("link", name="Items and measures, CSV").click()
    assert download.value.path().read_text(encoding="utf-8").count("\n") == 1 + 4 * len(TEXTS)
    card.get_by_role("link", name="The run in the Lab").click()
    expect(page.get_by_role("heading", name="Study: Do measures know?")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("name", "width"), [("phone", 390), ("desk", 1280)])
def test_the_measures_fit_and_are_accessible(
    context: BrowserContext, artifacts: Path, study: str, scheme: str, name: str, width: int
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"/studies/{study}?tab=results")
    expect(page.locator("svg.scatter")).to_be_visible()
    keep(page, artifacts / f"study-measures-{name}-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
