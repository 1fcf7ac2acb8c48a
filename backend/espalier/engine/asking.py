"""What a reference makes outside of a run, with the models that it asks behind their hosts."""

from collections.abc import Callable
from typing import Any

from espalier.engine.host import ModelHost
from espalier.games.references import Asking


def answered(
    asking: Asking[Any],
    host: Callable[[str], ModelHost],
    client: str = "",
    background: bool = False,
    go_on: Callable[[], None] = lambda: None,
) -> Any:
    """In the background it waits for everybody's questions; `go_on` raises where nobody waits for it any more."""
    answer: Any = None
    while True:
        go_on()
        try:
            asked = asking.send(answer)
        except StopIteration as finished:
            return finished.value
        order = host(asked.model).submit(
            asked.rows, client, outcomes=asked.outcomes, background=background, returns=False
        )
        answer = order.future.result()
