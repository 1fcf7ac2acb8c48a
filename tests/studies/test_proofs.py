"""Signatures on links: what fits is believed, whatever was changed is not."""

import base64
import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from tests.studies.prolific_signer import Signer, encoded

from espalier.studies.joins import Joins, TooManyJoins
from espalier.studies.proofs import BadProof, ProlificKeys, Proofs
from espalier.studies.proofs.problems import KeysUnavailable
from espalier.studies.providers import Identity, link_for, recognise


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    return Signer(tmp_path_factory.mktemp("prolific"))


@pytest.fixture
def keys(signer: Signer) -> ProlificKeys:
    return ProlificKeys(str(signer.published))


@pytest.mark.parametrize(
    "host", ["demo.example", "https://demo.example", ["https://a.example", "https://demo.example/"]]
)
def test_what_prolific_signed_for_this_host_is_believed(signer: Signer, keys: ProlificKeys, host: Any) -> None:
    claims = keys.claims(signer.token(host), "demo.example")
    assert (claims["PROLIFIC_PID"], claims["SESSION_ID"]) == ("ada", "t1")


@pytest.mark.parametrize(
    "change",
    [
        {"aud": "https://evil.example"},
        {"aud": "https://demo.example.evil.example"},
        {"aud": None},
        {"iss": "https://evil.example"},
        {"exp": int(time.time()) - 3600},
        {"exp": None},
        {"exp": "9999999999"},
        {"header": {"alg": "none"}},
        {"header": {"alg": "HS256"}},
        {"header": {"kid": "unknown"}},
    ],
)
def test_what_was_signed_for_something_else_is_not(signer: Signer, keys: ProlificKeys, change: dict[str, Any]) -> None:
    with pytest.raises(BadProof):
        keys.claims(signer.token("demo.example", **change), "demo.example")


def test_a_token_whose_ids_were_changed_is_refused(signer: Signer, keys: ProlificKeys) -> None:
    head, body, signature = signer.token("demo.example").split(".")
    content = json.loads(base64.urlsafe_b64decode(body + "=="))
    content["prolific"]["PROLIFIC_PID"] = "victim"
    with pytest.raises(BadProof, match="not signed"):
        keys.claims(".".join([head, encoded(json.dumps(content).encode()), signature]), "demo.example")


@pytest.mark.parametrize("token", ["", "a.b", "a.b.c", "e30.e30.", "e30.e30.AA", "é.é.é", "." * 5000, "W10.W10.AA"])
def test_what_is_no_token_is_refused(keys: ProlificKeys, token: str) -> None:
    with pytest.raises(BadProof):
        keys.claims(token, "demo.example")


def test_a_signature_of_zeros_or_one_that_is_too_large_is_refused(signer: Signer, keys: ProlificKeys) -> None:
    signed = signer.token("demo.example").rpartition(".")[0]
    for trick in (b"\x00" * 256, b"\x00" * 255 + b"\x01", b"\xff" * 256, b"\x00" * 512):
        with pytest.raises(BadProof):
            keys.claims(f"{signed}.{encoded(trick)}", "demo.example")


def test_without_prolifics_keys_nobody_is_believed(signer: Signer, tmp_path: Path) -> None:
    with pytest.raises(KeysUnavailable):
        ProlificKeys(str(tmp_path / "none.json")).claims(signer.token("demo.example"), "demo.example")


def test_ids_in_the_open_must_be_the_signed_ones(signer: Signer, keys: ProlificKeys) -> None:
    proofs = Proofs(lambda: b"secret", keys)
    given = {"prolific_token": signer.token("demo.example"), "PROLIFIC_PID": "ada"}
    found = recognise(given, None, "key", proofs, "s", "demo.example")
    assert found == Identity("prolific", "ada", {"STUDY_ID": "s1", "SESSION_ID": "t1"}, proven=True)
    with pytest.raises(BadProof):
        recognise(given | {"PROLIFIC_PID": "victim"}, None, "key", proofs, "s", "demo.example")


def query(name: str, study: str = "s1", seconds: int = 60, secret: bytes = b"secret") -> dict[str, str]:
    proofs = Proofs(lambda: secret, ProlificKeys("none"))
    link = link_for("https://demo.example", study, name, int(time.time()) + seconds, proofs)
    return dict(parse_qsl(link.partition("?")[2]))


def test_a_link_that_was_made_for_a_person_proves_who_it_is() -> None:
    proofs = Proofs(lambda: b"secret", ProlificKeys("none"))
    found = recognise(query("Ada Lovelace"), None, "key", proofs, "s1")
    assert isinstance(found, Identity)
    assert (found.name, found.proven) == ("ada lovelace", True)


@pytest.mark.parametrize(
    "changed",
    [
        query("Ada") | {"name": "Grace"},
        query("Ada") | {"until": "9999999999"},
        query("Ada") | {"signature": ""},
        query("Ada") | {"signature": "é"},
        query("Ada", seconds=-1),
        query("Ada", study="s2"),
        query("Ada", secret=b"another"),
    ],
)
def test_a_link_that_was_changed_has_run_out_or_is_another_studys_is_refused(changed: dict[str, str]) -> None:
    with pytest.raises(BadProof):
        recognise(changed, None, "key", Proofs(lambda: b"secret", ProlificKeys("none")), "s1")


def test_people_from_one_address_are_counted_for_each_study() -> None:
    joins = Joins(2)
    for study in ("one", "two"):
        joins.count(study, "192.0.2.1")
        joins.count(study, "192.0.2.1")
    with pytest.raises(TooManyJoins) as refused:
        joins.count("one", "192.0.2.1")
    assert 1 <= refused.value.retry_after <= 600
    joins.count("one", "192.0.2.2")


def test_strangers_do_not_decide_how_often_prolific_is_asked(signer: Signer, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    for keys in (ProlificKeys(str(signer.published)), ProlificKeys("/nowhere.json")):
        published = keys._published
        monkeypatch.setattr(keys, "_published", lambda published=published: asked.append(1) or published())
        for number in range(5):
            with pytest.raises((BadProof, KeysUnavailable)):
                keys.claims(signer.token("demo.example", header={"kid": f"unknown {number}"}), "demo.example")
    assert len(asked) == 2
