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
    empty where the model cannot write that word, or where it is the likeliest one."""

    index: int
    right: bool
    predicted: list[float]
    predicted_errors: list[float]
    real: list[float]


@dataclass(frozen=True, slots=True)
class Run:
    """One model with so many coalitions for each passage."""

    model: str
    budget: int

    @property
    def kept(self) -> Path:
        mark = catalog().load(self.model).revision
        return KEPT / "thesis" / f"{self.model}-{mark[:12]}-{self.budget}.jsonl"

    def measure(self, texts: list[Continued], done: Callable[[], None]) -> list[Explained]:
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        known = {each.index: each for each in _read(self.kept)}
        model = catalog().load(self.model)
        assert isinstance(model, CausalModel)
        found: list[Explained] = []
        for index, text in enumerate(texts):
            if index not in known:
                known[index] = self._explain(model, index, text)
                with self.kept.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(asdict(known[index])) + "\n")
            found.append(known[index])
            done()
        return found

    def _explain(self, model: CausalModel, index: int, text: Continued) -> Explained:
        encoding = model.encode(read(text.text))
        predicted = model.choose(encoding, count=1).names[0]
        try:
            own = model.writing.tokens_of(text.real)
        except Problem:
            own = ()
        right = own == model.writing.tokens_of(predicted)
        words = [predicted]
        if own and not right:
            try:
                model.choose(encoding, (predicted, text.real), count=0)
                words.append(text.real)
            except Problem:  # one begins the other
                pass
        explainer = Explainer(lambda _: model, _no_tree)
        try:
            results = [self._values(explainer, text.text, word, tuple(words)) for word in words]
        finally:
            explainer.close()
        real = results[1][0] if len(results) > 1 else []
        return Explained(index, right, *results[0], real)

    def _values(
        self, explainer: Explainer, text: str, word: str, words: tuple[str, ...]
    ) -> tuple[list[float], list[float]]:
        """Both words are outcomes of one game: the second is explained from what the first has asked for."""
        request = ExplanationRequest(
            text=text,
            model=self.model,
            method="shap",
            outcome=word,
            outcomes=words,
            parameters={"budget": self.budget},
        )
        result = explainer.explain(request).result
        return list(result.values), list(result.standard_errors or [0.0] * len(result.values))


def _read(kept: Path) -> list[Explained]:
    if not kept.is_file():
        return []
    return [Explained(**json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]


def _no_tree(_: Passage) -> SpanTree:
    raise NotImplementedError("SHAP values need no tree")
