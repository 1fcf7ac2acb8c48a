"""What every reference is to the rest of the house.

A reference turns coalitions into rows for the explained model. Like a plan it is a generator and never calls a model:
one that needs another model, a masked language model that fills in absent words say, yields rows for it and goes on
with what comes back. So its passes are batched with everybody's, counted, and stopped when the user stops the job.

    def rows(self, present):                                         # bool[m, tokens]: the tokens that stay
        scores = yield Elsewhere("masked-lm", questions, outcomes)   # float[rows, outcomes]
        return [TokenRow(…), …]                                      # `draws` rows for each coalition
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from espalier.models.outcomes import Outcomes
from espalier.models.protocol import Encoding, HostedModel, TokenRow
from espalier.problems import BadParameter, NotSupported
from espalier.text import Passage

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
Result = TypeVar("Result")


Fill = Literal["drawn", "likeliest", "in-turn"]

Shown = tuple[str | None, ...]
"""For each word of a text what stands in for it, nothing being an empty text; None where the word is present."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a request says about its reference. Each reference takes of it what concerns it."""

    background: tuple[str, ...] | None = None
    """Sentences whose words may stand in; the project's samples when left out."""
    seed: int = 0
    fill: Fill = "drawn"
    """How a masked language model fills in absent words."""
    draws: int | None = None
    """Texts that are drawn for each coalition; as many as the reference draws by itself when left out."""
    filler: str | None = None
    """The masked language model that is asked, where it is not the reference's own."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What a reference is made for: a text on a model, and the other models that it asks. Those are here to be encoded
    for; what they say is asked for with `Elsewhere`."""

    model: HostedModel
    passages: tuple[Passage, ...]
    encoding: Encoding
    others: Mapping[str, HostedModel] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Elsewhere:
    """Outputs of another model, please: answered by float64[rows, outcomes]."""

    model: str
    rows: Sequence[TokenRow]
    outcomes: Outcomes | None = None


Asking = Generator[Elsewhere, NDArray[np.float64], Result]
Rows = Asking[list[TokenRow]]


