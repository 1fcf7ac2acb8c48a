"""SOC: sampling and occlusion (Jin et al., 2020). What taking a word out costs, whatever its neighbours are.

The published SOC replaces the words within a radius of p by words that a language model draws given all others, p among
them, and takes p out of the texts so made:

    phi(p) = mean over draws of  s(x with neighbours x̂)  −  s(x with neighbours x̂, p hidden)            (their Eq. 4)

Under a reference that a language model fills in (conditional, in-domain) this is what is done: the neighbours are
absent, the reference draws them, and p is hidden in the filled texts, the same draws in both terms. The paper draws all
neighbours together, which `fill = in-turn` does and is what is done unless the request says otherwise: `drawn` would
draw each as if the others were unknown. Draws are the reference's (`draws` of the request); the paper takes p out by
padding, as here. Its s is a score before the softmax: `scale = logit` is the paper's mean of differences, other scales
are made of mean probabilities as everywhere.

Where absent words are not filled in there is nobody to draw neighbours. Then each neighbour is absent with probability
one half instead, which answers a like question for the game's own reference and is *not* the published SOC: **SOC by
absence**. `neighbours` chooses between them, and a result says which it is.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from espalier.explain.plan import BoolArray, GameShape, Plan, ask, occlude
from espalier.explain.registry import BUYS_PRECISION, Method, Parameters, register
from espalier.explain.word_scores import WordScores
from espalier.games.references import Fill, references
from espalier.problems import BadParameter

Neighbours = Literal["redrawn", "absent"]


class SocParameters(Parameters):
    """Settings of SOC."""

    radius: Annotated[int, Field(ge=1, le=10, description="Neighbours on each side that come and go.")] = 3
    neighbours: Annotated[
        Neighbours | None,
        Field(
            description="Redrawn by the language model of the reference, as published, or absent at random (SOC by "
            "absence); redrawn wherever the reference fills words in, when left out."
        ),
    ] = None
    draws: Annotated[
        # One draw gives no standard error.
        int,
        Field(
            ge=2,
            le=1000,
            description="For absent neighbours: neighbourhoods drawn for each word; each costs two evaluations.",
            json_schema_extra=BUYS_PRECISION,
        ),
    ] = 5
    seed: Annotated[int, Field(ge=0, description="Fixes which neighbours are absent.")] = 0

    @property
    def usual_fill(self) -> Fill:
        """How neighbours are drawn that a language model draws: together, as published."""
        return "drawn" if self.neighbours == "absent" else "in-turn"


class SocResult(WordScores):
    """What taking the word out costs, averaged over its drawn neighbourhoods."""

    method: Literal["soc"] = "soc"
    neighbours: Neighbours = Field(
        default="absent",
        description="Redrawn by a language model, as in the published SOC, or absent at random: SOC by absence.",
    )


def soc(game: GameShape, parameters: SocParameters) -> Plan[SocResult]:
    wanted = parameters.neighbours or ("redrawn" if game.fills_in else "absent")
    if wanted == "redrawn" and not game.fills_in:
        possible = " and ".join(name for name, each in references().items() if each.whole_words)
        raise BadParameter(
            "the published SOC has its neighbours drawn by a language model: got a reference that fills nothing in, "
            f"possible are {possible}, or neighbours = absent"
        )
    if wanted == "redrawn" and "draws" in parameters.model_fields_set:
        raise BadParameter(
            f"redrawn neighbours are drawn by the reference: got draws = {parameters.draws} among the method's "
            "parameters, possible is draws of the request itself, or neighbours = absent"
        )
    return redrawn(game, parameters) if wanted == "redrawn" else by_absence(game, parameters)


def redrawn(game: GameShape, parameters: SocParameters) -> Plan[SocResult]:
    """The published SOC. What is uncertain are the draws, which the reference answers for: for them it is exact."""
    size = game.size
    kept = np.stack([~around(word, size, parameters.radius) for word in range(size)])
    ends = np.stack([np.zeros(size, dtype=bool), np.ones(size, dtype=bool)])
    expected = len(np.unique(np.concatenate([ends, kept]), axis=0)) + size
    values = (yield from ask(np.concatenate([ends, kept]), expected=expected))[:, game.target]
    hidden = (yield from occlude(kept, np.arange(size)))[:, game.target]
    return SocResult(
        exact=True,
        neighbours="redrawn",
        values=tuple((values[2:] - hidden).tolist()),
        base=float(values[0]),
        full=float(values[1]),
    )


def by_absence(game: GameShape, parameters: SocParameters) -> Plan[SocResult]:
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
        neighbours="absent",
        values=tuple(losses.mean(axis=1).tolist()),
        standard_errors=tuple((losses.std(axis=1, ddof=1) / np.sqrt(draws)).tolist()),
        base=float(values[0]),
        full=float(values[1]),
    )


def evaluations(size: int, parameters: SocParameters) -> int:
    """At most: redrawn neighbourhoods take two for each word, whatever the draws."""
    return 2 + 2 * size * (1 if parameters.neighbours == "redrawn" else parameters.draws)


def around(word: int, size: int, radius: int) -> BoolArray:
    """The neighbours of a word, itself not among them: bool[n]."""
    near = np.abs(np.arange(size) - word) <= radius
    near[word] = False
    return near


def thinned(word: int, size: int, parameters: SocParameters, generator: np.random.Generator) -> BoolArray:
    """The text with neighbours of the word absent at random, the word itself present: bool[draws, n]."""
    kept = np.ones((parameters.draws, size), dtype=bool)
    near = slice(max(0, word - parameters.radius), word + parameters.radius + 1)
    kept[:, near] = generator.random(kept[:, near].shape) < 0.5
    kept[:, word] = True
    return kept


register(
    Method(
        name="soc",
        title="SOC",
        shows="What taking a word out costs, whatever its neighbours are: redrawn by the language model of the "
        "reference, as published; where it has none, absent at random (SOC by absence)",
        parameters=SocParameters,
        result=SocResult,
        expects=evaluations,
        plan=soc,
        view="tokens",
    )
)
