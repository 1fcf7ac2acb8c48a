"""Two tenants with keys, two servers on one PostgreSQL: neither sees anything of the other's, over any server. No
worker is needed for any of it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from tests.store.postgres import Postgres

from espalier.access import issue
from espalier.api.app import create_app
from espalier.settings import Settings

ASKED = {"text": "A lovely film.", "model": "sst2-bow", "method": "leave-one-out"}
BATCH = {"texts": ["A lovely film.", "A dull one."], "model": "sst2-bow", "method": "leave-one-out"}
STUDY = {
    "title": "Which words tell?",
    "protocol": "coherence",
    "models": ["sst2-bow"],
    "methods": ["leave-one-out", "hedge"],
    "items": 5,
}

Tenant = dict[str, httpx.AsyncClient]
"""A key's calls, by server."""


@pytest.fixture
async def tenants(postgres: Postgres, tmp_path: Path) -> AsyncIterator[list[Tenant]]:
    database = postgres.database()
    apps = {
        name: create_app(Settings(data=tmp_path, frontend=tmp_path, host="0.0.0.0", database=database))
        for name in ("one", "other")
    }
    apps["one"].state.store.migrate()
    async with AsyncExitStack() as opened:
        made = []
        for person in ("Ada", "Ben"):
            key, text = issue(person, "owner")
            apps["one"].state.keys.add(key)
            tenant = {}
            for name, app in apps.items():
                transport = httpx.ASGITransport(app, raise_app_exceptions=False)
                headers = {"Authorization": f"Bearer {text}"}
                client = httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers)
                tenant[name] = await opened.enter_async_context(client)
            made.append(tenant)
        yield made
    for app in apps.values():
        await app.state.studies.end()
        app.state.store.close()


@pytest.mark.parametrize(
    ("made_at", "body", "looks"),
    [
        ("/v1/explanations", ASKED, ("", "/events")),
        ("/v1/batches", BATCH, ("", "/results")),
        ("/v1/studies", STUDY, ("",)),
    ],
)
async def test_what_one_tenant_made_is_not_there_for_the_other_at_any_server(
    tenants: list[Tenant], made_at: str, body: dict[str, object], looks: tuple[str, ...]
) -> None:
    ada, ben = tenants
    made = await ada["one"].post(made_at, json=body)
    assert made.status_code in (200, 201, 202), made.text
    path = f"{made_at}/{made.json()['id']}"
    for server in ("one", "other"):
        assert (await ada[server].get(path)).status_code == 200, "its owner sees it at every server"
        for look in looks:
            assert (await ben[server].get(path + look)).status_code == 404
        assert (await ben[server].delete(path)).status_code == 404
