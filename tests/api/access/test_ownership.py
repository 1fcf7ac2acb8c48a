"""A key reads and cancels what was asked for with it, an admin's key everything. No worker is needed for any of it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from espalier.access import Scope, issue
from espalier.api.app import create_app
from espalier.settings import Settings

ASKED = {"text": "A lovely film.", "model": "sst2-bow", "method": "leave-one-out"}
DESIGN = {
    "title": "Which words tell?",
    "protocol": "coherence",
    "models": ["sst2-bow"],
    "methods": ["leave-one-out", "hedge"],
    "items": 5,
}


class Service:
    """Calls by key, on a server that others can reach."""

    def __init__(self, app: FastAPI, client: httpx.AsyncClient) -> None:
        self.app = app
        self.client = client

    def key(self, scope: Scope) -> str:
        key, text = issue("somebody", scope)
        self.app.state.keys.add(key)
        return text

    async def __call__(self, key: str, verb: str, path: str, **fields: Any) -> httpx.Response:
        return await self.client.request(verb, path, headers={"Authorization": f"Bearer {key}"}, **fields)


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    app = create_app(Settings(data=tmp_path, frontend=tmp_path, host="0.0.0.0"))
    app.state.store.migrate()
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield Service(app, client)
    await app.state.studies.end()
    await app.state.lab.end()


def without_id(answer: httpx.Response, identity: str) -> tuple[int, str]:
    return answer.status_code, answer.text.replace(identity, "…")


async def test_an_explanation_is_there_for_who_asked_and_for_nobody_else(service: Service) -> None:
    mine, other, nobodys = service.key("use"), service.key("owner"), "0" * 32
    identity = (await service(mine, "POST", "/v1/explanations", json=ASKED)).json()["id"]
    for verb, path in (("GET", ""), ("GET", "/events"), ("DELETE", "")):
        refused = await service(other, verb, f"/v1/explanations/{identity}{path}")
        unknown = await service(other, verb, f"/v1/explanations/{nobodys}{path}")
        assert without_id(refused, identity) == without_id(unknown, nobodys)
        assert refused.status_code == 404
    assert (await service(mine, "GET", f"/v1/explanations/{identity}")).json()["status"] == "queued"
    assert (await service(mine, "DELETE", f"/v1/explanations/{identity}")).json()["status"] == "cancelled"


async def test_an_admin_sees_and_cancels_everybodys(service: Service) -> None:
    mine, admin = service.key("use"), service.key("admin")
    identity = (await service(mine, "POST", "/v1/explanations", json=ASKED)).json()["id"]
    assert (await service(admin, "GET", f"/v1/explanations/{identity}")).status_code == 200
    assert (await service(admin, "DELETE", f"/v1/explanations/{identity}")).json()["status"] == "cancelled"


async def test_a_batch_is_there_for_who_asked_and_for_nobody_else(service: Service) -> None:
    mine, other = service.key("use"), service.key("use")
    body = {"texts": ["A lovely film."], "model": "sst2-bow", "method": "leave-one-out"}
    identity = (await service(mine, "POST", "/v1/batches", json=body)).json()["id"]
    for verb, path in (("GET", ""), ("GET", "/results"), ("DELETE", "")):
        assert (await service(other, verb, f"/v1/batches/{identity}{path}")).status_code == 404
    assert (await service(mine, "GET", f"/v1/batches/{identity}")).status_code == 200
    assert (await service(mine, "DELETE", f"/v1/batches/{identity}")).json()["status"] == "cancelled"


async def test_the_id_of_a_batch_cannot_be_computed_from_who_asked_and_the_key_it_came_with(tmp_path: Path) -> None:
    identities = []
    for name in ("one", "another"):
        app = create_app(Settings(data=tmp_path / name, frontend=tmp_path))
        app.state.store.migrate()
        batch = await app.state.batches.add(("A film.",), {"model": "sst2-bow"}, "key:1", "mine")
        again = await app.state.batches.add(("A film.",), {"model": "sst2-bow"}, "key:1", "mine")
        await app.state.batches.stop()
        assert batch.id == again.id
        identities.append(batch.id)
    assert identities[0] != identities[1]


async def test_an_owner_sees_their_own_studies(service: Service) -> None:
    mine, other, admin = service.key("owner"), service.key("owner"), service.key("admin")
    study = (await service(mine, "POST", "/v1/studies", json=DESIGN)).json()["id"]
    for verb, path in (
        ("GET", ""),
        ("PATCH", ""),
        ("DELETE", ""),
        ("GET", "/items"),
        ("GET", "/preview"),
        ("GET", "/people"),
        ("GET", "/results"),
        ("GET", "/rows.csv"),
        ("GET", "/rows.json?identities=true"),
        ("GET", "/summary.json"),
        ("POST", "/publish"),
        ("POST", "/prepare"),
        ("DELETE", "/rehearsals"),
    ):
        fields = {"json": {"title": "Stolen"}} if verb == "PATCH" else {}
        answer = await service(other, verb, f"/v1/studies/{study}{path}", **fields)
        assert answer.status_code == 404, (verb, path, answer.text)
    excluded = await service(other, "PATCH", f"/v1/studies/{study}/people/1", json={"excluded": True})
    assert excluded.status_code == 404
    rehearsed = await service(other, "POST", f"/v1/studies/{study}/rehearsals", json={"people": 1})
    assert rehearsed.status_code == 404
    assert (await service(other, "GET", "/v1/studies")).json()["studies"] == []
    for key in (mine, admin):
        assert [each["id"] for each in (await service(key, "GET", "/v1/studies")).json()["studies"]] == [study]
        assert (await service(key, "GET", f"/v1/studies/{study}")).json()["design"]["title"] == DESIGN["title"]


async def test_the_numbers_of_the_whole_service_are_for_an_admin(service: Service) -> None:
    assert (await service(service.key("owner"), "GET", "/metrics")).status_code == 403
    assert (await service(service.key("admin"), "GET", "/metrics")).status_code == 200


async def test_where_no_key_is_asked_for_everyone_is_one_user(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, frontend=tmp_path))
    app.state.store.migrate()
    ada, bob = (
        httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(address, 1)), base_url="http://localhost")
        for address in ("127.0.0.1", "127.0.0.2")
    )
    async with ada, bob:
        identity = (await ada.post("/v1/explanations", json=ASKED)).json()["id"]
        assert (await bob.get(f"/v1/explanations/{identity}")).status_code == 200


RUN = {
    "title": "A small run",
    "dataset": {"kind": "rows", "rows": [{"text": "A lovely film."}]},
    "models": ["sst2-bow"],
    "methods": [{"method": "leave-one-out"}],
    "measures": ["aopc-delete"],
}


DIAGNOSIS = {"dataset": RUN["dataset"], "models": ["sst2-bow"]}
FILES = ("/rows.csv", "/rows.json", "/table.csv")


@pytest.mark.parametrize(
    ("runs", "body", "reads"),
    [
        ("/v1/evaluations", RUN, ("", "/results", "/points?measure=aopc-delete", "/rows", *FILES)),
        ("/v1/diagnoses", DIAGNOSIS, ("", "/results", "/points?measure=top-depth", "/rows", "/picture.svg", *FILES)),
    ],
)
async def test_a_run_of_the_lab_is_there_for_who_began_it_and_for_nobody_else(
    service: Service, runs: str, body: dict[str, Any], reads: tuple[str, ...]
) -> None:
    mine, other, admin, nobodys = service.key("use"), service.key("owner"), service.key("admin"), "0" * 32
    identity = (await service(mine, "POST", runs, json=body)).json()["id"]
    for verb, path in (*(("GET", path) for path in reads), ("POST", "/cancel"), ("DELETE", "")):
        refused = await service(other, verb, f"{runs}/{identity}{path}")
        unknown = await service(other, verb, f"{runs}/{nobodys}{path}")
        assert without_id(refused, identity) == without_id(unknown, nobodys), path
        assert refused.status_code == 404
    for path in reads:
        for key in (mine, admin):
            assert (await service(key, "GET", f"{runs}/{identity}{path}")).status_code == 200, path
    listed = [(await service(key, "GET", runs)).text for key in (mine, admin, other)]
    assert [identity in each for each in listed] == [True, True, False]
    assert (await service(mine, "DELETE", f"{runs}/{identity}")).status_code == 204


async def test_models_are_edited_and_undone_by_admins_alone(service: Service) -> None:
    """An edit is offered to everybody, and the catalog does not know whose it is."""
    identity = "0" * 32
    asked = {"model": "sst2-cnn", "words": ["not", "good"], "text": "This is not good."}
    for scope in ("use", "owner"):
        key = service.key(scope)
        for verb, path in (
            ("POST", "/v1/edits"),
            ("POST", "/v1/edits/plan"),
            ("GET", "/v1/edits"),
            ("GET", f"/v1/edits/{identity}"),
            ("GET", f"/v1/edits/{identity}/results"),
            ("POST", f"/v1/edits/{identity}/cancel"),
            ("DELETE", f"/v1/edits/{identity}"),
            ("DELETE", "/v1/edits/models/sst2-cnn-not-good"),
        ):
            refused = await service(key, verb, path, **({"json": asked} if verb == "POST" else {}))
            assert (refused.status_code, refused.json()["type"]) == (403, "urn:espalier:problem:not-allowed")
            assert f"got scope {scope}, possible is admin" in refused.json()["detail"]
    admin = service.key("admin")
    assert (await service(admin, "GET", "/v1/edits")).json() == {"edits": [], "models": [], "refused": None}
    assert (await service(admin, "GET", f"/v1/edits/{identity}")).status_code == 404
    assert (await service(admin, "DELETE", "/v1/edits/models/sst2-cnn-not-good")).status_code == 404
