"""`espalier keys`, on a database of its own."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from espalier.access import fits, read
from espalier.cli import app
from espalier.settings import settings
from espalier.store import open_store
from espalier.store.keys import AccessKeys


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ESPALIER_DATA", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "120")
    settings.cache_clear()
    yield tmp_path
    settings.cache_clear()


def keys(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["keys", *arguments])


def test_a_created_key_is_printed_alone_and_opens_the_server(data: Path) -> None:
    done = keys("create", "Ada", "--scope", "owner")
    assert done.exit_code == 0
    parts = read(done.stdout)
    assert parts is not None
    kept = AccessKeys(open_store(settings().database_url)).get(parts[0])
    assert fits(kept, parts[1])
    assert kept is not None
    assert (kept.name, kept.scope) == ("Ada", "owner")


def test_keys_are_listed_without_their_secrets() -> None:
    secret = keys("create", "Ada").stdout.strip()
    shown = keys("list").stdout
    assert "Ada" in shown
    assert "use" in shown
    assert secret.split("_", 2)[2] not in shown
    assert [key["name"] for key in json.loads(keys("list", "--json").stdout)] == ["Ada"]


def test_a_revoked_key_is_listed_as_such() -> None:
    identity = keys("create", "Ada").stdout.split("_")[1]
    assert keys("revoke", identity).exit_code == 0
    assert json.loads(keys("list", "--json").stdout)[0]["revoked"] is not None


def test_revoking_what_is_not_there_lists_what_is() -> None:
    identity = keys("create", "Ada").stdout.split("_")[1]
    done = keys("revoke", "nobody")
    assert done.exit_code == 2
    assert f"unknown key: got 'nobody', possible are {identity}" in done.stderr


def test_a_scope_that_is_none_is_refused() -> None:
    assert keys("create", "Ada", "--scope", "king").exit_code == 2
