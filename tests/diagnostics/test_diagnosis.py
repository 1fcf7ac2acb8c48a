"""Every number against plain loops: texts made a row at a time, least squares with rows deleted, means by hand."""

import math
import statistics

import numpy as np
import pytest

import espalier
from espalier import samples
from espalier.datasets.forms import Row
from espalier.diagnostics.documents import Diagnosis
from espalier.engine.explainer import Explainer
from espalier.lab.diagnose import Diagnosing
from espalier.library import parse, shared_explainer
from espalier.models.catalog import catalog
from espalier.models.protocol import TokenRow
from espalier.problems import BadParameter, NotSupported, UnknownName
from espalier.text import Passage, read
from espalier.trees.tree import SpanTree

MODEL = "sst2-cnn"
LINEAR = "sst2-bow"
TEXTS = [each.text for each in samples.for_task("sentiment") if " but " in each.text or " not " in each.text][:10]
TRAINING = [each.text for each in samples.for_task("sentiment") if each.text not in TEXTS][:8]


class Plain:
    """A text on the model: every node's value from one row of tokens, its score from two fits."""

    def __init__(self, text: str) -> None:
        passage = read(text)
        self.words = [word.text for word in passage.words]
        self.tree = parse(passage)
        model = catalog().load(MODEL)
        encoding = model.encode(passage)
        scores = np.asarray(model.outputs([encoding.row()]), dtype=np.float64)[0]
        self.target = int(scores.argmax())
        self.log_probabilities = scores - np.log(np.exp(scores).sum())

        def log_probability(present: range) -> float:
            kept = [
                (id, at)
                for at, (id, owner) in enumerate(zip(encoding.ids, encoding.owners, strict=True))
                if owner in present
            ]
            row = TokenRow(
                np.array([id for id, _ in kept], dtype=np.int64),
                np.array([at for _, at in kept], dtype=np.int64),
                len(encoding.ids),
            )
            logits = np.asarray(model.outputs([row]), dtype=np.float64)[0]
            return float(logits[self.target] - np.log(np.exp(logits).sum()))

        nothing = log_probability(range(0))
        self.values = [log_probability(range(node.start, node.end)) - nothing for node in self.tree.nodes]
        rows = self.tree.coalitions().astype(float)
        self.word_values = np.linalg.lstsq(rows, np.array(self.values), rcond=None)[0]
        self.scores = [self._score(rows, at) for at in range(len(self.values))]
        table = catalog().load(LINEAR)
        own = table.encode(passage)
        weights = table.network.embedding.weight.detach().numpy()  # type: ignore[attr-defined]
        self.weights = [0.0] * len(self.words)
        for id, owner in zip(own.ids, own.owners, strict=True):
            self.weights[owner] += float(weights[id, self.target])  # type: ignore[index]

    def _score(self, rows: np.ndarray, at: int) -> float:
        node = self.tree.nodes[at]
        inside = [
            each for each, other in enumerate(self.tree.nodes) if node.start <= other.start and other.end <= node.end
        ]
        fits = []
        for kept in (inside, [each for each in inside if each != at]):
            chosen = rows[kept] if kept else np.zeros((1, rows.shape[1]))
            known = np.array([self.values[each] for each in kept] or [0.0])
            fits.append(np.linalg.lstsq(chosen, known, rcond=None)[0])
        return float(np.linalg.norm(fits[0] - fits[1]))


@pytest.fixture(scope="module")
def plain() -> list[Plain]:
    return [Plain(text) for text in TEXTS]


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    return espalier.diagnose(TEXTS, MODEL, linear=LINEAR, training=TRAINING)


def test_correlations_with_the_linear_model(plain: list[Plain], found: Diagnosis) -> None:
    words, phrases = [], []
    for text in plain:
        values: dict[str, list[float]] = {}
        weights = {}
        for word, value, weight in zip(text.words, text.word_values, text.weights, strict=True):
            if weight != 0:
                values.setdefault(word.lower(), []).append(value)
                weights[word.lower()] = weight
        words.append(np.corrcoef([np.mean(values[word]) for word in values], [weights[word] for word in values])[0, 1])
        inner = [(at, node) for at, node in enumerate(text.tree.nodes) if not node.is_leaf]
        sums = [sum(text.weights[node.start : node.end]) for _, node in inner]
        phrases.append(np.corrcoef([text.values[at] for at, _ in inner], sums)[0, 1])
    linearity = found.models[0].linearity
    assert linearity is not None
    assert linearity.words.mean == pytest.approx(np.mean(words), abs=1e-4)
    assert linearity.phrases.mean == pytest.approx(np.mean(phrases), abs=1e-4)
    assert linearity.words.low < linearity.words.mean < linearity.words.high  # type: ignore[operator]


def test_depths_of_the_top_nodes_and_of_any(plain: list[Plain], found: Diagnosis) -> None:
    assert [each.top for each in found.models[0].depths] == list(range(1, 11))
    for each in found.models[0].depths:
        top, chance = [], []
        for text in plain:
            if len(text.scores) < each.top:
                continue
            order = sorted(range(len(text.scores)), key=lambda at, text=text: -text.scores[at])  # type: ignore[misc]
            top.append(sum(text.tree.depths[at] for at in order[: each.top]) / each.top)
            chance.append(sum(text.tree.depths) / len(text.tree.depths))
        assert each.depth.n == len(top)
        assert each.depth.mean == pytest.approx(np.mean(top))
        assert each.chance.mean == pytest.approx(np.mean(chance))
        assert each.difference.mean == pytest.approx(np.mean(top) - np.mean(chance))
        assert 0 < each.p <= 1