class Reference(ABC):
    """What stands in for the absent words of one text on one model.

    The facts below say what else can be done with it; nobody outside this folder asks for a reference by its name.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    in_short: ClassVar[str] = ""
    """For the line under a picture; its name where nothing is said."""
    keeps_places: ClassVar[bool] = True
    """Present words stay where they are, and the text its length."""
    hides: ClassVar[bool] = False
    """At the place of an absent word nothing can be seen."""
    leaves_text: ClassVar[bool] = True
    """What the model reads can be written down: hiding a place leaves the text as it is, and only the model knows."""
    is_one_token: ClassVar[bool] = False
    """The same token stands in for every absent one: a single vector, from which a path can lead to the text."""

    takes: ClassVar[frozenset[str]] = frozenset({"draws", "fill", "filler"})
    """What it heeds of a wish, beside background and seed: a request that says more than that is refused."""
    whole_words: ClassVar[bool] = False
    """Whole words stand in for whole words: players must not be less than one."""
    usual_draws: ClassVar[int] = 1
    """Rows for each coalition where the request does not say; more than one where they are drawn."""

    draws = 1
    """Rows that are made for each coalition and averaged."""

    unread: tuple[str, ...] = ()
    """Words of the text that the model which is asked cannot read."""

    expected_words: int | None = None
    """How many words of the text the model that fills in would have thought of itself; known after the opening."""

    @property
    def rows_at_most(self) -> int:
        """Of one coalition and of any model, while it is filled: how many coalitions are looked at together."""
        return self.draws

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.ids: IntArray = np.asarray(encoding.ids, dtype=np.int64)

    @classmethod
    def identity(cls, wish: Wish) -> Hashable:
        """All that decides, beside the text and the models, what stands in: the part of a reference in the key of a
        game and in the address of a result. Strings, numbers and tuples of such."""
        return cls.name

    @classmethod
    def asks(cls, wish: Wish) -> tuple[str, ...]:
        """The other models it will ask, by name: they are loaded before the work begins and kept until its end, and
        their revisions are part of the game's key and the result's address, too."""
        return ()

    @classmethod
    @abstractmethod
    def of(cls, setting: Setting, wish: Wish) -> Self:
        """For one text. What is drawn at random is fixed here, once for the game, so that the game stays a function of
        the coalition and results repeat."""

    def opening(self) -> Asking[None]:
        """What it asks when a request is prepared: whether it can do what it is for."""
        return without_asking(None)

    @abstractmethod
    def rows(self, present: BoolArray) -> Rows:
        """`draws` rows for each coalition, bool[m, tokens]: the tokens that stay, special tokens among them."""

    def rows_without(self, present: BoolArray, hidden: Sequence[frozenset[int]]) -> Rows:
        """Rows of coalitions in which some words, a set of them for each coalition, are hidden after absent ones were
        replaced. Only references that write whole texts can do that."""
        raise NotSupported(f"absent words are not filled in: got reference = {self.name}, possible are those that are")

    def shown(self, present: BoolArray) -> Asking[list[Shown]]:
        """What stands in, in words, for people to look at: as many as `rows` gives, in the same order."""
        raise NotSupported(f"what stands in cannot be shown in words: got reference = {self.name}")

    def need(self, holds: Callable[[type["Reference"]], bool], why: str) -> None:
        """Refuse what needs a reference of another kind. `why` says what it needs; those that have it are listed."""
        if holds(type(self)):
            return
        from espalier.games.references.registry import references  # which lists this class's own subclasses

        possible = [name for name, each in references().items() if holds(each)]
        are = "is" if len(possible) == 1 else "are"
        raise BadParameter(f"{why}: got reference = {self.name}, possible {are} {', '.join(possible) or 'none'}")

    @abstractmethod
    def stand_ins(self) -> IntArray | None:
        """The token ids that stand in at every place, whatever is present: int[draws, tokens]. None where nothing
        stands there. A reference whose stand-ins depend on what is present refuses."""


def without_asking(made: Result) -> Asking[Result]:
    """Rows, or words, that need no other model."""
    yield from ()
    return made


def at_once(asking: Generator[Elsewhere, Any, Result]) -> Result:
    """What a reference that asks nobody makes, without a driver."""
    try:
        asked = next(asking)
    except StopIteration as finished:
        return finished.value  # type: ignore[no-any-return]
    raise NotSupported(f"this reference asks another model: got rows for {asked.model}, possible is to drive it")


def everywhere(ids: Sequence[IntArray], present: BoolArray, own: IntArray, read_at: int | None) -> list[TokenRow]:
    """One row for each coalition and draw: the text's own tokens where they are present, the draw's where not."""
    places = np.arange(len(own))
    return [TokenRow(np.where(tokens, own, draw), places, len(own), read_at) for tokens in present for draw in ids]


def in_its_place(encoding: Encoding, other: Encoding) -> IntArray:
    """The text with the words of another one at the places of its own. One that is shorter begins again: every place
    must be filled by some word."""
    filled: IntArray = np.asarray(encoding.ids, dtype=np.int64)
    for place, token in _other_tokens(encoding, other):
        filled[place] = other.ids[token]
    return filled


def names_in_its_place(encoding: Encoding, other: Encoding) -> list[str]:
    """The same for people: the tokens' names."""
    names = list(encoding.tokens)
    for place, token in _other_tokens(encoding, other):
        names[place] = other.tokens[token]
    return names


def _other_tokens(encoding: Encoding, other: Encoding) -> list[tuple[int, int]]:
    """For each place of a word's token in the text a token of the other one."""
    words = [token for token, owner in enumerate(other.owners) if owner is not None]
    places = [token for token, owner in enumerate(encoding.owners) if owner is not None]
    return [(place, words[index % len(words)]) for index, place in enumerate(places)]


def whose(encoding: Encoding) -> int:
    """How many words a text has, as far as its tokens tell."""
    return max((owner for owner in encoding.owners if owner is not None), default=-1) + 1


def shown_as(encoding: Encoding, present: BoolArray, draws: Sequence[Sequence[str]]) -> list[Shown]:
    """What stands in where a word's tokens are absent: the draw's tokens, written together."""
    places: dict[int, list[int]] = {}
    for token, owner in enumerate(encoding.owners):
        if owner is not None:
            places.setdefault(owner, []).append(token)
    return [
        tuple(
            None if present_tokens[own := places.get(word, [])].all() else written([draw[token] for token in own])
            for word in range(whose(encoding))
        )
        for present_tokens in present
        for draw in draws
    ]


def written(tokens: Sequence[str]) -> str:
    """Tokens as a person would write them."""
    joined = "".join(token.removeprefix("##") if token.startswith("##") else f" {token}" for token in tokens)
    return " ".join(joined.replace("Ġ", " ").replace("▁", " ").replace("␣", " ").split())


def pieces(own: IntArray, present: BoolArray) -> list[tuple[IntArray, IntArray]]:
    """The present tokens of each coalition, and their places."""
    owners, places = np.nonzero(present)
    edges = np.searchsorted(owners, np.arange(len(present) + 1)).tolist()
    kept = own[places]
    return [(kept[start:end], places[start:end]) for start, end in pairwise(edges)]
