"""Two tenants with keys, two servers on one PostgreSQL: neither sees anything of the other's, over any server. No
worker is needed for any of it."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

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

RUN = {
    "dataset": {"kind": "rows", "rows": [{"text": "A lovely film."}]},
    "models": ["sst2-bow"],
    "methods": [{"method": "leave-one-out"}],
    "measures": ["aopc-delete"],
}
DIAGNOSIS = {"dataset": RUN["dataset"], "models": ["sst2-bow"]}
BODIES: dict[str, dict[str, object]] = {
    "PATCH /v1/studies/{study}": {"title": "Mine now"},
    "POST /v1/studies/{study}/links": {"names": ["Cleo"]},
    "PATCH /v1/studies/{study}/people/{person}": {"excluded": True},
    "POST /v1/studies/{study}/rehearsals": {"people": 1},
}
"""What the calls are told that need to be told something."""

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
        await app.state.lab.end()
        app.state.store.close()


@pytest.mark.parametrize(
    ("made_at", "body", "looks"),
    [
        ("/v1/explanations", ASKED, ("", "/events")),
        ("/v1/batches", BATCH, ("", "/results")),
        ("/v1/studies", STUDY, ("",)),
        ("/v1/evaluations", RUN, ("", "/results", "/rows")),
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


def calls(description: dict[str, Any], about: str) -> list[tuple[str, str]]:
    """Every call of the API that names a thing of one kind, those that are added some day included."""
    return [
        (verb.upper(), path)
        for path, verbs in description["paths"].items()
        if path.startswith(about)
        for verb in verbs
        if verb in ("get", "post", "patch", "put", "delete")
    ]


@pytest.mark.parametrize(
    ("made_at", "name", "body"),
    [
        ("/v1/explanations", "job", ASKED),
        ("/v1/batches", "batch", BATCH),
        ("/v1/studies", "study", STUDY),
        ("/v1/evaluations", "evaluation", RUN),
        ("/v1/diagnoses", "diagnosis", DIAGNOSIS),
    ],
)
async def test_no_call_of_the_api_reaches_what_is_another_tenants_at_any_server(
    tenants: list[Tenant], made_at: str, name: str, body: dict[str, object]
) -> None:
    ada, ben = tenants
    identity = (await ada["one"].post(made_at, json=body)).json()["id"]
    description = (await ada["one"].get("/openapi.json")).json()
    found = [each for each in calls(description, f"{made_at}/{{") if "{" in each[1]]
    assert len(found) >= 2
    before = (await ada["one"].get(f"{made_at}/{identity}")).json()
    for server in ("one", "other"):
        for verb, path in found:
            place = re.sub(r"\{form\}", "csv", path)
            place = re.sub(r"\{person\}|\{place\}", "1", place)
            place = re.sub(r"\{[a-z_]+\}", identity, place)
            given = {"json": BODIES[f"{verb} {path}"]} if f"{verb} {path}" in BODIES else {}
            answer = await ben[server].request(verb, place, params={"measure": "aopc-delete"}, **given)
            assert answer.status_code == 404, f"{verb} {path} at {server}: {answer.status_code} {answer.text}"
    after = (await ada["other"].get(f"{made_at}/{identity}")).json()
    assert (after["id"], after["status"]) == (before["id"], before["status"]), "nothing was ended or changed"


@pytest.mark.parametrize(
    ("made_at", "listed", "body"),
    [
        ("/v1/studies", "studies", STUDY),
        ("/v1/evaluations", "evaluations", RUN),
        ("/v1/diagnoses", "diagnoses", DIAGNOSIS),
    ],
)
async def test_lists_have_a_tenants_own_at_every_server(
    tenants: list[Tenant], made_at: str, listed: str, body: dict[str, object]
) -> None:
    ada, ben = tenants
    identity = (await ada["one"].post(made_at, json=body)).json()["id"]
    for server in ("one", "other"):
        own = (await ada[server].get(made_at)).json()[listed]
        others = (await ben[server].get(made_at)).json()[listed]
        assert identity in [each["id"] for each in own]
        assert identity not in [each["id"] for each in others]


async def test_a_tenant_cancels_at_the_other_server_what_is_its_own(tenants: list[Tenant]) -> None:
    ada, ben = tenants
    made = {
        path: (await ada["one"].post(path, json=body)).json()["id"]
        for path, body in (("/v1/explanations", ASKED), ("/v1/batches", BATCH), ("/v1/evaluations", RUN))
    }
    for path, identity in made.items():
        if path == "/v1/evaluations":
            assert (await ben["other"].post(f"{path}/{identity}/cancel")).status_code == 404
            ended = await ada["other"].post(f"{path}/{identity}/cancel")
        else:
            assert (await ben["other"].delete(f"{path}/{identity}")).status_code == 404
            ended = await ada["other"].delete(f"{path}/{identity}")
        assert ended.json()["status"] == "cancelled", ended.text
        assert (await ada["other"].get(f"{path}/{identity}")).json()["status"] == "cancelled"
