"""What the server says of models that only a worker has in memory."""

import torch
from tests.models.causal.conftest import network, tokenizer

from espalier.engine.worker.task import about
from espalier.models.catalog import Catalog
from espalier.models.causal.load import wrap
from espalier.models.describe import Shelf


def test_a_model_of_the_hub_is_what_it_turns_out_to_be_when_it_is_loaded(tmp_path) -> None:
    """Before that its config.json is not here, and whatever nobody knows is taken for a classifier."""
    (tmp_path / "catalog.toml").write_text('[models.far]\ntitle = "Far"\nsource = "nobody/knows-this-one"\n')
    shelf = Shelf(Catalog(tmp_path / "catalog.toml"))
    assert (shelf.get("far").family, shelf.get("far").says) == ("transformer", "classes")
    said = about(wrap("far", network("llama"), tokenizer(), "r1", torch.device("cpu")))
    shelf.loaded("far", said.classes, said.max_length, said.revision, said.family)
    found = shelf.get("far")
    assert (found.family, found.says, found.classes, found.revision) == ("causal", "next-words", (), "r1")
