"""A catalog of two small models over a dozen words, and the command line on it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from click.testing import Result
from safetensors.torch import save_file
from typer.testing import CliRunner

from espalier.library import shared_explainer
from espalier.settings import settings

WORDS = ["the", "film", "is", "not", "good", "bad", "it", "very", "music", ",", "."]

Command = Callable[..., Result]


@pytest.fixture(scope="session")
def small_catalog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bag of words and an LSTM with random weights, as the training scripts save them."""
    from espalier.models.networks import BagOfWords, BidirectionalLSTM

    parent = tmp_path_factory.mktemp("catalog")
    torch.manual_seed(5)
    entries = []
    for family, network in (("bow", BagOfWords), ("lstm", BidirectionalLSTM)):
        folder = parent / family
        folder.mkdir()
        save_file(network(len(WORDS) + 2, 2).state_dict(), folder / "weights.safetensors")
        (folder / "vocabulary.txt").write_text("\n".join(WORDS) + "\n")
        manifest = {"family": family, "classes": ["negative", "positive"], "max_length": 400}
        (folder / "espalier.json").write_text(json.dumps(manifest))
        entries.append(f'[models.{family}]\ntitle = "A small {family}"\nsource = "{family}"\n')
    path = parent / "catalog.toml"
    path.write_text("\n".join(entries))
    return path


@pytest.fixture
def espalier(small_catalog: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Command]:
    """`espalier(...)` runs the command line in this process, with the small catalog."""
    from espalier.cli import app

    monkeypatch.setenv("ESPALIER_CATALOG", str(small_catalog))
    monkeypatch.setenv("COLUMNS", "100")
    settings.cache_clear()
    yield lambda *arguments, **options: CliRunner().invoke(app, list(arguments), **options)
    shared_explainer().close()
    settings.cache_clear()
