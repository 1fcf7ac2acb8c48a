"""One model's scored texts, and all that they say of it."""

import numpy as np

from espalier.diagnostics.adversatives import WORDS, adversatives
from espalier.diagnostics.depth import MOST, chance_depth, top_depths
from espalier.diagnostics.documents import Depth, Linearity, ModelDiagnosis
from espalier.diagnostics.linearity import phrase_correlation, word_correlation
from espalier.diagnostics.overfitting import overfitting
from espalier.diagnostics.scored import ScoredText, Scores
from espalier.statistics.means import mean_intervals, sign_flips


def diagnosed(
    model: str, scores: Scores, training: Scores, seed: int, words: tuple[str, ...] = WORDS
) -> ModelDiagnosis:
    """Training texts are for the test of overfitting alone, which is left out where there are none."""
    texts = [text for text in scores if text is not None]
    known = [text for text in training if text is not None]
    return ModelDiagnosis(
        model=model,
        texts=len(texts),
        linearity=_linearity(texts, seed) if texts[0].weights is not None else None,
        depths=_depths(texts, seed),
        contrast=adversatives(texts, seed, words),
        overfitting=overfitting(known, texts, seed) if known else None,
    )


def _linearity(texts: list[ScoredText], seed: int) -> Linearity:
    found = np.array([[word_correlation(text), phrase_correlation(text)] for text in texts])
    words, phrases = mean_intervals(found, seed)
    return Linearity(words=words, phrases=phrases)


def _depths(texts: list[ScoredText], seed: int) -> list[Depth]:
    top = np.array([top_depths(text) for text in texts])
    # Beside the top nodes of those texts that have so many.
    chance = np.where(np.isnan(top), np.nan, np.array([[chance_depth(text)] for text in texts]))
    found = mean_intervals(np.hstack([top, chance, top - chance]), seed)
    tested = [sign_flips((top - chance)[~np.isnan(top[:, at])][:, [at]], seed)[0] for at in range(MOST)]
    return [
        Depth(top=at + 1, depth=found[at], chance=found[MOST + at], difference=found[2 * MOST + at], p=tested[at])
        for at in range(MOST)
    ]
