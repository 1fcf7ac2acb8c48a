"""What all parts share: models, enumerated games, and jobs timed from the request to the explanation."""

from functools import cached_property
from typing import Any

from benchmarks import clock
from benchmarks.counted import Cost, CountedModel
from benchmarks.sentences import halved, of_length
from benchmarks.set_functions import SetFunction, Table, enumerate_directly
from espalier.engine.explainer import Explainer
from espalier.explain.explanation import Explanation
from espalier.explain.request import ExplanationRequest
from espalier.models.catalog import catalog
from espalier.text import Passage
from espalier.trees.tree import SpanTree

TRANSFORMER = "sst2-minilm"
WORD_MODEL = "sst2-cnn"


class Bench:
    """`quick` makes everything smaller, to see whether it runs."""

    def __init__(self, quick: bool) -> None:
        self.quick = quick
        self._tables: dict[tuple[str, int], Table] = {}

    @cached_property
    def transformer(self) -> CountedModel:
        return CountedModel(catalog().load(TRANSFORMER))

    def transformer_table(self, words: int) -> Table:
        """All coalitions of a sentence of so many words through the transformer, computed once."""
        if (TRANSFORMER, words) not in self._tables:
            with SetFunction(self.transformer, of_length(words)[0]) as function:
                self._tables[TRANSFORMER, words] = function.table()
        return self._tables[TRANSFORMER, words]

    def word_model_table(self, words: int) -> Table:
        """The same through the CNN."""
        if (WORD_MODEL, words) not in self._tables:
            with SetFunction(CountedModel(catalog().load(WORD_MODEL)), of_length(words)[0]) as function:
                self._tables[WORD_MODEL, words] = enumerate_directly(function)
        return self._tables[WORD_MODEL, words]

    def explainer(self) -> Explainer:
        """One that has seen nothing yet."""
        explainer = Explainer(lambda _: self.transformer, parse)
        explainer.host(TRANSFORMER)  # its thread is there before the first job
        return explainer

    def job(self, text: str, method: str, **settings: Any) -> tuple[Explanation[Any], Cost]:
        """Explain a text from scratch, as the library does."""
        explainer = self.explainer()
        request = ExplanationRequest(text=text, model=TRANSFORMER, method=method, parameters=settings)
        self.transformer.forget()
        started = clock.now()
        explanation = explainer.explain(request)
        seconds = clock.now() - started
        explainer.close()
        return explanation, Cost(self.transformer.rows, len(self.transformer.distinct_rows), seconds)


def parse(passage: Passage) -> SpanTree:
    return halved(len(passage.words))
