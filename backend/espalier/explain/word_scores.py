"""One number for each word: the result that leave-one-out, LIME, L- and C-Shapley, sampled Shapley and SOC share."""

from pydantic import Field

from espalier.explain.reading import Reading, read, words_of
from espalier.explain.registry import MethodResult


class WordScores(MethodResult):
    """How much each player speaks for the explained class, in the scale of the game."""

    values: tuple[float, ...] = Field(description="One number for each player, in the order of the text.")
    standard_errors: tuple[float, ...] | None = Field(
        default=None, description="One for each value where values are drawn at random; none where they are exact."
    )
    base: float = Field(description="The model's value with all players absent.")
    full: float = Field(description="The model's value of the whole text.")

    def reading(self) -> Reading:
        errors = None if self.exact else self.standard_errors
        return read(words_of(self.values, errors), exact=self.exact, base=self.base, full=self.full)
