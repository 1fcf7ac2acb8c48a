"""One model's scored texts, and all that they say of it."""

from collections.abc import Sequence
from math import isnan

import numpy as np

from espalier.diagnostics.adversatives import WORDS, adversatives, node_sums, occurrences
from espalier.diagnostics.depth import MOST, chance_depth, top_depths
from espalier.diagnostics.documents import Depth, Linearity, ModelDiagnosis
from espalier.diagnostics.linearity import phrase_correlation, word_correlation
from espalier.diagnostics.overfitting import overfitting, spread_of
from espalier.diagnostics.rows import TextRow
from espalier.diagnostics.scored import ScoredText, Scores
from espalier.statistics.means import FloatArray, mean_intervals, sign_flips


def diagnosed(
    model: str, scores: Scores, training: Scores, seed: int, words: tuple[str, ...] = WORDS
) -> ModelDiagnosis:
    """Training texts are for the test of overfitting alone, which is left out where there are none."""
    texts = [text for text in scores if text is not None]
    known = [spread_of(text) for text in training if text is not None]
    rows = [row_of(text, words) for text in texts]
    return ModelDiagnosis(
        model=model,
        texts=len(texts),
        linearity=linearity(rows, seed) if texts[0].weights is not None else None,
        depths=depths(rows, seed),
        contrast=adversatives(rows, seed, words),
        overfitting=overfitting(known, [spread_of(text) for text in texts], seed) if known else None,
    )


def row_of(text: ScoredText, words: Sequence[str] = WORDS) -> TextRow:
    """What is kept of a text that was scored."""
    nodes, phrases = node_sums(text)
    return TextRow(
        words=len(text.words),
        word_correlation=_number(word_correlation(text)),
        phrase_correlation=_number(phrase_correlation(text)),
        depths=tuple(depth for depth in top_depths(text) if not isnan(depth)),
        chance=chance_depth(text),
        nodes=nodes,
        phrases=phrases,
        contrast=tuple(occurrences(text, words)),
    )


def linearity(texts: Sequence[TextRow], seed: int) -> Linearity:
    """How far word values, and values of phrases, go with a linear model's weights (Table 2)."""
    found = np.array([[text.word_correlation, text.phrase_correlation] for text in texts], dtype=np.float64)
    words, phrases = mean_intervals(found, seed)
    return Linearity(words=words, phrases=phrases)


def depths(texts: Sequence[TextRow], seed: int) -> list[Depth]:
    """How high in the tree the top nodes lie, beside any nodes of the same texts (Figure 3)."""
    top: FloatArray = np.full((len(texts), MOST), np.nan)
    for line, text in zip(top, texts, strict=True):
        line[: len(text.depths)] = text.depths
    # Beside the top nodes of those texts that have so many.
    chance = np.where(np.isnan(top), np.nan, np.array([[text.chance] for text in texts]))
    found = mean_intervals(np.hstack([top, chance, top - chance]), seed)
    tested = [sign_flips((top - chance)[~np.isnan(top[:, at])][:, [at]], seed)[0] for at in range(MOST)]
    return [
        Depth(top=at + 1, depth=found[at], chance=found[MOST + at], difference=found[2 * MOST + at], p=tested[at])
        for at in range(MOST)
    ]


def _number(value: float) -> float | None:
    return None if isnan(value) else value
