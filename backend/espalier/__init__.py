"""Espalier: see how a language model puts its prediction together, word by word, phrase by phrase."""

import os
from typing import TYPE_CHECKING, Any

if "OMP_WAIT_POLICY" not in os.environ:
    # How often a thread of torch looks for the others before it sleeps; read once, when torch is loaded. libgomp's own
    # 300,000 looks are milliseconds: beside one busy process the thread that waits keeps the core from the one it waits
    # for, at every barrier of a pass. A thousand still bridge the gap between two operations on a quiet machine. As
    # soon as several threads of Python have used torch, as they have in every worker, libgomp looks 100 times only,
    # too seldom, unless the policy is active, which means 1,000. `python -m benchmarks.busy` measures both machines.
    os.environ["OMP_WAIT_POLICY"] = "ACTIVE"
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")

# On some processors MKL, inside torch, adds up in another order where a product has few rows, or many on several
# threads: a row's numbers would depend on its company (see `models.batches`). Told to be strict it does not, at hardly
# any cost. It asks when it multiplies for the first time.
os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")

if TYPE_CHECKING:
    from espalier.client import AsyncClient, Client
    from espalier.library import diagnose, evaluate, explain, stand_ins

__all__ = ["AsyncClient", "Client", "diagnose", "evaluate", "explain", "stand_ins"]


def __getattr__(name: str) -> Any:
    # `import espalier` must not import torch: `espalier --help` answers at once.
    if name == "explain":
        import espalier.explain as explain

        return explain
    if name in ("diagnose", "evaluate", "explain_all", "stand_ins"):
        from espalier import library

        return getattr(library, name)
    if name in ("AsyncClient", "Client"):
        from espalier import client

        return getattr(client, name)
    raise AttributeError(f"module 'espalier' has no attribute {name!r}")
