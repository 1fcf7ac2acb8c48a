"""Which texts become items: drawn in the order of the seed, those that no filter removes."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from espalier.datasets.forms import Row
from espalier.studies.design import Filters
from espalier.studies.features import has_interaction, polarity_differs
from espalier.studies.items import Shows


class Selection:
    """Texts come by; each is kept or has a reason why not."""

    def __init__(self, rows: Sequence[Row], lengths: Sequence[int], filters: Filters, wanted: int, seed: int) -> None:
        random = Random(f"selection {seed}")
        self.order = list(range(len(rows)))
        random.shuffle(self.order)
        self.wanted = wanted
        self.kept: list[int] = []
        self.removed: Counter[str] = Counter()
        self.examined = 0
        self._rows = rows
        self._lengths = lengths
        self._filters = filters
        self._quotas = _quotas(lengths, filters, wanted, random) if filters.uniform_lengths else None

    @property
    def full(self) -> bool:
        return len(self.kept) >= self.wanted

    def by_length(self, row: int) -> str | None:
        """Why this text is out before any model has seen it."""
        length = self._lengths[row]
        if not self._filters.minimum_words <= length <= self._filters.maximum_words:
            return "length"
        if self._quotas is not None and self._quotas[length] <= 0:
            return "uniform lengths"
        return None

    def by_explanations(self, row: int, shown: Sequence[Shows], preference: bool) -> str | None:
        """Why this text is out now that it is explained."""
        label = self._rows[row].label
        if self._filters.correctly_classified and any(each.prediction != label for each in shown):
            return "no label" if label is None else "wrongly classified"
        if self._filters.has_interaction and not any(has_interaction(each) for each in shown):
            return "no interaction"
        if self._filters.polarity_differs and preference and not _differs(shown):
            return "same polarity"
        return None

    def decide(self, row: int, reason: str | None) -> bool:
        """Keep the text, or count why not."""
        self.examined += 1
        if reason is not None:
            self.removed[reason] += 1
            return False
        if self._quotas is not None:
            self._quotas[self._lengths[row]] -= 1
        self.kept.append(row)
        return True

    def note(self) -> str | None:
        """What an owner should know of the outcome."""
        if self.full:
            return None
        reasons = ", ".join(f"{count} by {reason}" for reason, count in self.removed.most_common())
        return f"fewer items than wanted: got {len(self.kept)} of {self.wanted}; texts left out: {reasons or 'none'}"


def _differs(shown: Sequence[Shows]) -> bool:
    """For the two explanations of every model: a text serves only if it serves for all models."""
    models = {each.model for each in shown}
    pairs = [[each for each in shown if each.model == model] for model in models]
    return all(polarity_differs(first, second) for first, second in pairs)


def _quotas(lengths: Sequence[int], filters: Filters, wanted: int, random: Random) -> Counter[int]:
    """As many items of each length that there is; what does not divide evenly goes to lengths drawn at random."""
    present = sorted({length for length in lengths if filters.minimum_words <= length <= filters.maximum_words})
    if not present:
        return Counter()
    each, rest = divmod(wanted, len(present))
    lucky = set(random.sample(present, rest))
    return Counter({length: each + (length in lucky) for length in present})
