"""`espalier.explain(...)`: the whole project in one call, for scripts and notebooks."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from espalier import notebook  # noqa: F401  (explanations learn to draw themselves)
from espalier.datasets.files import FORMATS
from espalier.engine.driver import Listener
from espalier.engine.explainer import Explainer
from espalier.engine.many import each_of
from espalier.engine.messages.answers import StandInTexts
from espalier.explain.explanation import Explanation
from espalier.explain.request import ExplanationRequest
from espalier.models.callable import CallableModel
from espalier.models.catalog import Catalog, catalog
from espalier.models.describe import Shelf
from espalier.models.device import default_device
from espalier.models.families import CAUSAL_HEADS, MASKED_HEAD
from espalier.models.protocol import HostedModel
from espalier.problems import BadModel, UnknownName
from espalier.scale import SCALES, Scale
from espalier.text import Passage
from espalier.trees.desk import ParseDesk
from espalier.trees.tree import SpanTree

if TYPE_CHECKING:
    from espalier.datasets.forms import Dataset
    from espalier.diagnostics.documents import Diagnosis
    from espalier.lab.local import LocalRun

OWN = "own"
"""What a model of the caller's is called."""

KEPT_MODELS = 4
"""Models of the caller's own that stay ready, each with a thread and the values of its last games, after their use."""


def explain(
    text: str,
    model: str | Callable[[list[str]], Any] | Any | None = None,
    method: str = "ls-tree",
    *,
    classes: Sequence[str] | None = None,
    listener: Listener | None = None,
    **options: Any,
) -> Explanation[Any]:
    """Explain one prediction.

    `model` is a catalog name (the catalog's first by default), a folder or hub id, a Hugging Face text-classification
    pipeline, a hosted model, or any function from a list of texts to rows of probabilities (`classes` names its
    columns). Further options are the fields of ExplanationRequest: target, scale, reference, players, tree, parameters,
    seed, … `filler` may be a folder or hub id, too.
    """
    options = _with_filler(options)
    if model is None or isinstance(model, str):
        request = ExplanationRequest(text=text, model=catalog().choose(model), method=method, **options)
        return shared_explainer().explain(request, listener)
    with _own_models.using(model, classes) as explainer:
        return explainer.explain(ExplanationRequest(text=text, model=OWN, method=method, **options), listener)


def stand_ins(text: str, absent: Sequence[int], model: Any | None = None, **options: Any) -> StandInTexts:
    """The texts that a model reads when players are absent: one for each draw, what stands in marked.

    `model` and options are those of `explain`, as far as they speak of model, players and reference.
    """
    from espalier.engine.stand_ins import METHOD
    from espalier.engine.stand_ins import stand_ins as found

    fields = {"text": text, "method": METHOD, **_with_filler(options)}
    if model is None or isinstance(model, str):
        return found(shared_explainer(), ExplanationRequest(model=catalog().choose(model), **fields), absent)
    with _own_models.using(model, None) as explainer:
        return found(explainer, ExplanationRequest(model=OWN, **fields), absent)


def explain_all(
    texts: Iterable[str], model: str | None = None, method: str = "ls-tree", **options: Any
) -> Iterator[Explanation[Any]]:
    """Explain many texts, in their order, several of them at the same time: far faster than one after the other. What
    cannot be explained raises its problem in its turn. Options are those of `explain`."""
    name, options = catalog().choose(model), _with_filler(options)
    requests = (ExplanationRequest(text=text, model=name, method=method, **options) for text in texts)
    return each_of(requests, shared_explainer().explain)


def _with_filler(options: Mapping[str, Any]) -> dict[str, Any]:
    """A masked language model that is a folder or hub id belongs to the catalog from now on, as a model does."""
    filler = options.get("filler")
    return {**options, "filler": catalog().choose(filler)} if isinstance(filler, str) else dict(options)


def evaluate(
    texts: Sequence[str] | str | Path = "sentiment",
    models: str | Sequence[str] | None = None,
    methods: str | Sequence[str | Mapping[str, Any]] = ("ls-tree", "shap"),
    *,
    explanations: str | Path | Iterable[Mapping[str, Any]] | None = None,
    out: str | Path | None = None,
    advance: Callable[[int, int], None] = lambda done, total: None,
    **options: Any,
) -> "LocalRun":
    """Explain a whole dataset in several ways and measure every way: `run.results` has tables and tests, `run.rows`
    all numbers.

    `texts` are texts, a file (.tsv, .csv, .jsonl) or a task of the project's samples; `methods` are names, or
    {"method": name, "parameters": {…}}. `explanations` were made elsewhere and are measured beside the methods: a file
    (.jsonl; docs/lab.md, "Bring your own"), or objects such as its lines hold. With `out`, a file, a run that was
    stopped goes on where it ended. Further options are the fields of EvaluationDesign: references, measures,
    most_texts, best_order, seed, title.
    """
    from espalier.lab.design import EvaluationDesign
    from espalier.lab.local import run_here

    names = [models] if isinstance(models, str) or models is None else list(models)
    chosen = [methods] if isinstance(methods, str) else list(methods)
    design = EvaluationDesign.model_validate(
        {
            "dataset": _dataset(texts),
            "models": [catalog().choose(name) for name in names],
            "methods": [{"method": each} if isinstance(each, str) else dict(each) for each in chosen],
            "explanations": _explanations(explanations),
            **options,
        }
    )
    place = None if out is None else Path(out)
    return run_here(design, shared_explainer(), Shelf(catalog()), place, advance)


