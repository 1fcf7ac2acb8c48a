"""A language model in the workbench: candidates, one word held against another, the running text. The model is tiny and
random: what it says means nothing, but the page must show it right."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.bench import card, keep, open_question, settle
from tests.browser.conftest import serving
from tests.browser.test_looks import violations
from tests.models.causal.conftest import network, tokenizer

pytestmark = pytest.mark.browser

PASSAGE = "the film was not good but never dull"


@pytest.fixture(scope="module")
def server(artifacts: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("models") / "tiny-llama"
    network("llama").save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    data = tmp_path_factory.mktemp("data")
    with serving(artifacts / "server-words.log", data, "--model", str(folder)) as address:
        yield address


@pytest.fixture(scope="module")
def model(server: str) -> str:
    models = httpx.get(f"{server}/v1/catalog", timeout=60).json()["models"]
    return str(next(each["name"] for each in models if each["says"] == "next-words"))


def test_likely_next_words_stand_where_classes_were(page: Page, server: str, model: str) -> None:
    open_question(page, "the film was", model=model, only="tokens")
    settle(page, "Tokens")
    asked = {"model": model, "text": "the film was"}
    said = httpx.post(f"{server}/v1/predictions", json=asked, timeout=60).json()["classes"]
    shown = page.locator(".next-words .class").evaluate_all(
        "words => words.map(word => [word.dataset.class, Number(word.dataset.probability)])"
    )
    assert shown == [[each["name"], each["probability"]] for each in said if each["name"] != "any other word"]
    expect(page.locator(".next-words .class[aria-pressed=true]")).to_have_attribute("data-class", shown[0][0])


def explained(page: Page) -> Locator:
    return page.locator(".next-words .class[aria-pressed=true]")


def type_word(page: Page, word: str, button: str = "Explain it") -> None:
    page.get_by_label("Another next word").fill(word)
    page.get_by_role("button", name=button).click()


def says(page: Page, caption: str) -> None:
    expect(card(page, "Tokens").locator(".scale-legend")).to_contain_text(caption)


def test_any_two_words_are_held_against_each_other_and_change_places(page: Page, model: str) -> None:
    open_question(page, "the film was", model=model, only="tokens")
    likeliest = page.locator(".next-words .class-name bdi").first.inner_text()
    type_word(page, "good")
    expect(explained(page)).to_have_attribute("data-class", " good")
    type_word(page, "dull", "Hold against it")
    contrast = page.get_by_role("group", name="Contrast")
    expect(contrast).to_contain_text(re.compile("Why “good” rather than.*“dull”"))
    says(page, "towards “good” rather than “dull”")
    contrast.get_by_role("button", name="Swap").click()
    says(page, "towards “dull” rather than “good”")
    page.locator('.next-words [data-class=" good"]').click()
    says(page, "towards “good” rather than “dull”")
    contrast.get_by_role("button", name=re.compile("^Rather than")).click()
    page.get_by_role("menuitemradio").nth(1).click()
    says(page, f"towards “good” rather than “{likeliest}”")
    expect(page.locator('.next-words [data-class=" dull"]')).to_be_visible()
    contrast.get_by_role("button", name=re.compile("^Rather than")).click()
    page.get_by_role("menuitemradio", name="anything else").click()
    expect(contrast.get_by_role("button", name="Swap")).to_have_count(0)
    settle(page, "Tokens")


def test_a_typed_word_is_marked_as_the_real_one_and_stands_beside_the_predicted(page: Page, model: str) -> None:
    open_question(page, "the film was", model=model, only="tokens")
    expect(page.locator(".real-mark")).to_have_count(0)
    type_word(page, "good")
    page.get_by_role("button", name="“good” really came").click()
    expect(explained(page).locator(".real-mark")).to_be_visible()
    page.reload()
    page.get_by_role("button", name=re.compile("beside “good”")).click()
    expect(card(page, "Tokens").locator(".pane")).to_have_count(2)
    settle(page, "Tokens")


def test_a_real_word_that_begins_as_predicted_is_said_and_not_held_against_the_runner_up(
    page: Page, server: str, model: str
) -> None:
    asked = {"model": model, "text": "the not but"}
    assert httpx.post(f"{server}/v1/predictions", json=asked, timeout=60).json()["label"] == " lovely"
    open_question(page, "the not but", model=model, only="tokens")
    type_word(page, "lovelyxy")
    page.get_by_role("button", name=re.compile("really came")).click()
    expect(page.get_by_text("The model most likely goes on with")).to_contain_text("begins with it")
    expect(page.get_by_text("its probability is their product")).to_contain_text("3 tokens")
    expect(page.get_by_role("button", name=re.compile("beside"))).to_have_count(0)
    settle(page, "Tokens")


def test_a_word_of_the_running_text_is_explained_from_the_words_before_it(
    page: Page, model: str, artifacts: Path
) -> None:
    open_question(page, PASSAGE, model=model, only="tokens")
    word = page.locator(".running-text").get_by_role("button", name=re.compile("^good"))
    word.hover()
    expect(page.get_by_role("region", name="Running text")).to_contain_text("bits")
    word.click()
    expect(page.locator(".real-mark")).to_be_visible()
    settle(page, "Tokens")
    expect(card(page, "Tokens").locator(".token-heat")).to_have_count(4)
    keep(page, artifacts / "next-words.png")
    page.get_by_role("button", name=re.compile("beside “good”")).click()
    expect(card(page, "Tokens").locator(".pane")).to_have_count(2)
    settle(page, "Tokens")
    expect(card(page, "Tokens").get_by_role("heading", name="good")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_words_of_a_language_model_fit_and_are_accessible(page: Page, model: str, scheme: str) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    open_question(page, PASSAGE, model=model, only="tokens")
    settle(page, "Tokens")
    expect(page.locator(".running-text button").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []


def test_words_that_cannot_be_told_apart_are_said_and_taken_back(page: Page, model: str) -> None:
    """One begins the other, so their probabilities would overlap."""
    words = {"class": " film", "rather": " filmgood"}
    open_question(page, "the film was", model=model, only="tokens", **words)
    expect(page.get_by_role("alert")).to_contain_text("filmgood")
    page.get_by_role("button", name="Back to the likeliest word").click()
    settle(page, "Tokens")


def test_a_blank_in_the_middle_of_a_text_is_filled_in(page: Page, server: str, artifacts: Path) -> None:
    """A masked language model: its words are whole, and there is no running text."""
    open_question(page, "The film is [MASK].", model="mlm-movies", only="tokens")
    settle(page, "Tokens")
    asked = {"model": "mlm-movies", "text": "The film is [MASK]."}
    likely = httpx.post(f"{server}/v1/predictions", json=asked, timeout=60).json()["label"]
    expect(page.locator(".next-words .class[aria-pressed=true] .class-name")).to_have_text(likely)
    expect(page.get_by_role("region", name="Running text")).to_have_count(0)
    page.get_by_label("Another word for the blank").fill("boring")
    page.get_by_role("button", name="Explain it").click()
    settle(page, "Tokens")
    expect(card(page, "Tokens").locator(".scale-legend")).to_contain_text("towards “boring”")
    keep(page, artifacts / "blank.png")


def test_a_model_that_fills_in_a_blank_gets_a_text_with_one(page: Page, server: str, model: str) -> None:
    open_question(page, "the film was", model=model, only="tokens")
    page.get_by_role("button", name=re.compile("^Model:")).click()
    page.get_by_role("menuitemradio", name=re.compile("Missing word, film")).click()
    expect(page.get_by_label("Sentence")).to_have_value(re.compile(r"\[MASK\]"))
    settle(page, "Tokens")
