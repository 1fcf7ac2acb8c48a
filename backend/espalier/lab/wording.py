"""How paragraphs for papers put names, numbers and tests, whatever kind of run they are about."""

from collections.abc import Sequence

from espalier.datasets.forms import Dataset
from espalier.statistics.documents import MeanInterval, RatioInterval, Share
from espalier.statistics.means import LARGE


def listed(names: Sequence[str]) -> str:
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


def source_of(dataset: Dataset) -> str:
    """Where the texts are from."""
    return getattr(dataset, "name", None) or f"the project's {getattr(dataset, 'task', '')} samples"


def intervals_by(texts: int, draws: int) -> str:
    """How the intervals of means were found."""
    return "normal" if texts > LARGE else f"bootstrap, BCa, {draws:,} draws"


def span(interval: MeanInterval | RatioInterval | Share, digits: int = 3) -> str:
    """An interval behind its number; nothing where there is none."""
    if interval.low is None or interval.high is None:
        return ""
    return f" [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def p_value(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"
