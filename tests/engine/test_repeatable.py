"""A result does not depend on what was computed before it, or beside it."""

import threading

import pytest

from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import catalog
from espalier.trees.tree import from_spans

TEXT = "The plot is not bad at all"
MODELS = ("sst2-minilm", "sst2-lstm")


def parse(passage):
    return from_spans(len(passage.words), {(0, 2): ("NP",), (2, 7): ("VP",), (3, 5): ("AP",)})


def explain(explainer, model, method):
    return explainer.explain(ExplanationRequest(text=TEXT, model=model, method=method)).result.model_dump_json()


@pytest.mark.parametrize("model", MODELS)
def test_results_are_the_same_bytes_from_a_fresh_pool_a_full_one_and_a_busy_host(model):
    methods = ("shap", "asiv", "hedge", "ls-tree")
    alone = {}
    for method in methods:
        fresh = Explainer(catalog().load, parse)
        alone[method] = explain(fresh, model, method)
        fresh.close()
    shared = Explainer(catalog().load, parse)
    others = [
        threading.Thread(
            target=lambda text: shared.explain(ExplanationRequest(text=text, model=model, method="hedge")), args=[text]
        )
        for text in ("A film that nobody asked for", "Good fun")
    ]
    shared.host(model)
    for thread in others:
        thread.start()
    assert {method: explain(shared, model, method) for method in reversed(methods)} == alone
    for thread in others:
        thread.join()
    shared.close()
