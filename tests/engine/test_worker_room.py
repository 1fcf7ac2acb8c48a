"""What a worker has in memory: on the device it was given, and for as long as a job needs it."""

import threading
from collections.abc import Sequence

import pytest
import torch

from espalier.engine.answers import tree
from espalier.engine.worker.models import ModelRoom
from espalier.explain.request import ExplanationRequest
from espalier.games.references import references
from espalier.games.references.pad import Pad
from espalier.models.catalog import Catalog
from espalier.settings import settings
from espalier.text import Passage, read
from espalier.trees.parser import default_parser
from espalier.trees.tree import Node, SpanTree


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


def test_a_parse_that_hangs_shows_in_how_long_the_worker_has_been_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    room = ModelRoom(Catalog(settings().catalog, torch.device("cpu")), most_models=1)
    begun, free = threading.Event(), threading.Event()

    class Hanging:
        def parse_batch(self, passages: Sequence[Passage]) -> list[SpanTree]:
            begun.set()
            assert free.wait(60)
            return [SpanTree((Node(0, len(each.words), ("S",), ()),)) for each in passages]

    monkeypatch.setattr(room, "parser", Hanging)
    assert room.busy() == 0
    asked = threading.Thread(target=tree, args=(room.parse, "Film"))
    asked.start()
    assert begun.wait(60)
    before = room.busy()
    while room.busy() <= before:  # it goes on counting
        pass
    free.set()
    asked.join(60)
    assert room.busy() == 0
