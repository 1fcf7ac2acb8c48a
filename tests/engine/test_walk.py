"""From a request to a result every step is taken once: the text is read, tokenised and parsed once, settings checked
once."""

import io
import json
import sys
from collections import Counter

import numpy as np
import pytest
from tests.engine.scripted import end, make

from espalier.engine.address import address
from espalier.engine.explainer import Explainer
from espalier.engine.messages import ORDERS, Ask, Check, Run
from espalier.explain.request import ExplanationRequest
from espalier.games.references import registry
from espalier.jobs import Job
from espalier.models import predict
from espalier.models.callable import CallableModel
from espalier.store.base import now
from espalier.store.jobs import Jobs
from espalier.store.jobs.rows import request_of
from espalier.text import read
from espalier.trees.tree import from_spans

TEXT = "The film is good"


class Counted(CallableModel):
    """A callable that counts how often it tokenises."""

    def __init__(self, steps):
        super().__init__(lambda texts: np.tile([0.4, 0.6], (len(texts), 1)), ["a", "b"])
        self._steps = steps

    def encode(self, passage, pair=None):
        self._steps["encode"] += 1
        return super().encode(passage, pair)


@pytest.fixture
def steps(monkeypatch):
    counted = Counter()

    def reading(text, most_words):
        counted["read"] += 1
        return read(text, most_words)

    monkeypatch.setattr(predict, "read", reading)
    return counted


@pytest.mark.parametrize(("method", "players"), [("ls-tree", "words"), ("lime", "words"), ("hedge", "phrases")])
def test_a_text_is_read_tokenised_and_parsed_once(steps, method, players):
    def parse(passage):
        steps["parse"] += 1
        return from_spans(4, {(0, 4): ("S",), (0, 2): ("NP",)})

    explainer = Explainer(lambda _: Counted(steps), parse)
    explainer.explain(ExplanationRequest(text=TEXT, model="counted", method=method, players=players))
    explainer.close()
    assert steps == {"read": 1, "encode": 1, **({} if method == "lime" else {"parse": 1})}


def test_settings_are_checked_once_whoever_asks_for_them(steps):
    request = ExplanationRequest(text=TEXT, model="counted", method="lime", parameters={"samples": 60})
    address(request, "r1")
    explainer = Explainer(lambda _: Counted(steps), None)
    prepared = explainer.prepare(request)
    explainer.close()
    assert prepared.parameters is request.settings()[1]


def test_a_request_whose_settings_were_asked_for_is_still_the_same_request():
    one, two = (ExplanationRequest(text=TEXT, method="lime") for _ in range(2))
    one.settings()
    assert one == two
    assert one.model_dump_json() == two.model_dump_json()
    assert ExplanationRequest.model_validate(one.model_dump()) == two


def test_a_worker_parses_a_request_once_though_it_is_first_asked_about_and_then_run():
    request = ExplanationRequest(text="Ein Film, „gut“ genug.", method="lime", parameters={"samples": 60})
    asked, run = (
        ORDERS.read(io.BytesIO(ORDERS.pack(order))) for order in (Ask(7, Check(request)), Run("j", request, "me"))
    )
    assert run.request == request
    assert run.request is asked.question.request
    assert run.request.settings()[1] is asked.question.request.settings()[1]


@pytest.fixture
def parses(monkeypatch):
    """How often requests are parsed in this process, whichever way: each time their reference is looked up."""
    counted, known = Counter(), registry.references

    def counting():
        counted["parse"] += sys._getframe(1).f_code is registry._known.__code__
        return known()

    monkeypatch.setattr(registry, "references", counting)
    request_of.cache_clear()
    yield counted
    request_of.cache_clear()


BODY = json.dumps({"text": "film", "reference": "pad", "model": "sst2-bow", "method": "leave-one-out"})


async def test_a_request_is_parsed_once_in_the_server_from_its_submission_to_its_end(parses, tmp_path):
    engine = make(f"sqlite:///{tmp_path}/engine.sqlite")
    await engine.start()
    job = await engine.submit(ExplanationRequest.model_validate_json(BODY), client="me", idempotency_key="k")
    assert (await end(engine, job)).status == "succeeded"
    assert parses["parse"] == 1
    again = await engine.submit(job.request, client="me", idempotency_key="k")
    assert (again.id, again.status) == (job.id, "succeeded")
    known = await engine.submit(job.request, client="me")
    assert (known.id != job.id, known.status) == (True, "succeeded")
    await engine.stop(0)
    assert parses["parse"] == 1


async def test_a_server_that_takes_a_job_over_parses_its_request_once(parses, tmp_path):
    first = make(f"sqlite:///{tmp_path}/engine.sqlite")
    job = Job("a", "queued", ExplanationRequest.model_validate_json(BODY), now(), client="me")
    Jobs(first._jobs.store).add(job)
    parses.clear()
    again = make(f"sqlite:///{tmp_path}/engine.sqlite")
    await again.start()
    assert (await end(again, job)).status == "succeeded"
    assert [event.name async for event in again.events(job.id)][-1] == "finished"
    await again.stop(0)
    assert parses["parse"] == 1
