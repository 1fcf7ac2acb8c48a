"""Explanations draw themselves in a notebook: importing this file teaches them to."""

from typing import Any

from espalier.explain.explanation import Explanation


def _draw(explanation: Explanation[Any]) -> str:
    from espalier.pictures.svg import svg  # scripts that draw nothing need not wait for it

    return svg(explanation)


Explanation.draw = _draw
