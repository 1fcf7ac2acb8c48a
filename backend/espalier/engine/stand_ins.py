"""What a reference makes of one coalition, in words: the texts that the explained model reads."""

from collections.abc import Sequence

import numpy as np

from espalier.engine.asking import answered
from espalier.engine.explainer import Explainer, Prepared
from espalier.engine.messages.answers import StandInText, StandInTexts, StandInWord
from espalier.explain.request import ExplanationRequest
from espalier.games.plain_text import PlainText, written_out
from espalier.problems import BadParameter

METHOD = "leave-one-out"
"""Nothing is explained here; of the request only text, model, players and reference count."""


def stand_ins(explainer: Explainer, request: ExplanationRequest, absent: Sequence[int]) -> StandInTexts:
    """One text for each draw, as the service writes them. `absent` are players, counted from 0."""
    return of_prepared(explainer, explainer.prepare(request), absent)


def of_prepared(explainer: Explainer, prepared: Prepared, absent: Sequence[int]) -> StandInTexts:
    game = prepared.game
    players = len(game.players)
    if wrong := [player for player in absent if not 0 <= player < players]:
        raise BadParameter(f"no such player: got {wrong[0]}, possible are 0 to {players - 1}")
    coalition = np.ones((1, players), dtype=bool)
    coalition[0, list(absent)] = False
    shown = answered(game.shown(coalition), explainer.host)
    keeps_places = type(game.reference).keeps_places
    return {
        "model": prepared.request.model,
        "revision": game.model.revision,
        "reference": prepared.request.reference,
        "players": [{"text": each.text, "start": each.start, "end": each.end} for each in game.players],
        "absent": sorted(set(absent)),
        "texts": [_text(written_out(game.passages, each, keeps_places)) for each in shown],
    }


def _text(plain: PlainText) -> StandInText:
    words = [StandInWord(text=w.text, start=w.start, end=w.end, stands_in=w.stands_in) for w in plain.words]
    return {"text": plain.text, "marked": plain.marked, "words": words}
