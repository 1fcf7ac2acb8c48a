"""The picture is the number: what the marks say of themselves is what the API answers, to the last digit."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page
from tests.browser.bench import VIEWS, card, open_question, settle

pytestmark = pytest.mark.browser

BUDGET, SAMPLES = 1024, 1000
"""What the workbench asks for: see frontend/src/state/budgets.ts."""

SENTENCES = [
    ("sst2-minilm", "Not a good film."),
    ("sst2-minilm", "You won't find a kinder film."),
    ("sst2-bow", "The music is lovely, but the film is not heartwarming or entertaining."),
    ("sst2-bow", "Not one song fails to delight."),
    ("sst2-bow", "Dull, dull, dull."),
    ("sst2-cnn", "I loved the part where the credits rolled."),
    ("sst2-cnn", "A film with no surprises."),
    ("sst2-bow", "Ein Film über Liebe & Tod."),
    ("sst2-bow", "It is… fine?"),
    ("sst2-bow", "Nothing works; everything charms."),
]


def asked(server: str, model: str, text: str, method: str, parameters: dict[str, int]) -> dict[str, Any]:
    body = {"text": text, "model": model, "method": method, "parameters": parameters}
    answer = httpx.post(f"{server}/v1/explanations", json=body, headers={"Prefer": "wait=60"}, timeout=90)
    explanation: dict[str, Any] = answer.json()["explanation"]
    return explanation


def marks(frame: Locator, selector: str, *names: str) -> list[list[str]]:
    found: list[list[str]] = frame.locator(selector).evaluate_all(
        "(marks, names) => marks.map(mark => names.map(name => mark.dataset[name]))", list(names)
    )
    assert found, f"nothing drawn as {selector}"
    return found


def span(start: int, end: int) -> str:
    return f"{start}-{end}"


@pytest.mark.parametrize(("model", "text"), SENTENCES, ids=[text[:20] for _, text in SENTENCES])
def test_every_number_of_the_pictures_is_the_apis(page: Page, server: str, model: str, text: str) -> None:
    open_question(page, text, model=model)
    settle(page)
    frames = {view: card(page, view).locator(".frame") for view in VIEWS}

    tree = asked(server, model, text, "ls-tree", {})["result"]
    drawn = {place: float(value) for place, value in marks(frames["Tree"], "[data-node][data-value]", "span", "value")}
    expected = {
        span(node["start"], node["end"]): node["signed"] if node["children"] else tree["word_values"][node["start"]]
        for node in tree["nodes"]
    }
    assert drawn == expected

    ladder = asked(server, model, text, "hedge", {})["result"]
    blocks = {
        (level, place): float(value)
        for level, place, value in marks(
            frames["Ladder"], "[data-level][data-span][data-value]", "level", "span", "value"
        )
    }
    assert blocks
    for (level, place), value in blocks.items():
        spans = {
            span(part["start"], part["end"]): part["contribution"] for part in ladder["levels"][int(level)]["spans"]
        }
        assert spans[place] == value

    graph = asked(server, model, text, "asiv", {"budget": BUDGET})["result"]
    for node, value in marks(frames["Graph"], "[data-node][data-value]", "node", "value"):
        assert graph["values"][int(node)] == float(value)
    arrows = frames["Graph"].locator("[data-arrow]")
    for source, target, present, absent in arrows.evaluate_all(
        "all => all.map(({dataset}) => [dataset.from, dataset.to, dataset.value, dataset.absent])"
    ):
        assert graph["present"][int(source)][int(target)] == float(present)
        assert graph["absent"][int(source)][int(target)] == float(absent)

    levels = asked(server, model, text, "mahe", {"samples": SAMPLES})["result"]["levels"]
    rows = marks(frames["Interactions"], "[data-level][data-r2]", "level", "r2", "r2Error", "players", "value", "error")
    assert len(rows) == len(levels)
    for index, r2, r2_error, players, value, error in rows:
        level = levels[int(index)]
        assert (float(r2), float(r2_error)) == (level["r2_held_out"], level["r2_standard_error"])
        if level["terms"]:
            newest = level["terms"][-1]
            assert players == " ".join(map(str, newest["players"]))
            assert (float(value), float(error)) == (newest["contribution"], newest["standard_error"])

    tokens = asked(server, model, text, "shap", {"budget": BUDGET})["result"]["values"]
    bars = {place: float(value) for place, value in marks(frames["Tokens"], "[data-row][data-span]", "span", "value")}
    assert bars == {span(index, index + 1): value for index, value in enumerate(tokens)}
