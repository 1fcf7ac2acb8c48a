"""What a reference makes outside of a run, with the models that it asks behind their hosts."""

from collections.abc import Callable
from typing import Any

from espalier.engine.host import ModelHost
from espalier.games.references import Asking


def answered(asking: Asking[Any], host: Callable[[str], ModelHost]) -> Any:
    answer: Any = None
    while True:
        try:
            asked = asking.send(answer)
        except StopIteration as finished:
            return finished.value
        answer = host(asked.model).evaluate(asked.rows, asked.outcomes)
