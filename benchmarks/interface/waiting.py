"""From the click on Explain to the first partial picture, and to all five views finished."""

from dataclasses import dataclass

from playwright.sync_api import Page

from benchmarks.interface.browser import VIEWS

WATCH = """(views) => {
  const seen = { first: {}, done: {} };
  document.querySelector('form.sentence-card').addEventListener('submit', () => {
    const clicked = performance.now();
    let left = false;
    const look = () => {
      const now = performance.now() - clicked;
      for (const view of views) {
        const card = document.querySelector(`.view-card[data-view=${view}]`);
        const drawn = card?.querySelector('.frame svg');
        // The pictures of the sentence before are taken down first.
        if (!drawn) left = true;
        if (!left && now < 1000) continue;
        if (drawn && !(view in seen.first)) seen.first[view] = now;
        if (drawn && card.getAttribute('aria-busy') === 'false' && !(view in seen.done)) seen.done[view] = now;
      }
      if (Object.keys(seen.done).length < views.length) requestAnimationFrame(look);
      else window.seen = seen;
    };
    requestAnimationFrame(look);
  }, { once: true, capture: true });
}"""


@dataclass(frozen=True, slots=True)
class Waited:
    """Seconds from the click, by view."""

    first: dict[str, float]
    done: dict[str, float]

    @property
    def first_picture(self) -> float:
        return min(self.first.values())

    @property
    def all_views(self) -> float:
        return max(self.done.values())


def wait_for(page: Page, text: str) -> Waited:
    """Write a sentence that the server has not seen, click, and see when each picture comes and when it is finished."""
    page.evaluate(WATCH, list(VIEWS))
    page.locator("#sentence").fill(text)
    page.get_by_role("button", name="Explain", exact=True).click()
    page.wait_for_function("() => window.seen")
    seen = page.evaluate("() => { const { seen } = window; delete window.seen; return seen; }")
    return Waited(*({view: t / 1000 for view, t in seen[part].items()} for part in ("first", "done")))
