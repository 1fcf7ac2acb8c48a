"""`espalier.explain(...)`: the whole project in one call, for scripts and notebooks."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from espalier.engine.driver import Listener
from espalier.engine.explainer import Explainer
from espalier.explain.explanation import Explanation
from espalier.explain.request import ExplanationRequest
from espalier.models.callable import CallableModel
from espalier.models.catalog import catalog
from espalier.models.device import default_device
from espalier.models.protocol import HostedModel
from espalier.problems import BadModel
from espalier.text import Passage
from espalier.trees.tree import SpanTree


def explain(
    text: str,
    model: str | Callable[[list[str]], Any] | Any = "sst2-minilm",
    method: str = "ls-tree",
    *,
    classes: Sequence[str] | None = None,
    listener: Listener | None = None,
    **options: Any,
) -> Explanation[Any]:
    """Explain one prediction.

    `model` is a catalog name, a Hugging Face text-classification pipeline, a hosted model, or any function from a list
    of texts to rows of probabilities (`classes` names its columns). Further options are the fields of
    ExplanationRequest: target, scale, reference, players, tree, parameters, seed, …
    """
    explainer, name = (
        (shared_explainer(), model) if isinstance(model, str) else (_explainer_of(host_of(model, classes)), "own")
    )
    return explainer.explain(ExplanationRequest(text=text, model=name, method=method, **options), listener)


@cache
def shared_explainer() -> Explainer:
    """The catalog's models, loaded once for the process."""
    return Explainer(catalog().load, parse)


def parse(passage: Passage) -> SpanTree:
    from espalier.trees.parser import default_parser  # loads benepar and spaCy: seconds that only a tree is worth

    return default_parser().parse(passage)


def _explainer_of(model: HostedModel) -> Explainer:
    """An explainer for a model that is not in the catalog, kept so that its pools serve the next call too."""
    kept = _own_explainers.get(id(model))
    if kept is None or kept[0] is not model:
        kept = _own_explainers[id(model)] = (model, Explainer(lambda _: model, parse))
    return kept[1]


_own_explainers: dict[int, tuple[HostedModel, Explainer]] = {}
_wrapped: dict[int, tuple[Any, HostedModel]] = {}


def host_of(model: Any, classes: Sequence[str] | None = None) -> HostedModel:
    """A pipeline or a function as a hosted model; the same object gives the same one again."""
    if isinstance(model, HostedModel):
        return model
    kept = _wrapped.get(id(model))
    if kept is None or kept[0] is not model:
        kept = _wrapped[id(model)] = (model, _wrap(model, classes))
    return kept[1]


def _wrap(model: Any, classes: Sequence[str] | None) -> HostedModel:
    network, tokenizer = getattr(model, "model", None), getattr(model, "tokenizer", None)
    if network is not None and tokenizer is not None and hasattr(network, "config"):
        from espalier.models.transformer import wrap_pipeline

        return wrap_pipeline(network, tokenizer, tuple(classes) if classes else None, default_device())
    if callable(model):
        return CallableModel(model, classes)
    raise BadModel(
        f"cannot explain a {type(model).__name__}: possible are a catalog name, a transformers pipeline, "
        "or a function from a list of texts to probabilities"
    )
