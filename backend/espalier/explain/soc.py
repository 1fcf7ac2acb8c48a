"""SOC by absence: a word's occlusion, averaged over thinned-out neighbourhoods (after Jin et al., 2020).

Sampling and occlusion (SOC) asks what a word adds whatever its neighbours are: it replaces the neighbours by words
that a language model draws, then takes the word out. A game only knows present and absent, so here each neighbour is
absent with probability one half instead of being redrawn. That answers the same question for the game's own
reference, and is not the published SOC: what stands in for an absent neighbour is the reference the user chose. With a
reference that a language model fills in, absent neighbours are redrawn and this becomes the published SOC.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from espalier.explain.plan import BoolArray, GameShape, Plan, ask
from espalier.explain.registry import BUYS_PRECISION, Method, Parameters, register
from espalier.explain.word_scores import WordScores


class SocParameters(Parameters):
    """Settings of SOC by absence."""

    radius: Annotated[int, Field(ge=1, le=10, description="Neighbours on each side that come and go.")] = 3
    draws: Annotated[
        # One draw gives no standard error.
        int,
        Field(
            ge=2,
            le=1000,
            description="Neighbourhoods drawn for each word; each costs two evaluations.",
            json_schema_extra=BUYS_PRECISION,
        ),
    ] = 5
    seed: Annotated[int, Field(ge=0, description="Fixes the neighbourhoods.")] = 0


class SocResult(WordScores):
    """What taking the word out costs, averaged over its drawn neighbourhoods."""

    method: Literal["soc"] = "soc"


def soc(game: GameShape, parameters: SocParameters) -> Plan[SocResult]:
    """Mean over draws of v(thinned text with the word) - v(thinned text without it); words farther away all stay."""
    size, draws = game.size, parameters.draws
    generator = np.random.default_rng(parameters.seed)
    present = np.stack([thinned(word, size, parameters, generator) for word in range(size)])
    absent = present.copy()
    absent[np.arange(size), :, np.arange(size)] = False
    ends = np.stack([np.zeros(size, dtype=bool), np.ones(size, dtype=bool)])
    coalitions = np.concatenate([ends, present.reshape(-1, size), absent.reshape(-1, size)])
    values = (yield from ask(coalitions, expected=len(np.unique(coalitions, axis=0))))[:, game.target]
    with_word, without_word = values[2:].reshape(2, size, draws)
    losses = with_word - without_word
    return SocResult(
        exact=False,
        values=tuple(losses.mean(axis=1).tolist()),
        standard_errors=tuple((losses.std(axis=1, ddof=1) / np.sqrt(draws)).tolist()),
        base=float(values[0]),
        full=float(values[1]),
    )


def evaluations(size: int, parameters: SocParameters) -> int:
    return 2 + 2 * size * parameters.draws


def thinned(word: int, size: int, parameters: SocParameters, generator: np.random.Generator) -> BoolArray:
    """The text with neighbours of the word absent at random, the word itself present: bool[draws, n]."""
    kept = np.ones((parameters.draws, size), dtype=bool)
    around = slice(max(0, word - parameters.radius), word + parameters.radius + 1)
    kept[:, around] = generator.random(kept[:, around].shape) < 0.5
    kept[:, word] = True
    return kept


register(
    Method(
        name="soc",
        title="SOC by absence",
        shows="What taking a word out costs, averaged over random absences of its neighbours "
        "(not redrawn by a language model as in the published SOC)",
        parameters=SocParameters,
        result=SocResult,
        expects=evaluations,
        plan=soc,
        view="tokens",
    )
)
