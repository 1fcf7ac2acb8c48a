"""Espalier on another machine, or in another process, as if it were here.

with espalier.Client("http://127.0.0.1:8000") as client:
    explanation = client.explain("A lovely film.", method="hedge")

Results are the same typed explanations that `espalier.explain` gives; a notebook shows them as pictures.
"""

from espalier import notebook  # noqa: F401  (explanations learn to draw themselves)
from espalier.client.asynchronous import AsyncClient, AsyncJob
from espalier.client.client import Client, Job
from espalier.client.documents import BatchLine, Event, JobDocument, Prediction, Progress
from espalier.client.problems import Cancelled, ServiceProblem, Unreachable

__all__ = [
    "AsyncClient",
    "AsyncJob",
    "BatchLine",
    "Cancelled",
    "Client",
    "Event",
    "Job",
    "JobDocument",
    "Prediction",
    "Progress",
    "ServiceProblem",
    "Unreachable",
]
