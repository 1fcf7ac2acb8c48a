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


def test_a_model_is_on_the_workers_device() -> None:
    room = ModelRoom(Catalog(settings().catalog, torch.device("meta")), 1)
    # One without a temperature: those that have one are asked when they are loaded, and nothing can be asked there.
    with room.using("imdb-cnn") as host:
        assert {each.device.type for each in host.model.network.parameters()} == {"meta"}
    room.explainer.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sst2-minilm", "mlm-general", "word-lstm-lm"])
def test_a_model_that_is_tried_when_it_is_loaded_is_sent_to_the_workers_device(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The processor by another name than it has by itself: whoever sends a network there was told to.
    device, sent, send = torch.device("cpu:0"), [], torch.nn.Module.to

    def recorded(self: torch.nn.Module, *given: object, **named: object) -> torch.nn.Module:
        sent.append((self, *given))
        return send(self, *given, **named)

    monkeypatch.setattr(torch.nn.Module, "to", recorded)
    room = ModelRoom(Catalog(settings().catalog, device), 1)
    with room.using(name) as host:
        assert host.model.device == device != torch.device("cpu")
        network = getattr(host.model.network, "network", host.model.network)
        assert any(given[0] is network and given[1:] == (device,) for given in sent)
    room.explainer.close()


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