def diagnose(
    texts: Sequence[str] | str | Path = "sentiment",
    models: str | Sequence[str] | None = None,
    *,
    linear: str | None = None,
    training: Sequence[str] | str | Path | None = None,
    most_texts: int | None = None,
    words: Sequence[str] | None = None,
    scale: Scale = "log_probability",
    seed: int = 0,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> "Diagnosis":
    """What LS-Tree's scores say of models over many texts: how linear they are, how deep their interactions lie, what
    they make of words of contrast, and with `training` texts whether they are overfitted.

    `texts` and `training` are texts, a file (.tsv, .csv, .jsonl) or a task of the project's samples; `models` names of
    the catalog or folders, such as the checkpoints of a training; `linear` a bag of words to compare with; `words` the
    words of contrast, the paper's when left out.
    """
    from espalier.datasets.rows import rows_of
    from espalier.diagnostics.adversatives import WORDS
    from espalier.lab.diagnose import Diagnosing
    from espalier.lab.run_design import classifier, drawn

    if scale not in SCALES:
        raise UnknownName("scale", scale, SCALES)
    names = [models] if isinstance(models, str) or models is None else list(models)
    chosen = [catalog().choose(name) for name in names]
    for name in chosen:
        classifier(name, Shelf(catalog()))
    return Diagnosing(
        shared_explainer(),
        chosen,
        drawn(rows_of(_dataset(texts)), most_texts, seed),
        () if training is None else drawn(rows_of(_dataset(training)), most_texts, seed),
        None if linear is None else catalog().choose(linear),
        scale,
        seed,
        advance,
    ).diagnosis(WORDS if words is None else words)


def _dataset(texts: Sequence[str] | str | Path) -> "Dataset":
    """Texts as callers give them: directly, as a file, or as a task of the project's samples."""
    from espalier.datasets.forms import Row, Rows, Samples
    from espalier.datasets.uploads import read_file

    if isinstance(texts, Path) or (isinstance(texts, str) and Path(texts).suffix.lower() in FORMATS):
        return read_file(Path(texts))
    if isinstance(texts, str):
        return Samples(task=texts)
    return Rows(rows=tuple(Row(text=text) for text in texts))


def _explanations(given: str | Path | Iterable[Mapping[str, Any]] | None) -> dict[str, Any] | None:
    """Explanations as callers give them: a file of lines, or what such lines hold."""
    from espalier.datasets.uploads import read_file
    from espalier.lab.foreign.written import to_lines

    if given is None:
        return None
    if isinstance(given, str | Path):
        file = read_file(Path(given))
        return {"kind": "file", "name": file.name, "content": file.content}
    return {"kind": "file", "name": "brought.jsonl", "content": to_lines(given)}


def shared_explainer() -> Explainer:
    """The catalog's models, loaded once for the process."""
    chosen = catalog()
    with _sharing:
        if chosen not in _shared:
            _shared[chosen] = Explainer(chosen.load, parse)
        return _shared[chosen]


_shared: dict[Catalog, Explainer] = {}
_sharing = threading.Lock()


def _parse_batch(passages: Sequence[Passage]) -> list[SpanTree]:
    from espalier.trees.parser import default_parser  # loads benepar and spaCy: seconds that only a tree is worth

    return default_parser().parse_batch(passages)


parse = ParseDesk(_parse_batch).parse


@dataclass(eq=False)
class _Own:
    """A model of the caller's. It is held on to, so that no other object can have its `id`."""

    model: Any
    explainer: Explainer
    users: int = field(default=0)


class OwnModels:
    """Explainers of models that are not in the catalog: of those not in use, the last few are kept, so that their pools
    serve the next call, too. Whichever goes is closed, which ends its thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[int, tuple[str, ...] | None], _Own] = OrderedDict()
        self._changing = threading.Lock()

    @contextmanager
    def using(self, model: Any, classes: Sequence[str] | None = None) -> Iterator[Explainer]:
        """The explainer of a model under these class names, the same for all who ask at once."""
        names = None if classes is None else tuple(classes)
        with self._changing:
            own = self._kept.get((id(model), names))
            if own is None:
                own = self._kept[id(model), names] = _Own(model, Explainer(_loading(model, names), parse))
            self._kept.move_to_end((id(model), names))
            own.users += 1
        try:
            yield own.explainer
        finally:
            with self._changing:
                own.users -= 1
                unused = [key for key, each in self._kept.items() if each.users == 0]
                leaving = [self._kept.pop(key) for key in unused[: max(0, len(self._kept) - self._most)]]
            for each in leaving:
                each.explainer.close()


_own_models = OwnModels(KEPT_MODELS)


def _loading(model: Any, classes: tuple[str, ...] | None) -> Callable[[str], HostedModel]:
    """Beside the caller's own model those of the catalog, which a reference may ask."""
    return lambda name: host_of(model, classes) if name == OWN else catalog().load(name)


def host_of(model: Any, classes: tuple[str, ...] | None = None) -> HostedModel:
    """A pipeline or a function as a hosted model."""
    if isinstance(model, HostedModel):
        return model
    network, tokenizer = getattr(model, "model", None), getattr(model, "tokenizer", None)
    if network is not None and tokenizer is not None and hasattr(network, "config"):
        if type(network).__name__.endswith(MASKED_HEAD):
            from espalier.models.masked.load import wrap_pipeline as wrap_filler

            return wrap_filler(network, tokenizer, default_device())
        if type(network).__name__.endswith(CAUSAL_HEADS):
            from espalier.models.causal.load import wrap_pipeline as wrap_writer

            return wrap_writer(network, tokenizer, default_device())
        from espalier.models.transformer import wrap_pipeline

        return wrap_pipeline(network, tokenizer, classes, default_device())
    if callable(model):
        return CallableModel(model, classes)
    raise BadModel(
        f"cannot explain a {type(model).__name__}: possible are a catalog name, a transformers pipeline, "
        "or a function from a list of texts to probabilities"
    )
