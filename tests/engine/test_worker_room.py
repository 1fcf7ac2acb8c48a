"""What a worker has in memory: on the device it was given, and for as long as a job needs it."""

import pytest
import torch

from espalier.engine.worker.models import ModelRoom
from espalier.explain.request import ExplanationRequest
from espalier.games.references import references
from espalier.games.references.pad import Pad
from espalier.models.catalog import Catalog
from espalier.settings import settings
from espalier.text import read
from espalier.trees.parser import default_parser


def test_the_parser_is_on_the_workers_device() -> None:
    # "meta" is a device without memory: it is never the one that would be chosen by itself.
    room = ModelRoom(Catalog(settings().catalog, torch.device("meta")), 1)
    assert {each.device.type for each in room.parser()._chart_parser.parameters()} == {"meta"}
    assert room.parser() is room.parser()
    assert {each.device.type for each in default_parser()._chart_parser.parameters()} != {"meta"}


class Asking(Pad):
    """A reference that asks another model of the catalog."""

    name = "asking"

    @classmethod
    def asks(cls, wish):
        return ("sst2-cnn",)


def test_a_model_that_a_reference_asks_is_kept_as_long_as_the_job_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(references(), "asking", Asking)
    room = ModelRoom(Catalog(settings().catalog, torch.device("cpu")), most_models=1)
    request = ExplanationRequest(text="A film.", model="sst2-bow", reference="asking")
    with room.using_all(request) as host:
        with room.using("sst2-lstm"):
            pass
        assert host.model.name == "sst2-bow"
        assert host is room.explainer.host("sst2-bow")
        kept = room.explainer.host("sst2-cnn")
        assert len(kept.evaluate([kept.model.encode(read("A film.")).row()])) == 1
    room.explainer.close()
