"""How sure the numbers of an explanation are."""

from typing import Any

from espalier.explain.explanation import Explanation
from espalier.explain.hedge import HedgeResult
from espalier.explain.stopping import Stoppable
from espalier.findings.wording import Numbers, percent


def certainty(explanation: Explanation[Any]) -> str:
    """Exact numbers, sampled ones with standard errors, or an approximation that has none; and what the draws of the
    reference add to that."""
    result = explanation.result
    reading = explanation.read()
    rounded = _rounded(explanation)
    if reading.exact:
        return f"exact{_draws(explanation, ' for')}{rounded}"
    if isinstance(result, HedgeResult):
        return f"economical: cuts {percent(result.certainty)} sure on average{_draws(explanation, ', of')}{rounded}"
    usual = "± standard error" if reading.has_errors else "approximate"
    return f"{usual}{_draws(explanation, ', of')}{_asked_for(explanation)}{rounded}"


def _rounded(explanation: Explanation[Any]) -> str:
    """Whatever is exact or certain here is so of a network in half precision."""
    rounding = explanation.rounding
    if rounding is None:
        return ""
    error = Numbers.like([rounding.error]).at_most(rounding.error)
    return f", in {rounding.precision}: each value within {error} of float32's"


def _asked_for(explanation: Explanation[Any]) -> str:
    """How far numbers are off that were to be evaluated until an error was reached."""
    result = explanation.result
    if not isinstance(result, Stoppable) or result.relative_error is None:
        return ""
    return f", error about {percent(result.relative_error)}{'' if result.reached else ': more than was asked for'}"


def _draws(explanation: Explanation[Any], joined: str) -> str:
    """The game is the mean over what was drawn: other draws would have been another game."""
    if explanation.draws == 1:
        return ""
    said = f"{joined} {explanation.draws} draws"
    errors = explanation.draw_errors
    known = [] if errors is None else [each for each in (*errors.spans, *errors.pairs) if each is not None]
    if not known:
        return f"{said}, whose error is not known"
    return f"{said}, which add ± {Numbers.like(known).plain(max(known))} at most"
