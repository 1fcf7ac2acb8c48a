"""What is far too long for a model is refused before all of it is read."""

import pytest

from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.callable import CallableModel
from espalier.models.predict import predict, predict_all
from espalier.problems import TooLong
from espalier.text import passage


class Short(CallableModel):
    max_length = 5

    def encode(self, passage, pair=None):
        if len(passage.words) > self.max_length:
            raise TooLong(f"got {len(passage.words)} words, possible are up to {self.max_length}")
        return super().encode(passage, pair)


@pytest.fixture
def model():
    return Short(lambda texts: [[0.4, 0.6]] * len(texts), ["a", "b"])


@pytest.fixture
def reached(monkeypatch):
    """How far into a text words were looked for."""
    places = [0]
    tokens = passage.treebank_tokens

    def watched(source):
        for start, end in tokens(source):
            places.append(end)
            yield start, end

    monkeypatch.setattr(passage, "treebank_tokens", watched)
    return places


def test_a_text_far_beyond_a_model_is_read_only_so_far(model, reached):
    text = "a film " * 2_000
    ways = (
        lambda: predict(model, text),
        lambda: predict_all(model, [("a film", text)]),
        lambda: Explainer(lambda _: model, None).prepare(ExplanationRequest(text=text, model="m", method="lime")),
    )
    for way in ways:
        reached[:] = [0]
        with pytest.raises(TooLong, match="got more than 10 words"):
            way()
        assert max(reached) < 100


def test_who_is_a_little_beyond_is_told_how_far(model):
    with pytest.raises(TooLong, match="got 7 words, possible are up to 5"):
        predict(model, "one two three four five six seven")
    assert predict(model, "one two three four five").tokens == 5
