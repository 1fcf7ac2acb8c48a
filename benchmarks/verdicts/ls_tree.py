"""LS-Tree's claims (section 5, on SST), and the numbers that decide them, from the Lab's diagnostics."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from benchmarks.verdicts.claims import MODELS, Claim, Side
from benchmarks.verdicts.contrast import against_any
from benchmarks.verdicts.evidence import Evidence
from espalier.diagnostics.depth import top_depths
from espalier.diagnostics.linearity import word_correlation
from espalier.diagnostics.overfitting import score_variance
from espalier.diagnostics.scored import ScoredText, Scores
from espalier.lab.diagnose import Diagnosing
from espalier.lab.matrix import Column

SCORES, ANY, TRAINING = "ls-tree scores", "any node", "training texts"
"""What is compared: a model's scores, those of any node of the same texts, those of texts it was trained on."""

LINEAR = "sst2-bow"
CORRELATION, DEPTH, SCORE, VARIANCE = "linear-correlation", "top-depth", "node-score", "score-variance"
KINDS = {"BoW": LINEAR, **MODELS}

_CORRELATION = {"CNN": 0.591, "LSTM": 0.580, "BERT": 0.465}  # Table 2
_AVERAGE = {"CNN": 0.634, "LSTM": 0.790, "BERT": 1.238}  # Table 4, the average score of a node
_PARENT = {  # Table 4
    "not": {"CNN": 1.673, "LSTM": 1.746, "BERT": 1.714},
    "but": {"CNN": 1.694, "LSTM": 1.502, "BERT": 2.148},
}
_ALONE = {"not": {"CNN": 4.592, "LSTM": 2.580, "BERT": 4.383}}
_WHILE = {"contrast": {"CNN": 1.142, "LSTM": 2.155, "BERT": 2.167}}  # Table 5, one review


def parent_of(word: str) -> str:
    return f"parent of {word!r}"


def alone(word: str) -> str:
    return f"{word!r} alone"


def among_phrases(word: str) -> str:
    return f"{parent_of(word)}, of phrases"


RATIOS: dict[str, tuple[str, str, bool]] = {
    **{parent_of(word): (word, "parent", False) for word in (*_PARENT, "while (contrast)", "while (time)")},
    **{among_phrases(word): (word, "parent", True) for word in _PARENT},
    **{alone(word): (word, "alone", False) for word in _ALONE},
}
"""Words, whose score it is, and whether it is held against phrases only: a parent is always one."""

MEASURES = (CORRELATION, DEPTH, SCORE, VARIANCE, *RATIOS)


def _side(kind: str, published: float | None, scores: str = SCORES) -> Side:
    return Side(scores, KINDS[kind], published)


def _more_than_any(paper: str, name: str, says: str, published: Mapping[str, float | None]) -> list[Claim]:
    return [
        Claim(paper, f"{says} ({kind})", name, _side(kind, value), _side(kind, 1.0, ANY), None, "higher", "own")
        for kind, value in published.items()
    ]


CLAIMS: tuple[Claim, ...] = (
    *(
        Claim(
            "LS-Tree, Table 2",
            f"BERT's word values follow a linear model less than the {kind}'s",
            CORRELATION,
            _side("BERT", _CORRELATION["BERT"]),
            _side(kind, _CORRELATION[kind]),
            None,
            "lower",
        )
        for kind in ("CNN", "LSTM")
    ),
    *(
        Claim(
            "LS-Tree, Figure 3",
            f"BERT's top nodes (1 to 10) lie deeper than those of the {kind}",
            DEPTH,
            _side("BERT", None),
            _side(kind, None),
            None,
            "higher",
        )
        for kind in ("CNN", "LSTM", "BoW")
    ),
    *(
        Claim(
            "LS-Tree, Table 4",
            f"BERT has higher scores on a node than the {kind}",
            SCORE,
            _side("BERT", _AVERAGE["BERT"]),
            _side(kind, _AVERAGE[kind]),
            None,
            "higher",
        )
        for kind in ("CNN", "LSTM")
    ),
    *(
        each
        for word, published in _PARENT.items()
        for each in _more_than_any(
            "LS-Tree, Table 4", parent_of(word), f'"{word}" interacts: its parent scores more than any node', published
        )
    ),
    *(
        each
        for word in _PARENT
        for each in _more_than_any(
            "LS-Tree, Table 4",
            among_phrases(word),
            f'the parent of "{word}" scores more than any phrase: a parent is always one',
            dict.fromkeys(MODELS),
        )
    ),
    *(
        each
        for word, published in _ALONE.items()
        for each in _more_than_any(
            "LS-Tree, Table 4", alone(word), f'"{word}" alone scores more than any node', published
        )
    ),
    *_more_than_any(
        "LS-Tree, Table 5",
        parent_of("while (contrast)"),
        'the parent of "while" for a contrast scores more than any node',
        _WHILE["contrast"],
    ),
    Claim(
        "LS-Tree, Table 5",
        'the parent of "while" for the same time scores less than any node (BERT)',
        parent_of("while (time)"),
        _side("BERT", 0.062),
        _side("BERT", 1.0, ANY),
        None,
        "lower",
        "own",
    ),
    *(
        Claim(
            "LS-Tree, section 5.3",
            f"scores of a model that fits its training texts better vary more on new ones ({kind})",
            VARIANCE,
            _side(kind, None),
            _side(kind, None, TRAINING),
            None,
            "higher",
            "unpaired",
        )
        for kind in MODELS
    ),
)


def measured(diagnosing: Diagnosing) -> Evidence:
    """A number for each text, by model: of the scores, and of those of training texts; and words of contrast."""
    found = Evidence()
    for model, scores in diagnosing.texts.items():
        found.columns[model, SCORES] = Column(
            0,
            0,
            {
                CORRELATION: _each(scores, word_correlation),
                DEPTH: _each(scores, lambda text: float(np.nanmean(top_depths(text)))),
                SCORE: _each(scores, lambda text: float(np.mean([score for _, score in text.scored]))),
                VARIANCE: _each(scores, score_variance),
            },
        )
        explained = [text for text in scores if text is not None]
        for name, (word, part, phrases) in RATIOS.items():
            if (outcome := against_any(explained, word, part, phrases, diagnosing.seed)) is not None:
                found.outcomes[model, name] = outcome
        if diagnosing.training[model]:
            found.columns[model, TRAINING] = Column(0, 0, {VARIANCE: _each(diagnosing.training[model], score_variance)})
    return found


def _each(scores: Scores, measure: Callable[[ScoredText], float]) -> NDArray[np.float64]:
    return np.array([np.nan if text is None else measure(text) for text in scores])
