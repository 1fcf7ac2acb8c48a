"""One person in a study: nothing they do, and nothing that happens to their browser, loses or doubles an answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from tests.browser.bench import keep
from tests.browser.participants import (
    agree,
    arrived,
    choose,
    come_in,
    go_on,
    make_study,
    rows_of,
    see,
    violations,
)

pytestmark = pytest.mark.browser

ANSWERS = "**/v1/session/answers"


@pytest.fixture(scope="module")
def study(server: str) -> str:
    return make_study(server)


@pytest.fixture(scope="module")
def practised(server: str) -> str:
    """With the practice that comes with a study."""
    return make_study(server, practice=None, methods=["leave-one-out", "hedge"], items_per_person=1)


@pytest.fixture
def phone(browser: Browser, server: str) -> Iterator[Page]:
    """Another device of the same person."""
    context = browser.new_context(
        base_url=server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark"
    )
    yield context.new_page()
    context.close()


def of(server: str, study: str, name: str) -> list[tuple[str, str]]:
    """What is kept of somebody: text and answer."""
    return [(row["text"], row["answer"]) for row in rows_of(server, study) if row["who"] == name]


def test_a_refresh_goes_on_where_it_stopped(page: Page, server: str, study: str) -> None:
    come_in(page, study, "refreshing")
    first = see(page)
    choose(page, "Negative")
    go_on(page, first["task"])
    second = see(page)
    page.reload()
    expect(page.locator("form.task")).to_be_visible()
    assert see(page) == second
    assert of(server, study, "refreshing") == [(first["text"], "negative")]


def test_another_device_goes_on_with_the_same_name(page: Page, phone: Page, study: str) -> None:
    come_in(page, study, "moving")
    first = see(page)
    choose(page, "Positive")
    go_on(page, first["task"])
    phone.goto(f"/s/{study}")
    phone.get_by_label("Your name").fill("Moving")
    phone.get_by_role("button", name="Continue").click()
    phone.get_by_role("button", name="Yes, go on").click()
    expect(phone.locator("form.task")).to_be_visible()
    assert see(phone) == see(page)


def test_another_device_goes_on_with_the_copied_address(page: Page, phone: Page, study: str) -> None:
    come_in(page, study, "copying")
    phone.goto(page.url)
    expect(phone.locator("form.task")).to_be_visible()
    assert see(phone) == see(page)


def test_the_same_name_is_never_let_in_as_a_second_person(page: Page, phone: Page, server: str, study: str) -> None:
    come_in(page, study, "twice")
    before = arrived(server, study)
    phone.goto(f"/s/{study}")
    phone.get_by_label("Your name").fill("twice")
    phone.get_by_role("button", name="Continue").click()
    expect(phone.get_by_role("heading", name="Is that you?")).to_be_visible()
    phone.get_by_role("button", name="No, use another name").click()
    expect(phone.get_by_label("Your name")).to_be_visible()
    assert arrived(server, study) == before


def test_a_double_click_answers_once(page: Page, server: str, study: str) -> None:
    come_in(page, study, "doubling")
    first = see(page)
    choose(page, "Positive")
    page.get_by_role("button", name="Next").dblclick()
    expect(page.locator(f'form.task[data-task="{first["task"]}"]')).to_have_count(0)
    expect(page.locator(".progress-words")).to_have_text("2 of 3")
    assert of(server, study, "doubling") == [(first["text"], "positive")]


def test_of_two_tabs_the_first_answer_counts_and_both_go_on(page: Page, server: str, study: str) -> None:
    come_in(page, study, "tabbing")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("form.task")).to_be_visible()
    first = see(page)
    assert see(other) == first
    choose(page, "Positive")
    choose(other, "Negative")
    go_on(page, first["task"])
    go_on(other, first["task"])
    assert see(other) == see(page)
    assert of(server, study, "tabbing") == [(first["text"], "positive")]


def test_the_back_button_does_not_bring_an_answered_task_back(page: Page, server: str, study: str) -> None:
    page.goto("/health/live")
    come_in(page, study, "going back")
    first = see(page)
    choose(page, "Positive")
    go_on(page, first["task"])
    second = see(page)
    page.go_back()
    page.go_forward()
    expect(page.locator(f'form.task[data-task="{second["task"]}"]')).to_be_visible()
    assert of(server, study, "going back") == [(first["text"], "positive")]


def test_an_answer_that_cannot_be_sent_is_tried_again_until_it_is_saved(
    page: Page, server: str, study: str, artifacts: Path
) -> None:
    come_in(page, study, "cut off")
    first = see(page)
    page.route(ANSWERS, lambda route: route.abort())
    choose(page, "Negative")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("status")).to_contain_text("Could not save: trying again")
    keep(page, artifacts / "annotator-could-not-save.png")
    assert see(page)["task"] == first["task"]
    assert of(server, study, "cut off") == []
    page.unroute(ANSWERS)
    expect(page.locator(f'form.task[data-task="{first["task"]}"]')).to_have_count(0)
    assert of(server, study, "cut off") == [(first["text"], "negative")]


def test_an_answer_on_its_way_survives_closing_the_page(page: Page, server: str, study: str) -> None:
    come_in(page, study, "in a hurry")
    first = see(page)
    page.route(ANSWERS, lambda route: route.abort())
    choose(page, "Negative")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("status")).to_contain_text("trying again")
    page.unroute(ANSWERS)
    page.reload()
    expect(page.locator("form.task")).to_be_visible()
    assert see(page)["task"] != first["task"]
    assert of(server, study, "in a hurry") == [(first["text"], "negative")]


def test_a_lost_reply_does_not_make_a_second_answer(page: Page, server: str, study: str) -> None:
    come_in(page, study, "unheard")
    first = see(page)

    lost: list[str] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().text())
            route.abort()

    page.route(ANSWERS, lose)
    choose(page, "Positive")
    go_on(page, first["task"])
    assert len(lost) == 1
    assert of(server, study, "unheard") == [(first["text"], "positive")]


def test_a_whole_study_can_be_done_with_the_keyboard(page: Page, server: str, study: str) -> None:
    page.goto(f"/s/{study}")
    page.get_by_label("Your name").press_sequentially("typing")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="I agree").press("Enter")
    expect(page.get_by_role("heading", name="How it works")).to_be_visible()
    page.keyboard.press("Enter")
    texts = []
    for key in ("1", "2", "3"):
        expect(page.locator(".progress-words")).to_have_text(f"{key} of 3")
        texts.append(see(page)["text"])
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done.")).to_be_visible()
    assert of(server, study, "typing") == list(zip(texts, ("negative", "positive", "n/a"), strict=True))


def test_whoever_does_not_agree_is_asked_nothing(page: Page, server: str, study: str) -> None:
    page.goto(f"/s/{study}")
    page.get_by_label("Your name").fill("unwilling")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="I do not want to").click()
    expect(page.get_by_text("no answer of yours was recorded")).to_be_visible()
    assert of(server, study, "unwilling") == []


def test_an_annotator_finds_no_menu_and_no_other_page(page: Page, study: str) -> None:
    come_in(page, study, "curious")
    assert page.get_by_role("link").count() == 0
    assert page.get_by_role("navigation").count() == 0


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")])
def test_every_page_fits_and_is_accessible(
    context: BrowserContext, practised: str, artifacts: Path, width: int, scheme: str
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]

    def look(name: str) -> None:
        keep(page, artifacts / f"annotator-{name}-{width}-{scheme}.png")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []

    page.goto(f"/s/{practised}")
    page.get_by_label("Your name").fill(f"{width} {scheme}")
    look("name")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="I agree")).to_be_visible()
    look("consent")
    page.get_by_role("button", name="I agree").click()
    expect(page.get_by_text("Example")).to_be_visible()
    look("instructions")
    page.get_by_role("button", name="Try it").click()
    while True:
        expect(page.locator("form.task")).to_be_visible()
        screen = see(page)
        if not screen["practice"]:
            break
        look("practice")
        for letter, _ in screen["lines"]:
            page.locator(f'[data-line="{letter}"] label.choice').first.click()
        page.get_by_role("button", name="Check").click()
        expect(page.locator(".feedback")).to_be_visible()
        look("feedback")
        page.get_by_role("button", name="Continue").click()
    look("task")
    for letter, _ in screen["lines"]:
        page.locator(f'[data-line="{letter}"] label.choice').first.click()
    go_on(page, screen["task"])
    expect(page.get_by_role("heading", name="All done.")).to_be_visible()
    look("thanks")


def test_two_explanations_are_compared_side_by_side(page: Page, server: str, artifacts: Path) -> None:
    study = make_study(
        server, protocol="preference", methods=["leave-one-out", "hedge"], votes=3, attention_checks=0, practice=[]
    )
    page.goto(f"/s/{study}")
    page.get_by_label("Your name").fill("comparing")
    page.get_by_role("button", name="Continue").click()
    agree(page)
    expect(page.locator("mark").first).to_be_visible()
    page.keyboard.press("2")
    keep(page, artifacts / "annotator-preference.png")
    assert violations(page) == []
    task = see(page)["task"]
    page.keyboard.press("Enter")
    expect(page.locator(f'form.task[data-task="{task}"]')).to_have_count(0)
    (row,) = rows_of(server, study)
    assert (row["answer"], row["position"]) == ("B", 2)
    assert {row["chosen"], row["not_chosen"]} == {"leave-one-out", "hedge"}
