"""A server that asks for keys, as a person meets it: in, and out again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.conftest import PATIENCE, serving

pytestmark = pytest.mark.browser


def new_key(data: Path) -> str:
    command = [str(Path(sys.executable).with_name("espalier")), "keys", "create", "Ada", "--scope", "owner"]
    environment = os.environ | {"ESPALIER_DATA": str(data)}
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return next(word for word in made.stdout.split() if word.startswith("espalier_"))


def test_a_person_signs_in_with_a_key_and_out_from_any_page(
    browser: Browser, artifacts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = new_key(tmp_path)
    monkeypatch.setenv("ESPALIER_KEYS", "required")
    with serving(artifacts / "server-keys.log", tmp_path) as address:
        context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto("/studies")
        page.get_by_label("Access key").fill(key)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/studies")
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        page.screenshot(path=artifacts / "signed-in.png")
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("Access key")).to_be_visible()
        page.goto("/studies")
        expect(page.get_by_label("Access key")).to_be_visible()
        assert context.cookies() == []
        context.close()


def test_who_may_not_edit_models_is_shown_no_edits_and_told_so_where_they_ask(
    browser: Browser, artifacts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = new_key(tmp_path)
    monkeypatch.setenv("ESPALIER_KEYS", "required")
    with serving(artifacts / "server-edits-keys.log", tmp_path) as address:
        context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto("/lab")
        page.get_by_label("Access key").fill(key)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/lab")
        expect(page.get_by_role("link", name="New diagnosis")).to_be_visible()
        expect(page.get_by_role("link", name="New edit")).to_have_count(0)
        expect(page.get_by_role("alert")).to_have_count(0)
        page.goto("/lab/edits/new")
        expect(page.get_by_role("alert")).to_contain_text("got scope owner, possible is admin")
        context.close()
