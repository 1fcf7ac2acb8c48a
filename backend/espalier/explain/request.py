"""What to explain and how: the one form that the command line, the library and the service all fill in."""

from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from espalier.explain.registry import Method, Parameters, method
from espalier.fields import MOST_PARAMETERS, Name, Several
from espalier.games.players import PlayerKind
from espalier.games.references import USUAL_REFERENCE, Fill, ReferenceName, Wish, reference, references
from espalier.games.scales import Scale
from espalier.models.catalog import default_model
from espalier.problems import BadParameter, quoted

LONGEST_TREE = 100_000
"""Characters of a bracketed tree: several times what a text of a thousand words needs."""
MOST_SPANS = 1_000
LONGEST_BACKGROUND = 10_000
MOST_DRAWS = 64
"""Texts for each coalition: the work of sixteen times the usual."""

BackgroundText = Annotated[str, Field(max_length=LONGEST_BACKGROUND)]


class ExplanationRequest(BaseModel):
    """Everything that decides an explanation. Two equal requests on the same model revision give equal results."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: Annotated[str, Field(description="The text to explain.")]
    pair: Annotated[str | None, Field(description="The second text, for models of sentence pairs.")] = None
    model: Annotated[
        Name, Field(default_factory=default_model, description="A model of the catalog; its first one when left out.")
    ]
    method: Annotated[Name, Field(description="A method of the catalog.")] = "ls-tree"
    target: Annotated[Name | None, Field(description="The class to explain; the predicted one when left out.")] = None
    outcome: Annotated[
        Name | None,
        Field(
            description="The next word to explain, for language models, written exactly as it goes on, mostly with a "
            "space before it; the likeliest one when left out.",
        ),
    ] = None
    against: Annotated[
        Name | None,
        Field(description="Explain why the outcome rather than this word, for language models."),
    ] = None
    outcomes: Annotated[
        Several[Name],
        Field(
            description="The next words to look at, for language models; the likeliest ones when left out.",
            max_length=64,
        ),
    ] = ()
    scale: Annotated[
        Scale | None,
        Field(
            description="What values are measured in. When left out: the method's own for classes, log_odds for the "
            "words of a language model."
        ),
    ] = None
    reference: Annotated[ReferenceName, Field(description="What stands in for an absent word.")] = USUAL_REFERENCE
    background: Annotated[
        Several[BackgroundText] | None,
        Field(
            description="Sentences whose words stand in, for references that draw from some; the project's samples "
            "when left out.",
            max_length=200,
        ),
    ] = None
    fill: Annotated[
        Fill | None,
        Field(
            description="How a masked language model fills in absent words, for references that ask one: each drawn "
            "given the present ones, the likeliest one, or drawn one after the other. When left out: drawn, and "
            "in-turn for the published SOC, whose neighbours are drawn together."
        ),
    ] = None
    draws: Annotated[
        int | None,
        Field(
            ge=1,
            le=MOST_DRAWS,
            description="Texts that are drawn for each coalition, for references that draw; as many as the catalog "
            "says of each when left out.",
        ),
    ] = None
    filler: Annotated[
        Name | None,
        Field(description="The masked language model that fills in absent words; the reference's own when left out."),
    ] = None
    players: Annotated[PlayerKind, Field(description="The pieces that are present or absent.")] = "words"
    spans: Annotated[
        Several[tuple[int, int]],
        Field(description="Word ranges that play together, for players = spans.", max_length=MOST_SPANS),
    ] = ()
    open: Annotated[
        tuple[int, int] | None,
        Field(
            description="For players = nested: the words that are open, such as a sentence of the text or a phrase of "
            "that sentence. Their parts are what is explained; the parts of the whole text when left out."
        ),
    ] = None
    tree: Annotated[
        str | None, Field(description="A bracketed tree over the words; parsed when left out.", max_length=LONGEST_TREE)
    ] = None
    parameters: Annotated[
        dict[Name, Any], Field(description="The method's own settings.", max_length=MOST_PARAMETERS)
    ] = {}
    seed: Annotated[int, Field(ge=0, lt=2**32, description="Fixes everything that is drawn at random.")] = 0

    def wish(self) -> Wish:
        """What it says about its reference."""
        return Wish(self.background, self.seed, self.fill or self._usual_fill(), self.draws, self.filler)

    def _usual_fill(self) -> Fill:
        """A method may have a way of its own, where words are filled in at all."""
        if "fill" not in reference(self.reference).takes:
            return "drawn"
        usual: Fill = getattr(self.settings()[1], "usual_fill", "drawn")
        return usual

    def _check_reference(self) -> None:
        """A setting that the reference knows nothing of would be silently left out."""
        # Requests that were stored before it could be left out say `drawn` whatever their reference is.
        said = {"draws": self.draws, "fill": None if self.fill == "drawn" else self.fill, "filler": self.filler}
        for name, value in said.items():
            if value is not None and name not in reference(self.reference).takes:
                able = ", ".join(each for each, kind in references().items() if name in kind.takes)
                raise BadParameter(
                    f"reference = {self.reference} takes no {name}: got {quoted(value)}, possible with {name} are "
                    f"{able}"
                )

    def settings(self) -> tuple[Method, Parameters]:
        """The method and its checked parameters. A method that draws at random takes the request's seed."""
        return self.checked_settings

    @cached_property
    def checked_settings(self) -> tuple[Method, Parameters]:
        """The same, found once: whoever passes a request on asks for them anew."""
        chosen = method(self.method)
        self._check_reference()
        return chosen, self.checked(chosen)

    def checked(self, chosen: Method) -> Parameters:
        given = dict(self.parameters)
        if "seed" in chosen.parameters.model_fields:
            given.setdefault("seed", self.seed)
        try:
            return chosen.parameters(**given)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"]) or "parameters"
            possible = ", ".join(chosen.parameters.model_fields) or "none"
            raise BadParameter(
                f"bad parameter for {self.method}: got {name} = {quoted(first['input'])} ({first['msg'].lower()}); "
                f"possible parameters are {possible}"
            ) from error
