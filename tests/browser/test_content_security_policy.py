"""The pages work under the policy they are sent with: nothing of theirs is refused, and what is not theirs is."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

WATCH = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.refused.push(`${event.effectiveDirective}: ${event.blockedURI}`);
});
"""


@pytest.mark.parametrize("path", ["/", "/docs", "/studies"])
def test_nothing_of_a_page_is_refused(page: Page, path: str) -> None:
    page.add_init_script(WATCH)
    page.goto(path)
    expect(page.locator("#root > *, #docs > *").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.refused") == []


def test_a_script_that_stands_in_the_page_does_not_run(page: Page) -> None:
    page.add_init_script(WATCH)
    page.goto("/")
    page.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "window.intruder = true";
      document.body.append(script);
    }""")
    assert page.evaluate("window.intruder") is None
    assert any("script-src" in each for each in page.evaluate("window.refused"))
