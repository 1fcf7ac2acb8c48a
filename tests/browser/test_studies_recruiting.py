"""People sent by Prolific and Mechanical Turk: each gets in once, and gets back with what they came for."""

from urllib.parse import parse_qs

import pytest
from playwright.sync_api import BrowserContext, FrameLocator, Page, Route, expect
from tests.browser.participants import agree, answer_all, arrived, make_study, rows_of

pytestmark = pytest.mark.browser

WORKSHOP = "https://workersandbox.mturk.com"
PUBLIC = "https://studies.example"
EVERYWHERE = {"providers": ["plain", "prolific", "mturk"], "completion_code": "C0DE7"}


@pytest.fixture(scope="module")
def study(server: str) -> str:
    return make_study(server, recruiting=EVERYWHERE, items_per_person=1)


def assignment(worker: str, host: str = WORKSHOP) -> str:
    return f"assignmentId=A-{worker}&hitId=H1&workerId={worker}&turkSubmitTo={host}"


def inside_mturk(context: BrowserContext, server: str, path: str) -> tuple[Page, FrameLocator, list[Route]]:
    """MTurk's page with the study in a frame, as another site; and what the worker's browser submits to it.

    The study has a public name here: browsers let no public page frame one of the machine they run on.
    """
    submitted: list[Route] = []
    context.route(
        f"{PUBLIC}/**",
        lambda route: route.fulfill(response=route.fetch(url=route.request.url.replace(PUBLIC, server))),
    )

    def mturk(route: Route) -> None:
        if route.request.method == "POST":
            submitted.append(route)
            route.fulfill(body="Thank you, worker.", content_type="text/plain")
        else:
            frame = f'<iframe src="{PUBLIC}{path}" style="width: 360px; height: 640px"></iframe>'
            route.fulfill(body=f"<!doctype html><title>HIT</title>{frame}", content_type="text/html")

    context.route(f"{WORKSHOP}/**", mturk)
    page = context.new_page()
    page.goto(f"{WORKSHOP}/projects/1")
    return page, page.frame_locator("iframe"), submitted


def test_a_preview_on_mturk_shows_the_task_and_records_nothing(
    context: BrowserContext, server: str, study: str
) -> None:
    before = arrived(server, study)
    _, frame, _ = inside_mturk(context, server, f"/s/{study}?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H1")
    expect(frame.get_by_text("This is a preview. Accept the task to begin.")).to_be_visible()
    assert frame.get_by_role("button").count() == 0
    assert arrived(server, study) == before


def test_a_worker_finishes_inside_the_frame_and_submits_to_mturk(
    context: BrowserContext, server: str, study: str
) -> None:
    page, frame, submitted = inside_mturk(context, server, f"/s/{study}?{assignment('W1')}")
    frame.get_by_role("button", name="I agree").click()
    frame.get_by_role("button", name="Begin").click()
    frame.locator(".task label.choice", has_text="Negative").click()
    frame.get_by_role("button", name="Next").click()
    frame.get_by_role("button", name="Submit").click()
    expect(frame.get_by_text("Thank you, worker.")).to_be_visible()
    (route,) = submitted
    assert route.request.url == f"{WORKSHOP}/mturk/externalSubmit"
    fields = parse_qs(route.request.post_data or "")
    assert fields["assignmentId"] == ["A-W1"]
    assert len(fields) > 1, "MTurk takes no form with nothing but the assignment"
    assert [row["answer"] for row in rows_of(server, study) if row["who"] == "W1"] == ["negative"]
    page.close()


def test_a_worker_is_not_sent_to_any_other_host(page: Page, server: str, study: str) -> None:
    before = arrived(server, study)
    page.goto(f"/s/{study}?{assignment('W2', 'https://workersandbox.mturk.com.evil.example')}")
    expect(page.get_by_text("turkSubmitTo is not MTurk")).to_be_visible()
    assert page.locator("form").count() == 0
    assert arrived(server, study) == before


def test_prolific_gets_its_people_back_with_the_code(context: BrowserContext, server: str, study: str) -> None:
    returned: list[str] = []

    def prolific(route: Route) -> None:
        returned.append(route.request.url)
        route.fulfill(body="Welcome back.", content_type="text/plain")

    context.route("https://app.prolific.com/**", prolific)
    page = context.new_page()
    page.goto(f"/s/{study}?PROLIFIC_PID=612345678901234567890123&STUDY_ID=S&SESSION_ID=X")
    agree(page)
    answer_all(page)
    expect(page.get_by_role("link", name="Return and complete")).to_be_visible()
    assert [row["answer"] for row in rows_of(server, study) if row["who"].startswith("6123")] == ["positive"]
    expect(page.get_by_text("Welcome back.")).to_be_visible()
    assert returned == ["https://app.prolific.com/submissions/complete?cc=C0DE7"]


def test_the_same_person_from_prolific_cannot_enter_twice(context: BrowserContext, server: str, study: str) -> None:
    page = context.new_page()
    page.goto(f"/s/{study}?PROLIFIC_PID=once&STUDY_ID=S&SESSION_ID=first")
    agree(page)
    answer_all(page)
    before = arrived(server, study)
    again = context.browser.new_context(base_url=server) if context.browser else context
    other = again.new_page()
    other.goto(f"/s/{study}?PROLIFIC_PID=once&STUDY_ID=S&SESSION_ID=second")
    expect(other.get_by_text("somebody has begun under this id with another submission")).to_be_visible()
    # The submission they began with leads back to its end, from another browser too.
    other.goto(f"/s/{study}?PROLIFIC_PID=once&STUDY_ID=S&SESSION_ID=first")
    expect(other.get_by_role("heading", name="All done.")).to_be_visible()
    assert other.locator("form.task").count() == 0
    assert arrived(server, study) == before
    again.close()


def test_whoever_comes_too_late_is_told_so(page: Page, server: str) -> None:
    full = make_study(server, items=1, votes=1, items_per_person=1)
    page.goto(f"/s/{full}?name=first")
    agree(page)
    answer_all(page)
    page.goto(f"/s/{full}?name=second")
    page.get_by_role("button", name="I agree").or_(page.get_by_text("Everybody we need")).first.wait_for()
    if page.get_by_role("button", name="I agree").count():
        page.get_by_role("button", name="I agree").click()
    expect(page.get_by_text("Everybody we need is here.")).to_be_visible()
