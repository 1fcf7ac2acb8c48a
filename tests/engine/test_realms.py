"""Evaluations are shared by those who may know of each other."""

import pytest

from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import Catalog, load_model
from espalier.models.device import default_device
from espalier.settings import settings
from espalier.trees.parser import default_parser


@pytest.fixture(scope="module")
def explainer() -> Explainer:
    catalog = Catalog(settings().catalog)

    def load(name: str):
        return load_model(catalog.source(name), default_device())

    return Explainer(load, default_parser().parse)


def reused(explainer: Explainer, client: str) -> int:
    prepared = explainer.prepare(ExplanationRequest(text="A dull film.", model="sst2-bow", method="leave-one-out"))
    return explainer.drive(prepared, 0, client=client).run().counts.reused


def test_a_key_does_not_learn_what_another_has_had_evaluated(explainer: Explainer) -> None:
    assert reused(explainer, "key:1") == 0
    assert reused(explainer, "key:2") == 0
    assert reused(explainer, "key:1") > 0


def test_a_keys_studies_share_what_the_key_has_had_evaluated(explainer: Explainer) -> None:
    reused(explainer, "key:3")
    assert reused(explainer, "key:3/study:abc") > 0


def test_without_keys_everything_is_shared(explainer: Explainer) -> None:
    reused(explainer, "address:127.0.0.1")
    assert reused(explainer, "address:127.0.0.2") > 0
