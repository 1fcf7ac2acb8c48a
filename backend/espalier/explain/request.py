"""What to explain and how: the one form that the command line, the library and the service all fill in."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from espalier.explain.registry import Method, Parameters, method
from espalier.games.players import PlayerKind
from espalier.games.references import ReferenceName
from espalier.games.scales import Scale
from espalier.problems import BadParameter


class ExplanationRequest(BaseModel):
    """Everything that decides an explanation. Two equal requests on the same model revision give equal results."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: Annotated[str, Field(description="The text to explain.")]
    pair: Annotated[str | None, Field(description="The second text, for models of sentence pairs.")] = None
    model: Annotated[str, Field(description="A model of the catalog.")] = "sst2-minilm"
    method: Annotated[str, Field(description="A method of the catalog.")] = "ls-tree"
    target: Annotated[str | None, Field(description="The class to explain; the predicted one when left out.")] = None
    scale: Annotated[
        Scale | None, Field(description="What values are measured in; the method's own when left out.")
    ] = None
    reference: Annotated[ReferenceName, Field(description="What stands in for an absent word.")] = "pad"
    background: Annotated[
        tuple[str, ...] | None,
        Field(description="Sentences for the marginal reference; the project's samples when left out.", max_length=200),
    ] = None
    players: Annotated[PlayerKind, Field(description="The pieces that are present or absent.")] = "words"
    spans: Annotated[
        tuple[tuple[int, int], ...], Field(description="Word ranges that play together, for players = spans.")
    ] = ()
    tree: Annotated[str | None, Field(description="A bracketed tree over the words; parsed when left out.")] = None
    parameters: Annotated[dict[str, Any], Field(description="The method's own settings.")] = {}
    seed: Annotated[int, Field(ge=0, lt=2**32, description="Fixes everything that is drawn at random.")] = 0

    def settings(self) -> tuple[Method, Parameters]:
        """The method and its checked parameters. A method that draws at random takes the request's seed."""
        chosen = method(self.method)
        given = dict(self.parameters)
        if "seed" in chosen.parameters.model_fields:
            given.setdefault("seed", self.seed)
        try:
            return chosen, chosen.parameters(**given)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"]) or "parameters"
            possible = ", ".join(chosen.parameters.model_fields) or "none"
            raise BadParameter(
                f"bad parameter for {self.method}: got {name} = {first['input']!r} ({first['msg'].lower()}); "
                f"possible parameters are {possible}"
            ) from error
