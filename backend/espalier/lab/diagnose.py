"""Diagnostics of models over a dataset: LS-Tree on every text, and what the scores say together."""

from collections.abc import Callable, Sequence

from espalier.datasets.forms import Row
from espalier.diagnostics.adversatives import WORDS
from espalier.diagnostics.diagnosis import diagnosed
from espalier.diagnostics.documents import Diagnosis, LeftOut
from espalier.diagnostics.scored import ScoredText
from espalier.engine.explainer import Explainer
from espalier.engine.many import each_of
from espalier.engine.scoring import scored
from espalier.lab.diagnosis.training import check_apart
from espalier.problems import BadParameter, Problem
from espalier.scale import Scale

Advance = Callable[[int, int], None]


class Diagnosing:
    """Models that are to be diagnosed on texts, and the training texts of them all, if the test of overfitting is
    wanted. `linear` is a bag of words with the same classes."""

    def __init__(
        self,
        explainer: Explainer,
        models: Sequence[str],
        texts: Sequence[Row],
        training: Sequence[Row] = (),
        linear: str | None = None,
        scale: Scale = "log_probability",
        seed: int = 0,
        advance: Advance = lambda done, total: None,
    ) -> None:
        check_apart(texts, training)
        self.models, self.linear, self.scale, self.seed = tuple(models), linear, scale, seed
        self.left_out: list[LeftOut] = []
        # Apart, a text is parsed once for all models: of the quick ones, parsing takes most of the time.
        self._explainer = explainer.apart()
        self._advance = advance
        self._done, self._total = 0, len(models) * (len(texts) + len(training))
        self.texts = {model: self._scores(model, texts, linear) for model in self.models}
        """Of every model, in the order of the texts."""
        self.training = {model: self._scores(model, training, None) for model in self.models}

    def diagnosis(self, words: Sequence[str] = WORDS) -> Diagnosis:
        first = self.models[0]
        return Diagnosis(
            texts=len(self.texts[first]),
            training_texts=len(self.training[first]),
            linear=self.linear,
            scale=self.scale,
            seed=self.seed,
            models=[
                diagnosed(model, self.texts[model], self.training[model], self.seed, tuple(words))
                for model in self.models
            ],
            left_out=self.left_out,
        )

    def _scores(self, model: str, rows: Sequence[Row], linear: str | None) -> list[ScoredText | None]:
        found: list[ScoredText | None] = []
        for row, each in zip(rows, each_of(rows, lambda row: self._scored(model, row, linear)), strict=True):
            if isinstance(each, Problem):
                self.left_out.append(LeftOut(model=model, text=row.text, reason=each.message))
            found.append(None if isinstance(each, Problem) else each)
            self._done += 1
            self._advance(self._done, self._total)
        if rows and not any(found):
            raise BadParameter(f"no text can be explained on {model}: {self.left_out[-1].reason}")
        return found

    def _scored(self, model: str, row: Row, linear: str | None) -> ScoredText | Problem:
        """A text that cannot be explained does not end a run of thousands: it is left out, and said to be."""
        try:
            return scored(self._explainer.explain, row.text, model, linear, self.scale, row.label)[0]
        except Problem as problem:
            return problem
