"""How much is computed: counted, not timed."""

from itertools import combinations

import numpy as np
import pytest
import torch
from benchmarks import packed_rows
from tests.models.causal.conftest import WORDS, network, tokenizer

from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.causal import transformer
from espalier.models.causal.load import wrap
from espalier.models.causal.trie import nodes
from espalier.models.protocol import TokenRow
from espalier.text import read

SHIPPED_NODES = 5_800
"""What the shipped transformer can remember."""


@pytest.mark.parametrize(
    ("method", "words", "of_all_tokens"),
    [("shap", 20, 0.51), ("shap", 30, 0.63), ("hedge", 20, 0.35), ("leave-one-out", 20, 0.53)],
)
def test_hardly_anything_is_computed_twice(monkeypatch, method, words, of_all_tokens):
    """Through host and pool, ask after ask: at most 1.08 times the nodes of one trie of all rows."""
    tiny = network("llama")
    per_node = 2 * tiny.config.num_hidden_layers * tiny.config.num_key_value_heads * tiny.config.head_dim * 4
    monkeypatch.setattr(transformer, "MEMORY_BYTES", SHIPPED_NODES * per_node)
    model = wrap("tiny", tiny, tokenizer(), "r", torch.device("cpu"))
    rows, answer = [], model.outputs

    def outputs(asked, outcomes=None):
        rows.extend(asked)
        return answer(asked, outcomes)

    monkeypatch.setattr(model, "outputs", outputs)
    before = model.network.computed
    explainer = Explainer(lambda _: model, lambda passage: pytest.fail("no tree is needed"))
    parameters = {"budget": 1024} if method == "shap" else {}
    text = " ".join((WORDS * 3)[:words])
    explainer.explain(ExplanationRequest(text=text, model="own", method=method, outcome=" good", parameters=parameters))
    whole = nodes(rows)
    assert model.network.computed - before <= 1.08 * whole
    assert whole <= of_all_tokens * sum(len(row.ids) for row in rows)


def test_all_spans_of_twenty_words_share_six_sevenths():
    """What trees and ladders mostly ask for."""
    spans = [np.r_[0, np.arange(start, end) + 1] for start, end in combinations(range(21), 2)]
    rows = [TokenRow(each, each, 21) for each in spans]
    assert nodes(rows) <= 0.14 * sum(len(row.ids) for row in rows)


def test_rows_by_themselves_in_packed_batches_say_the_same(hosted):
    """What the benchmark of next words times sharing against."""
    model = hosted("llama")
    encoding = model.encode(read(" ".join(WORDS[:9])))
    outcomes = model.choose(encoding, count=3)
    whole, random = encoding.row(), np.random.default_rng(0)
    kept = [np.flatnonzero(np.r_[True, random.random(len(whole.ids) - 1) < 0.5]) for _ in range(30)]
    rows = [TokenRow(whole.ids[each], whole.positions[each], whole.length) for each in kept]
    np.testing.assert_allclose(packed_rows.outputs(model, rows, outcomes), model.outputs(rows, outcomes), atol=1e-4)


def test_no_table_of_the_whole_vocabulary_is_kept(hosted, monkeypatch):
    """Scores of all tokens are there for a few rows at a time."""
    model = hosted("llama")
    sizes, logits = [], model.network.logits
    monkeypatch.setattr(model.network, "logits", lambda hidden: sizes.append(len(hidden)) or logits(hidden))
    explainer = Explainer(lambda _: model, lambda passage: pytest.fail("no tree is needed"))
    explainer.explain(
        ExplanationRequest(text=" ".join(WORDS[:8]), model="own", method="shap", outcomes=(" good", " wonderful"))
    )
    assert max(sizes) <= 64
    assert sum(sizes) >= 2**8
