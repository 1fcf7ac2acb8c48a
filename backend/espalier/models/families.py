"""The families of models. A family is one record: how to know its models, describe them, load them and ask about their
inside. Nothing here imports torch: what a record names is imported when it is needed.

An installed package adds a family with an entry point of the group `espalier.families` that gives such a record.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal

from espalier.extensions import extensions, report
from espalier.models.facts import of_language_model, of_manifest, of_transformer
from espalier.models.loading import ONE_AT_A_TIME
from espalier.models.manifest import read_manifest
from espalier.models.memory import enough_memory
from espalier.models.next_words import LanguageModel
from espalier.models.protocol import HostedModel
from espalier.models.sources import Facts, Source
from espalier.problems import BadModel, UnknownName
from espalier.settings import settings

if TYPE_CHECKING:
    import torch


Says = Literal["classes", "next-words", "blank"]
"""What comes out of a model: one of its classes, the word that comes next, or the word that a blank stands for."""


@dataclass(frozen=True, slots=True)
class Family:
    """Models that are loaded, described and looked into in one way.

    A folder's `espalier.json`, or the catalog's entry, may name the family; for other sources families are asked in
    turn whether they recognise them. `load` and the answers are written as "package.module:function".
    """

    name: str
    load: str
    """(source, device) -> HostedModel"""
    describe: Callable[[Source], Facts] = of_manifest
    questions: Mapping[str, str] = field(default_factory=dict)
    """What its models answer about their inside, each with (model, **arguments) -> answer."""
    recognises: Callable[[Source], bool] = lambda source: False
    says: Says = "classes"
    halves: bool = False
    """Whether its networks can compute in half precision, where that is wanted. Others stay as they are."""
    teachable: bool = False
    """Whether its models have weights of their own and interactions in them, so that an edit can turn one round."""
    begin: str | None = None
    """(source) -> None. For models that are made ready once, before they can be loaded: begins with that, and raises
    BeingMadeReady until it is done."""


CAUSAL_HEADS = ("ForCausalLM", "LMHeadModel")
"""How transformers' names of causal language models end."""

MASKED_HEAD = "ForMaskedLM"
"""How transformers' names of masked language models end."""

_TEXT_GRADIENTS = {"gradients": "espalier.models.inside.gradients:text_gradients"}
_WORD_GRADIENTS = {"gradients": "espalier.models.inside.gradients:word_gradients"}
_WORD_MODEL = "espalier.models.word_model:load"

EDITED = "espalier.models.edited:load"
"""Loads a folder that changes some weights of another model."""

HOUSE = (
    Family("adapter", "espalier.models.adapter:load", questions=_TEXT_GRADIENTS, halves=True, teachable=True),
    Family("bow", _WORD_MODEL, questions={"weights": "espalier.models.inside.weights:weights"}),
    Family(
        "cnn",
        _WORD_MODEL,
        questions=_WORD_GRADIENTS | {"rescale": "espalier.models.inside.rescale:rescale"},
        teachable=True,
    ),
    Family(
        "lstm",
        _WORD_MODEL,
        questions=_WORD_GRADIENTS | {"decompose": "espalier.models.inside.decompose:decompose"},
        teachable=True,
    ),
    Family(
        "causal",
        "espalier.models.causal.load:load",
        of_language_model,
        recognises=lambda source: any(map(source.is_a, CAUSAL_HEADS)),
        says="next-words",
        halves=True,
        begin="espalier.models.causal.making:begin",
    ),
    Family(
        "causal-classifier",
        "espalier.models.causal.classifier:load",
        questions={"gradients": "espalier.models.inside.gradients:causal_gradients"},
        halves=True,
        begin="espalier.models.causal.making:begin",
    ),
    Family(
        "masked-lm",
        "espalier.models.masked.load:load",
        of_language_model,
        recognises=lambda source: source.is_a(MASKED_HEAD),
        says="blank",
        halves=True,
    ),
    Family("word-lm", "espalier.models.causal.whole_words:load", says="next-words"),
    # The last one takes what nobody else knows: it says best what is missing.
    Family(
        "transformer",
        "espalier.models.transformer:load",
        of_transformer,
        _TEXT_GRADIENTS,
        recognises=lambda _: True,
        halves=True,
        teachable=True,
    ),
)
"""The families of this project, in the order in which they are asked."""


