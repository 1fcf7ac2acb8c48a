"""What is served."""

from typing import Any, get_args

from fastapi import APIRouter
from pydantic import BaseModel, Field

from espalier import samples
from espalier.api.dependencies import ShelfDep
from espalier.explain.registry import Method, methods
from espalier.explain.request import MOST_DRAWS
from espalier.games.players import PlayerKind
from espalier.games.references import Reference, ReferenceName, Wish, references
from espalier.games.scales import SCALES, Scale
from espalier.models.describe import Described, Shelf, editable
from espalier.models.families import Says
from espalier.text.passage import MAX_CHARACTERS

router = APIRouter(tags=["catalog"])


class CatalogModel(BaseModel):
    name: str = Field(description="What requests call it.", examples=["sst2-minilm"])
    title: str
    description: str
    says: Says = Field(
        description="What comes out: one of its classes, the word that comes next, or the word a blank stands for."
    )
    family: str = Field(description="How it is built, which decides what it can be asked.", examples=["adapter"])
    classes: list[str] | None = Field(
        description="In the model's order; null for a hub model not yet loaded, none for a language model."
    )
    max_length: int | None = Field(description="In the model's own tokens.")
    examples: str | None = Field(description="The task whose sample sentences suit it.")
    revision: str | None = Field(description="Hash of its files: the same revision gives the same numbers.")
    editable: bool = Field(description="Whether an interaction in it can be turned round: see `/v1/edits`.")
    problem: str | None = Field(description="Why it could not be loaded when somebody last tried; null otherwise.")


class CatalogMethod(BaseModel):
    name: str = Field(examples=["ls-tree"])
    title: str
    shows: str = Field(description="What it is good for, in a sentence.")
    view: str = Field(description="The picture that draws its results.")
    scale: Scale = Field(description="What its values are measured in unless the request says otherwise.")
    parameters: dict[str, Any] = Field(description="Its own settings, as a JSON schema.")
    needs_tree: bool
    minimum_players: int
    maximum_players: int = Field(description="With the default parameters; others can move it.")
    models: list[str] = Field(
        description="Models it can explain: some methods look inside, which not every model lets."
    )


class Choice(BaseModel):
    name: str
    description: str


class ReferenceChoice(Choice):
    name: ReferenceName
    draws: int = Field(description="Texts for each coalition unless a request says otherwise; 1 where none are drawn.")
    most_draws: int = Field(description="Most that a request can ask for; 1 where none are drawn.")
    filler: str | None = Field(
        description="The masked language model that fills in absent words; null where nobody is asked. A request may "
        "name another one of those that say a blank."
    )


class ScaleChoice(Choice):
    name: Scale


class PlayersChoice(Choice):
    name: PlayerKind


class SampleDocument(BaseModel):
    text: str
    kind: str = Field(description="The task it belongs to: see a model's `examples`.")
    label: str = Field(description="What a careful reader says.")
    phenomenon: str
    note: str
    example: bool = Field(description="One of the few most striking of its kind.")


class Limits(BaseModel):
    characters: int = Field(description="Longest text that is read. A model may take less and says so when asked.")


class CatalogDocument(BaseModel):
    """What requests can name, and how much they can ask for."""

    models: list[CatalogModel] = Field(description="In the order in which they should be offered.")
    methods: list[CatalogMethod]
    references: list[ReferenceChoice]
    scales: list[ScaleChoice]
    players: list[PlayersChoice]
    samples: list[SampleDocument]
    limits: Limits


PLAYERS: dict[PlayerKind, str] = {
    "words": "Every word is present or absent by itself.",
    "tokens": "The model's own tokens, where it reads parts of words.",
    "phrases": "The largest phrases of at most five words.",
    "sentences": "Whole sentences, for longer texts.",
    "spans": "Spans you choose; every other word by itself.",
    "nested": "Parts of what is open: a text's sentences, a sentence's phrases, a phrase's words, level by level.",
}


# Not `async`: hashing a model's weights the first time takes a moment, off the event loop.
@router.get("/catalog")
def show_catalog(shelf: ShelfDep) -> CatalogDocument:
    """Models and methods that can be asked for, their settings, and sentences to try them on."""
    described = shelf.described()
    return CatalogDocument(
        models=[
            CatalogModel(
                name=each.entry.name,
                title=each.entry.title,
                description=each.entry.description,
                says=each.says,
                family=each.family,
                classes=None if each.classes is None else list(each.classes),
                max_length=each.max_length,
                examples=each.entry.examples,
                revision=each.revision,
                editable=editable(each),
                problem=shelf.problems.get(each.entry.name),
            )
            for each in described
        ],
        methods=[_method(method, shelf, described) for _, method in sorted(methods().items())],
        references=[
            _reference(each)
            for each in references().values()
            # One that asks a model which is not there could only be refused.
            if set(each.asks(Wish())) <= {model.entry.name for model in described}
        ],
        scales=[ScaleChoice(name=name, description=said) for name, said in SCALES.items()],
        players=[PlayersChoice(name=name, description=PLAYERS[name]) for name in get_args(PlayerKind)],
        samples=[
            SampleDocument(
                text=sample.text,
                kind=sample.task,
                label=sample.label,
                phenomenon=sample.phenomenon,
                note=sample.note,
                example=sample.example,
            )
            for sample in samples.load()
        ],
        limits=Limits(characters=MAX_CHARACTERS),
    )


def _reference(each: type[Reference]) -> ReferenceChoice:
    return ReferenceChoice(
        name=each.name,
        description=each.description,
        draws=each.usual_draws,
        most_draws=MOST_DRAWS if each.usual_draws > 1 else 1,
        filler=next(iter(each.asks(Wish())), None),
    )


def _method(method: Method, shelf: Shelf, described: list[Described]) -> CatalogMethod:
    return CatalogMethod(
        name=method.name,
        title=method.title,
        shows=method.shows,
        view=method.view,
        scale=method.scale,
        parameters=method.parameters.model_json_schema(),
        needs_tree=method.needs_tree,
        minimum_players=method.minimum_players,
        maximum_players=method.most_players(method.parameters()),
        models=[each.entry.name for each in described if shelf.suits(method, each)],
    )
