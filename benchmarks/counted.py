"""A model that counts what it is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from espalier.models.outcomes import Outcomes
from espalier.models.protocol import FloatArray, TokenRow


class CountedModel:
    """A hosted model that remembers which rows it was given. Everybody is counted here: methods and libraries alike."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.forget()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def width(self, row: TokenRow) -> int:
        return int(self._model.width(row))

    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        self.rows += len(rows)
        for row in rows:
            self.distinct_rows.setdefault((row.ids.tobytes(), row.positions.tobytes()), row)
        return self._model.outputs(rows, outcomes)

    def forget(self) -> None:
        self.rows = 0
        self.distinct_rows: dict[tuple[bytes, bytes], TokenRow] = {}


@dataclass(frozen=True, slots=True)
class Cost:
    """Evaluations of the model, different ones among them, and seconds."""

    evaluations: int
    distinct: int
    seconds: float