def test_scores_of_words_of_contrast(plain: list[Plain], found: Diagnosis) -> None:
    contrast = found.models[0].contrast
    every = [score for text in plain for score in text.scores]
    phrases = [
        score for text in plain for node, score in zip(text.tree.nodes, text.scores, strict=True) if not node.is_leaf
    ]
    assert contrast.average.mean == pytest.approx(np.mean([np.mean(text.scores) for text in plain]), abs=1e-5)
    told = {each.word: each for each in contrast.words}
    for word in ("not", "but"):
        alone, parents = [], []
        for text in plain:
            for place, said in enumerate(text.words):
                if said.lower() == word:
                    leaf = text.tree.leaves[place]
                    alone.append(text.scores[leaf])
                    parents.append(text.scores[text.tree.parents[leaf]])  # type: ignore[index]
        assert len(alone) >= 3
        assert told[word].alone.count == len(alone)
        assert told[word].alone.ratio == pytest.approx(np.mean(alone) / np.mean(every), abs=1e-4)
        assert told[word].parent.ratio == pytest.approx(np.mean(parents) / np.mean(every), abs=1e-4)
        assert told[word].parent_among_phrases.ratio == pytest.approx(np.mean(parents) / np.mean(phrases), abs=1e-4)
    assert told["whereas"].parent.ratio is None


def test_variances_of_training_and_test_texts(plain: list[Plain], found: Diagnosis) -> None:
    test = found.models[0].overfitting
    assert test is not None
    outside = [statistics.pvariance(text.scores) for text in plain]
    inside = [statistics.pvariance(Plain(text).scores) for text in TRAINING]
    assert test.test.variance.mean == pytest.approx(np.mean(outside), abs=1e-4)
    assert test.train.variance.mean == pytest.approx(np.mean(inside), abs=1e-4)
    assert test.difference == pytest.approx(np.mean(outside) - np.mean(inside), abs=1e-4)
    generator = np.random.default_rng(8)
    both = np.array(outside + inside)
    ways = [generator.permutation(both) for _ in range(10_000)]
    beyond = sum(way[: len(outside)].mean() >= np.mean(outside) for way in ways)
    assert test.p == pytest.approx((beyond + 1) / 10_001, abs=0.03)


def test_loss_and_accuracy_are_those_of_the_labels(plain: list[Plain]) -> None:
    # Labels are names of classes, or numbers as data sets have them.
    rows = [Row(text=text, label=label) for text, label in zip(TEXTS, ["positive", "0"] * 5, strict=True)]
    diagnosing = Diagnosing(shared_explainer(), [MODEL], rows)
    for text, label, scored in zip(plain, [1, 0] * 5, diagnosing.texts[MODEL], strict=True):
        assert scored is not None
        assert scored.loss == pytest.approx(-text.log_probabilities[label], abs=1e-5)
        assert scored.right == (text.target == label)


def test_a_linear_model_is_linear_on_its_own_scale_and_nowhere_deep() -> None:
    found = espalier.diagnose(TEXTS, LINEAR, linear=LINEAR, scale="logit").models[0]
    assert found.linearity is not None
    assert found.linearity.words.mean == pytest.approx(1, abs=1e-6)
    assert found.linearity.phrases.mean == pytest.approx(1, abs=1e-6)
    assert [each.depth.mean for each in found.depths[:5]] == [1] * 5
    for word in found.contrast.words:
        if word.parent.ratio is not None and math.isfinite(word.parent.ratio):
            assert word.parent.ratio == pytest.approx(0, abs=1e-4)


def test_what_says_no_classes_is_refused() -> None:
    with pytest.raises(NotSupported, match="classifiers: got word-lstm-lm, possible are"):
        espalier.diagnose(TEXTS, [MODEL, "word-lstm-lm"])
    with pytest.raises(UnknownName, match="unknown scale: got 'loud'"):
        espalier.diagnose(TEXTS, MODEL, scale="loud")  # type: ignore[arg-type]


def test_a_text_is_parsed_once_for_all_models() -> None:
    parsed: list[str] = []

    def counted(passage: Passage) -> SpanTree:
        parsed.append(passage.source)
        return parse(passage)

    explainer = Explainer(catalog().load, counted)
    try:
        Diagnosing(explainer, [LINEAR, MODEL], [Row(text=text) for text in TEXTS[:3]], linear=LINEAR)
    finally:
        explainer.close()
    assert sorted(parsed) == sorted(TEXTS[:3])


def test_training_texts_among_the_texts_are_refused() -> None:
    with pytest.raises(BadParameter, match="training texts must be others: got 1"):
        espalier.diagnose(TEXTS, MODEL, training=[*TRAINING, TEXTS[0]])


def test_a_text_that_cannot_be_explained_is_left_out_and_said_to_be() -> None:
    found = espalier.diagnose([*TEXTS[:3], "good " * 5000], MODEL)
    assert (found.texts, found.models[0].texts) == (4, 3)
    assert "5000" in found.left_out[0].reason.replace(",", "")
    assert found.models[0].linearity is None
    assert found.models[0].overfitting is None
