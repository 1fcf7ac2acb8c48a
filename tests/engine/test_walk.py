"""From a request to a result every step is taken once: the text is read, tokenised and parsed once, settings checked
once."""

import io
from collections import Counter

import numpy as np
import pytest

from espalier.engine.address import address
from espalier.engine.explainer import Explainer
from espalier.engine.messages import ORDERS, Ask, Check, Run
from espalier.explain.request import ExplanationRequest
from espalier.models import predict
from espalier.models.callable import CallableModel
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
