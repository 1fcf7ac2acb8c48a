"""Diagnostics of models over a dataset: LS-Tree on every text, and what the scores say together."""

from collections.abc import Callable, Sequence
from math import log

from espalier.datasets.forms import Row
from espalier.diagnostics.adversatives import WORDS
from espalier.diagnostics.diagnosis import diagnosed
from espalier.diagnostics.documents import Diagnosis, LeftOut
from espalier.diagnostics.scored import ScoredText
from espalier.engine.explainer import Explainer
from espalier.engine.many import each_of
from espalier.explain.explanation import Explanation
from espalier.explain.ls_tree import LSTreeResult
from espalier.explain.request import ExplanationRequest
from espalier.problems import BadParameter, Problem
from espalier.scale import Scale

Advance = Callable[[int, int], None]
LEAST = 1e-12
"""A probability that is less than this is this in a loss."""


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
        same = {row.text for row in texts} & {row.text for row in training}
        if same:
            raise BadParameter(
                f"training texts must be others: got {len(same)} that are among the texts, too, such as "
                f"{min(same)[:80]!r}; possible are two files that share none"
            )
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
        for row, scored in zip(rows, each_of(rows, lambda row: self._scored(model, row, linear)), strict=True):
            if isinstance(scored, Problem):
                self.left_out.append(LeftOut(model=model, text=row.text, reason=scored.message))
            found.append(None if isinstance(scored, Problem) else scored)
            self._done += 1
            self._advance(self._done, self._total)
        if rows and not any(found):
            raise BadParameter(f"no text can be explained on {model}: {self.left_out[-1].reason}")
        return found

    def _scored(self, model: str, row: Row, linear: str | None) -> ScoredText | Problem:
        """A text that cannot be explained does not end a run of thousands: it is left out, and said to be."""
        try:
            # As in the paper, sentences of one text do not interact.
            found: Explanation[LSTreeResult] = self._explainer.explain(
                ExplanationRequest(
                    text=row.text, model=model, method="ls-tree", scale=self.scale, parameters={"common_root": False}
                )
            )
            weights = None if linear is None else self._weights(linear, row.text, found.target_class)
        except Problem as problem:
            return problem
        label = _class_of(row.label, found.classes)
        return ScoredText(
            words=tuple(player.text for player in found.players),
            nodes=tuple(found.result.nodes),
            word_values=tuple(found.result.word_values),
            weights=weights,
            loss=None if label is None else -log(max(found.probabilities[label], LEAST)),
            right=None if label is None else found.probabilities[label] == max(found.probabilities),
        )

    def _weights(self, linear: str, text: str, target: str) -> tuple[float, ...]:
        """Of a linear model, the class's weight of a word is what linear SHAP says of it."""
        request = ExplanationRequest(text=text, model=linear, method="linear-shap", target=target)
        return tuple(self._explainer.explain(request).result.values)


def _class_of(label: str | None, classes: Sequence[str]) -> int | None:
    """A label is a class's name, or its number as data sets have it."""
    if label in classes:
        return list(classes).index(label or "")
    return int(label) if label is not None and label.isdigit() and int(label) < len(classes) else None
