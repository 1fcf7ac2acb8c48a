"""An explanation of a model in half precision: close to the one in single precision, and it says how close."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from tests.models.causal.conftest import network, tokenizer
from tests.models.test_packing import small

from espalier.api.documents import ExplanationDocument
from espalier.api.routes.predictions import PredictionDocument
from espalier.client.documents import explanation_of
from espalier.engine.address import address
from espalier.engine.answers import prediction
from espalier.engine.explainer import Explainer
from espalier.engine.messages import Predict, read_answer, write_answer
from espalier.explain.request import ExplanationRequest
from espalier.findings.document import document
from espalier.games.scales import value_error
from espalier.models.causal.load import wrap
from espalier.models.precision import rounding_of
from espalier.models.rounding import lower

TEXT = "The film is not good but never dull."


@pytest.fixture(scope="module")
def models():
    made = {
        "classifier": small("Bert"),
        "classifier in half": small("Bert"),
        "words in half": wrap("tiny", network("llama"), tokenizer(), "r", torch.device("cpu")),
    }
    for name, model in made.items():
        if name.endswith("half"):
            lower(model, "bfloat16")
    return made


@pytest.fixture
def explainer(models):
    made = Explainer(lambda name: models[name], lambda passage: pytest.fail("nothing is parsed here"))
    yield made
    made.close()


def asked(model, **fields):
    return ExplanationRequest(text=TEXT, model=model, **({"method": "shap"} | fields))


def test_what_is_explained_is_within_the_bound_and_says_so(explainer, models):
    plain = explainer.explain(asked("classifier", target="a", scale="log_odds"))
    half = explainer.explain(asked("classifier in half", target="a", scale="log_odds"))
    stated, known = half.rounding, rounding_of(models["classifier in half"])
    assert stated.precision == "bfloat16"
    assert (stated.error, stated.usual, stated.rows) == (2 * known.error, 2 * known.usual, known.rows)
    assert half.result.base == pytest.approx(plain.result.base, abs=stated.error)
    # A Shapley value is a mean of differences of two values.
    moved = np.abs(np.array(half.result.values) - plain.result.values).max()
    assert 0 < moved <= 2 * stated.error
    assert document(half)["provenance"].startswith("exact, in bfloat16: each value within ")


def test_what_was_found_in_single_precision_is_written_as_ever(explainer):
    written = document(explainer.explain(asked("classifier", method="leave-one-out")))
    assert "rounding" not in written
    assert written["certainty"] == "exact"


@pytest.mark.parametrize("scale", ["logit", "log_probability", "log_odds", "probability", "margin"])
def test_the_bound_is_on_the_scale_of_the_explanation(explainer, models, scale):
    found = explainer.explain(asked("classifier in half", method="leave-one-out", scale=scale))
    assert found.rounding.error == value_error(rounding_of(models["classifier in half"]).error, scale)


def test_the_errors_of_a_words_tokens_add_up(explainer, models):
    one, several = " film", " goodness"
    error = rounding_of(models["words in half"]).error
    found = explainer.explain(asked("words in half", method="leave-one-out", outcomes=[one, several], outcome=several))
    tokens = max(map(len, found.pieces))
    assert tokens > 1
    assert found.rounding.error == pytest.approx(value_error(tokens * error, found.scale))


def test_it_is_read_again_from_what_is_served(explainer):
    found = explainer.explain(asked("classifier in half", method="leave-one-out"))
    served = json.loads(ExplanationDocument.model_validate(document(found)).model_dump_json())
    assert explanation_of(served).rounding == found.rounding


def test_results_of_two_precisions_never_meet(explainer, models):
    """Neither in the store, whose addresses have the revision, nor in the pool of what was evaluated."""
    plain, half = models["classifier"], models["classifier in half"]
    request = asked("classifier")
    assert address(request, plain.revision) != address(request, half.revision)
    games = [explainer.prepare(asked(name)).game for name in ("classifier", "classifier in half")]
    assert games[0].key != games[1].key


@pytest.mark.slow
def test_the_command_line_explains_in_the_precision_that_is_set():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from espalier.cli import app; app()",
            "explain",
            TEXT,
            "--model",
            "sst2-minilm",
            "--method",
            "leave-one-out",
        ],
        env=os.environ | {"ESPALIER_PRECISION": "bfloat16", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "exact, in bfloat16: each value within 0." in done.stdout


@pytest.mark.parametrize(("name", "words"), [("classifier in half", ()), ("words in half", (" film", " goodness"))])
def test_a_prediction_says_how_far_its_probabilities_may_be_off(explainer, models, name, words):
    said = prediction(explainer.host(name), name, TEXT, None, words)
    tokens = max(map(len, said["pieces"])) if words else 1
    assert said["rounding"]["error"] == value_error(tokens * rounding_of(models[name]).error, "probability")
    # It arrives as it was said, and is served so.
    asked = Predict(name, TEXT, None, words, None)
    assert read_answer(asked, write_answer(asked, said)) == said
    assert PredictionDocument.model_validate(said).model_dump(mode="json")["rounding"] == said["rounding"]


def test_a_prediction_in_single_precision_is_as_ever(explainer):
    said = prediction(explainer.host("classifier"), "classifier", TEXT, None)
    assert "rounding" not in said
    assert "rounding" not in PredictionDocument.model_validate(said).model_dump(mode="json")
