"""A study's owner: making one, looking at it as others will see it, rehearsing it, stopping it, removing it."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.browser.bench import keep
from tests.browser.participants import TEXTS, arrived, come_in, make_study, see, violations

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def study(server: str) -> str:
    """Two methods on one model, everywhere to recruit from."""
    return make_study(
        server,
        title="What gives a review away?",
        methods=["leave-one-out", "hedge"],
        votes=2,
        attention_checks=1,
        practice=None,
        recruiting={"providers": ["plain", "prolific", "mturk"], "completion_code": "C0DE7"},
    )


def test_the_form_says_what_is_missing_and_counts_what_is_left(page: Page) -> None:
    page.goto("/studies/new")
    go_on = page.get_by_role("button", name="Continue")
    expect(go_on).to_be_disabled()
    expect(page.get_by_role("status")).to_have_text("Give the study a name.")
    page.get_by_label("Name").fill("Short ones")
    go_on.click()
    page.get_by_role("radio", name=re.compile("^A file")).check()
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "some.csv", "mimeType": "text/csv", "buffer": b'text\n"One, two three."\nFour five six seven eight.\n'}
    )
    expect(page.get_by_role("region", name="The texts")).to_contain_text("2 texts")
    least = page.get_by_label("have at least (words)")
    least.fill("6")
    expect(page.get_by_text("1 text of 2 have such a length")).to_be_visible()
    least.fill("50")
    expect(page.get_by_role("status")).to_contain_text("cannot be longer than the longest")
    expect(go_on).to_be_disabled()


def test_a_file_that_cannot_be_read_is_explained(page: Page) -> None:
    page.goto("/studies/new")
    page.get_by_label("Name").fill("Wrong")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("radio", name=re.compile("^A file")).check()
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "wrong.csv", "mimeType": "text/csv", "buffer": b"number\n1\n2\n"}
    )
    expect(page.get_by_role("alert")).to_contain_text("no column text")


def test_the_preview_shows_the_very_screens_and_records_nothing(page: Page, server: str, study: str) -> None:
    preview = httpx.get(f"{server}/v1/studies/{study}/preview").json()
    page.goto(f"/studies/{study}?tab=preview")
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("button", name="Try it").click()
    for task in preview["practice"] + preview["tasks"]:
        screen = see(page)
        assert screen["text"] == task["text"]
        assert screen["lines"] == [[line["letter"], line["phrase"]] for line in task["lines"]]
        for letter, _ in screen["lines"]:
            page.locator(f'[data-line="{letter}"] label.choice').first.click()
        page.locator("form.task button[type=submit]").click()
        expect(page.locator(f'form.task[data-task="{screen["task"]}"]')).to_have_count(0)
    expect(page.get_by_role("heading", name="All done.")).to_be_visible()
    assert arrived(server, study) == 0


def test_links_for_every_way_of_recruiting_can_be_copied(page: Page, study: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/studies/{study}?tab=recruiting")
    for name, part in (("Link", f"/s/{study}"), ("Prolific", "{{%PROLIFIC_PID%}}"), ("Mechanical Turk", f"/s/{study}")):
        way = page.get_by_role("region", name=name, exact=True)
        way.get_by_role("button", name="Copy").click()
        expect(way.get_by_role("button", name="Copied")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("http")
        assert part in copied


def test_a_rehearsal_fills_the_results_and_is_marked(page: Page, server: str, study: str, artifacts: Path) -> None:
    page.goto(f"/studies/{study}?tab=results")
    expect(page.get_by_role("region", name="Findings")).to_contain_text("No answers yet.")
    page.get_by_label("Simulated people").fill("6")
    page.get_by_label("Wrong on purpose").fill("0")
    page.get_by_role("button", name="Rehearse").click()
    expect(page.get_by_text("these are answers of simulated people")).to_be_visible()
    screens = 2 * len(TEXTS)
    expect(page.get_by_role("region", name="Quality")).to_contain_text(f"{2 * screens} answers")
    expect(page.get_by_role("table", name="By method")).to_contain_text("of 12")
    keep(page, artifacts / "studies-rehearsal.png")
    assert arrived(server, study) == 0
    page.get_by_role("radio", name="Real people").check(force=True)
    expect(page.get_by_role("region", name="Findings")).to_contain_text("No answers yet.")
    page.get_by_role("button", name=re.compile("Remove 6")).click()
    expect(page.get_by_role("button", name=re.compile("Remove"))).to_have_count(0)


def test_a_paused_study_lets_people_wait_and_go_on(page: Page, browser: Browser, server: str) -> None:
    study = make_study(server)
    visitor = browser.new_context(base_url=server)
    person = visitor.new_page()
    come_in(person, study, "waiting")
    first = see(person)
    page.goto(f"/studies/{study}")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Paused", exact=True)).to_be_visible()
    person.reload()
    expect(person.get_by_role("heading", name="The study is taking a break.")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("Running", exact=True)).to_be_visible()
    person.get_by_role("button", name="Look again").click()
    expect(person.locator("form.task")).to_be_visible()
    assert see(person) == first
    visitor.close()


def test_a_closed_study_lets_nobody_in_and_a_deleted_one_is_gone(page: Page, server: str) -> None:
    study = make_study(server, title="To be removed")
    page.goto(f"/studies/{study}")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Close").click()
    expect(page.get_by_text("Closed", exact=True)).to_be_visible()
    late = page.context.new_page()
    late.goto(f"/s/{study}?name=late")
    expect(late.get_by_role("heading", name="This study is closed.")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="Studies", exact=True)).to_be_visible()
    expect(page.get_by_text("To be removed")).to_have_count(0)
    assert httpx.get(f"{server}/v1/studies/{study}").status_code == 404


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_the_pages_fit_and_are_accessible(
    context: BrowserContext, study: str, artifacts: Path, width: int, scheme: str
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]

    def look(name: str) -> None:
        keep(page, artifacts / f"studies-{name}-{width}-{scheme}.png")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []

    page.goto("/studies")
    expect(page.get_by_role("link", name="What gives a review away?").first).to_be_visible()
    look("list")
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Name").fill("Looks")
    look("new-question")
    go_on = page.get_by_role("button", name="Continue")
    go_on.click()
    expect(page.get_by_role("region", name="The texts")).to_be_visible()
    look("new-texts")
    go_on.click()
    page.get_by_role("checkbox", name=re.compile("^Sentiment, CNN")).check()
    page.get_by_role("checkbox", name=re.compile("^HEDGE(?!,)")).check()
    look("new-explanations")
    go_on.click()
    look("new-people")
    go_on.click()
    page.get_by_text("Write your own now").click()
    look("new-words")
    for tab in ("overview", "preview", "recruiting", "results"):
        page.goto(f"/studies/{study}?tab={tab}")
        expect(page.get_by_role("tabpanel")).not_to_be_empty()
        page.wait_for_load_state("networkidle")
        look(tab)