@cache
def families() -> dict[str, Family]:
    """All families by name. Those of other packages are asked first: whoever installed one means it."""
    known = {family.name: family for family in HOUSE}
    added: dict[str, Family] = {}
    for name, offered in extensions("espalier.families").items():
        if not isinstance(offered, Family):
            report(name, "espalier.families", f"a {type(offered).__name__}; possible is a Family")
        elif offered.name in known | added:
            report(name, "espalier.families", f"a second family called {offered.name}; possible is another name")
        else:
            added[offered.name] = offered
    return added | known


def family(name: str) -> Family:
    if name not in families():
        raise UnknownName("family of models", name, families())
    return families()[name]


def family_of(source: Source) -> Family:
    """The family that a source belongs to: the one it names, else the first that recognises it."""
    if source.entry.family is not None:
        return family(source.entry.family)
    if source.folder is not None and (source.folder / "espalier.json").is_file():
        manifest = read_manifest(source.folder)
        named = family(manifest["family"])
        # An edit is asked as its original is, but loaded over it.
        return replace(named, load=EDITED, describe=of_manifest) if "edit" in manifest else named
    return next(each for each in families().values() if _recognises(each, source))


def _recognises(asked: Family, source: Source) -> bool:
    try:
        return asked.recognises(source)
    except Exception as error:
        if asked in HOUSE:
            raise
        report(asked.name, "espalier.families", f"{type(error).__name__}: {error}, when asked about {source.name}")
        return False


def be_ready(source: Source) -> None:
    """Returns where a model can be loaded at once; else raises BeingMadeReady, and somebody sees to it."""
    if (begin := family_of(source).begin) is not None:
        resolve_name(begin)(source)


def load_model(source: Source, device: "torch.device") -> HostedModel:
    """A model on its device to be asked, as fast as it can be: in the precision that the settings want, or with its
    weights laid out for products in single precision."""
    model = load_in_full(source, device)
    if (wanted := settings().precision) != "float32" and family_of(source).halves:
        from espalier.models.device import precision_on
        from espalier.models.rounding import lower

        if (precision := precision_on(device, wanted)) != "float32":
            with ONE_AT_A_TIME, enough_memory(source.name, device):
                lower(model, precision)
            return model
    if family_of(source).halves and device.type == "cpu":
        from espalier.models.laying_out import lay_out_model

        with ONE_AT_A_TIME, enough_memory(source.name, device):
            lay_out_model(model)
    return model


def load_in_full(source: Source, device: "torch.device") -> HostedModel:
    """The same with the weights as they were saved, in single precision, whatever is wanted: to be changed."""
    source.fetch_config()
    family = family_of(source)
    with ONE_AT_A_TIME, enough_memory(source.name, device):
        model: HostedModel = resolve_name(family.load)(source, device)
    if says(model) != family.says:
        # Results are found again by what the record says, and computed by what the model is.
        raise BadModel(
            f"{source.name} is not what its family loads: got a model that says {says(model)}, possible is one that "
            f"says {family.says}, as the family {family.name} does"
        )
    if (temperature := temperature_of(source)) is not None:
        from espalier.models.temperature import temper

        with ONE_AT_A_TIME, enough_memory(source.name, device):
            temper(model, temperature)
    return model


def temperature_of(source: Source) -> float | None:
    """What the logits are divided by, where a folder's `espalier.json` says so."""
    if source.folder is None or not (source.folder / "espalier.json").is_file():
        return None
    return read_manifest(source.folder).get("temperature")


def says(model: HostedModel) -> Says:
    """What comes out of a loaded model; one of no family is known by what it can do."""
    if model.family in families():
        return families()[model.family].says
    return "next-words" if isinstance(model, LanguageModel) else "classes"


def questions(name: str) -> tuple[str, ...]:
    """What a family can be asked: a method suits a model when all that it `inspects` is among these. A model that
    belongs to no family, such as a notebook's function, answers nothing."""
    return tuple(families()[name].questions) if name in families() else ()


def answer_of(name: str, question: str) -> Callable[..., Any]:
    """The function that answers, imported now."""
    found: Callable[..., Any] = resolve_name(families()[name].questions[question])
    return found
