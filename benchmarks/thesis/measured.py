"""SHAP values of next words, passage by passage. What is done is kept, so that a run that was stopped goes on."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.sections import KEPT
from benchmarks.thesis.passages import Continued
from espalier.engine.explainer import Explainer
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import catalog
from espalier.models.causal.model import CausalModel
from espalier.problems import Problem
from espalier.text import Passage, read
from espalier.trees.tree import SpanTree


@dataclass(frozen=True, slots=True)
class Explained:
    """One passage: values of its words, first to last, for the likeliest next word and for the one that came. `real` is
    empty where the model cannot write that word, or where it is the likeliest one. `left_out` are exact values of the
    likeliest word, one word left out at a time; empty where what is absent is drawn."""

    index: int
    right: bool
    predicted: list[float]
    predicted_errors: list[float]
    real: list[float]
    left_out: list[float]


@dataclass(frozen=True, slots=True)
class Run:
    """One model with so many coalitions for each passage. `seconds` is about what a passage takes on two quiet cores:
    runs are weighed by it when the time left is told."""

    model: str
    budget: int
    seconds: float
    reference: str = "pad"
    most: int | None = None
    """Passages, where all would take too long."""

    @property
    def name(self) -> str:
        return f"{self.model} {self.budget}" + ("" if self.reference == "pad" else f" {self.reference}")

    @property
    def kept(self) -> Path:
        mark = catalog().load(self.model).revision
        return KEPT / "thesis" / f"{self.model}-{mark[:12]}-{self.budget}-{self.reference}.jsonl"

    def texts(self, texts: list[Continued]) -> list[Continued]:
        return texts[: self.most]

    def missing(self, texts: list[Continued]) -> int:
        """How many passages are not explained yet."""
        return len(set(range(len(self.texts(texts)))) - {each.index for each in _read(self.kept)})

    def measure(self, texts: list[Continued], done: Callable[[], None]) -> list[Explained]:
        """All passages; `done` hears of those that were not known."""
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        known = {each.index: each for each in _read(self.kept)}
        model = catalog().load(self.model)
        assert isinstance(model, CausalModel)
        found: list[Explained] = []
        for index, text in enumerate(self.texts(texts)):
            if index not in known:
                known[index] = self._explain(model, index, text)
                with self.kept.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(asdict(known[index])) + "\n")
                done()
            found.append(known[index])
        return found

    def _explain(self, model: CausalModel, index: int, text: Continued) -> Explained:
        encoding = model.encode(read(text.text))
        predicted = model.choose(encoding, count=1).names[0]
        try:
            own = model.writing.tokens_of(text.real)
        except Problem:
            own = ()
        right = begins(model.writing.tokens_of(predicted), own)
        words = [predicted]
        if own and not right:
            try:
                model.choose(encoding, (predicted, text.real), count=0)
                words.append(text.real)
            except Problem:  # one begins the other
                pass
        # A reference that draws asks another model, by its name.
        explainer = Explainer(lambda name: model if name == self.model else catalog().load(name), _no_tree)
        try:
            results = [self._values(explainer, text.text, word, tuple(words)) for word in words]
            left_out = self._left_out(explainer, text.text, predicted, tuple(words))
        finally:
            explainer.close()
        real = results[1][0] if len(results) > 1 else []
        return Explained(index, right, *results[0], real, left_out)

    def _values(
        self, explainer: Explainer, text: str, word: str, words: tuple[str, ...]
    ) -> tuple[list[float], list[float]]:
        """Both words are outcomes of one game: the second is explained from what the first has asked for."""
        result = explainer.explain(self._request(text, word, words, "shap", budget=self.budget)).result
        return list(result.values), list(result.standard_errors or [0.0] * len(result.values))

    def _left_out(self, explainer: Explainer, text: str, word: str, words: tuple[str, ...]) -> list[float]:
        if self.reference != "pad":
            return []
        return list(explainer.explain(self._request(text, word, words, "leave-one-out")).result.values)

    def _request(
        self, text: str, word: str, words: tuple[str, ...], method: str, **parameters: int
    ) -> ExplanationRequest:
        return ExplanationRequest(
            text=text,
            model=self.model,
            method=method,
            outcome=word,
            outcomes=words,
            reference=self.reference,
            parameters=parameters,
        )


def begins(predicted: tuple[int, ...], real: tuple[int, ...]) -> bool:
    """Whether a prediction is right: it is the word that came, or the first tokens of it."""
    return bool(real) and real[: len(predicted)] == predicted


def _read(kept: Path) -> list[Explained]:
    if not kept.is_file():
        return []
    return [Explained(**json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]


def _no_tree(_: Passage) -> SpanTree:
    raise NotImplementedError("SHAP values need no tree")
