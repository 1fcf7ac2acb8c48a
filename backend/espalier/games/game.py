"""One game, many questions: a text, its players, a model and a reference."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from espalier.games.players import Player, PlayerKind, players
from espalier.games.projection import project
from espalier.games.references import Asking, Reference, Rows, Setting, Shown, Wish, at_once
from espalier.games.references import reference as reference_class
from espalier.games.scales import summarise
from espalier.games.shape import GameShape
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import Encoding, HostedModel, TokenRow
from espalier.problems import BadModel, BadParameter, NotSupported
from espalier.text import Passage
from espalier.trees.tree import SpanTree

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]

MOST_GROUPS = 8
"""Groups of draws that are left out in turn to see how much the draws matter: each is kept in the pool, and costs the
method another run over known values."""


@dataclass(frozen=True)
class Game:
    """Turns coalitions of players into rows for the model, and the scores of its outcomes into one summary a coalition.

    What is explained are the game's outcomes: a classifier's classes, or what was chosen of a language model's.
    """

    model: HostedModel
    outcomes: Outcomes
    passages: tuple[Passage, ...]
    encoding: Encoding
    players: tuple[Player, ...]
    reference: Reference
    tree: SpanTree | None = None
    key: tuple[object, ...] = field(default=(), compare=False)
    against: int | None = None
    """The outcome that log-odds are held against; all others together when there is none."""

    def shape(self, target: int) -> GameShape:
        """What methods see of this game when they explain one outcome."""
        if not 0 <= target < len(self.outcomes):
            raise BadParameter(f"unknown class: got {target}, possible are 0 to {len(self.outcomes) - 1}")
        names = tuple(player.text for player in self.players)
        return GameShape(names, self.outcomes.names, target, self.tree, type(self.reference).whole_words)

    @cached_property
    def _tokens_of_players(self) -> BoolArray:
        owned = np.zeros((len(self.players), len(self.encoding.ids)), dtype=bool)
        for row, player in zip(owned, self.players, strict=True):
            row[list(player.tokens)] = True
        return owned

    @cached_property
    def _always_present(self) -> BoolArray:
        return np.asarray(self._tokens_of_players.sum(axis=0) == 0)

    def rows(self, coalitions: BoolArray) -> list[TokenRow]:
        """As `fill`, where the reference asks no other model."""
        return at_once(self.fill(coalitions))

    def fill(self, coalitions: BoolArray) -> Rows:
        """`draws` rows for each coalition, one coalition after the other; the reference may ask another model first."""
        return self.reference.rows(self._present(coalitions))

    def _present(self, coalitions: BoolArray) -> BoolArray:
        """The tokens that stay: bool[m, tokens]."""
        present: BoolArray = (coalitions.astype(np.float32) @ self._tokens_of_players.astype(np.float32)) > 0
        return present | self._always_present

    def occluded(self, coalitions: BoolArray, words: Sequence[int]) -> Rows:
        """Rows of coalitions in which one player each is hidden after absent ones were filled in."""
        hidden = [frozenset(range(self.players[word].start, self.players[word].end)) for word in words]
        return self.reference.rows_without(self._present(coalitions), hidden)

    def shown(self, coalitions: BoolArray) -> Asking[list[Shown]]:
        """What stands in for absent words in the rows of `fill`, in words: an entry for each word of the text."""
        count = sum(len(passage.words) for passage in self.passages)
        found = yield from self.reference.shown(self._present(coalitions))
        return [(*each, *(None,) * (count - len(each))) for each in found]

    @cached_property
    def never_leave(self) -> BoolArray:
        """Players without a token of their own, as the blank of a masked language model: they are present always."""
        return np.asarray([not player.tokens for player in self.players])

    def summaries(self, logits: FloatArray) -> FloatArray:
        """float[m * draws, outcomes] to float[m, 3, outcomes]. A model that gives anything but numbers is refused."""
        return self.by_draws(logits)[:, 0]

    def by_draws(self, logits: FloatArray) -> FloatArray:
        """The same as float[m, 1 + groups, 3, outcomes]: of all draws together, and, where there are several, of all
        but each draw (but each group of them, where there are many): what a jackknife needs."""
        size = len(self.outcomes)
        if logits.ndim != 2 or logits.shape[1] != size:
            raise BadModel(
                f"{self.model.name} gave outputs of the wrong shape: got {logits.shape}, possible is (rows, {size})"
            )
        if not np.isfinite(logits).all():
            raise BadModel(
                f"{self.model.name} gave numbers that are not finite: got NaN or infinity for some words present"
            )
        draws = self.reference.draws
        drawn = logits.reshape(-1, draws, size)
        groups = np.array_split(np.arange(draws), min(draws, MOST_GROUPS)) if draws > 1 else []
        return np.stack([summarise(drawn), *(summarise(np.delete(drawn, group, axis=1)) for group in groups)], axis=1)


def make_game(
    model: HostedModel,
    passages: Sequence[Passage],
    encoding: Encoding | None = None,
    *,
    outcomes: Outcomes | None = None,
    kind: PlayerKind = "words",
    reference: str = "pad",
    tree: SpanTree | None = None,
    spans: Sequence[tuple[int, int]] = (),
    background: Sequence[str] | None = None,
    seed: int = 0,
    wish: Wish | None = None,
    other_model: Callable[[str], HostedModel] | None = None,
) -> Game:
    """The game of a text (or a pair of texts) on a model. `tree` is over words; the game's own is over its players.

    The outcomes are the model's own, all classes of a classifier, unless others are chosen; `encoding` is the text in
    the model's tokens where the caller has it; `other_model` gives the models that the reference asks. `wish` says more
    of the reference than its background and seed.
    """
    encoding = encoding or model.encode(*passages)
    explained = outcomes or model.outcomes
    members = players(kind, passages, encoding, tree, spans)
    chosen = reference_class(reference)
    if chosen.whole_words and kind == "tokens":
        raise BadParameter(
            f"reference = {reference} fills in whole words: got players = tokens, possible are words, phrases, "
            "sentences, spans"
        )
    wish = wish or Wish(None if background is None else tuple(background), seed)
    others = {name: _ask(name, other_model) for name in chosen.asks(wish)}
    key = (
        model.revision,
        explained,
        tuple(passage.source for passage in passages),
        tuple((player.start, player.end, player.tokens) for player in members),
        chosen.identity(wish),
        tuple((name, other.revision) for name, other in others.items()),
    )
    projected = project(tree, members) if tree is not None else None
    stand_in = chosen.of(Setting(model, tuple(passages), encoding, others), wish)
    return Game(model, explained, tuple(passages), encoding, members, stand_in, projected, key)


def _ask(name: str, other_model: Callable[[str], HostedModel] | None) -> HostedModel:
    if other_model is None:
        raise NotSupported(f"the reference asks another model: got {name}, possible is none here")
    return other_model(name)
