"""A family of models is one record, and it may come from another installed package."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest
import torch

from espalier.models import families
from espalier.models.catalog import Catalog, catalog
from espalier.models.families import HOUSE, family, family_of, load_model
from espalier.models.sources import Entry, Source
from espalier.problems import BadModel, UnknownName
from espalier.settings import settings

CPU = torch.device("cpu")


def source(folder: Path | str, **fields: str) -> Source:
    return Source(Entry(name="m", title="M", source=str(folder), **fields), Path("/"))


@pytest.mark.parametrize("record", HOUSE, ids=lambda record: record.name)
def test_everything_a_record_names_is_there(record) -> None:
    for address in (record.load, *record.questions.values()):
        module, _, function = address.partition(":")
        assert callable(getattr(import_module(module), function))


def test_a_folder_belongs_to_the_family_its_manifest_names(word_folder) -> None:
    assert family_of(source(word_folder / "cnn")).name == "cnn"


def test_a_folder_of_transformers_and_a_hub_id_belong_to_transformers(bert_folder) -> None:
    assert family_of(source(bert_folder)).name == "transformer"
    assert family_of(source("org/name")).name == "transformer"


def test_an_entry_can_name_its_family(bert_folder) -> None:
    assert family_of(source(bert_folder, family="lstm")).name == "lstm"


def test_an_unknown_family_is_answered_with_the_known_ones(tmp_path) -> None:
    (tmp_path / "espalier.json").write_text('{"family": "oracle", "classes": ["a", "b"], "max_length": 9}')
    with pytest.raises(UnknownName, match=r"got 'oracle', possible are adapter, bow, causal, causal-classifier, cnn, "):
        family_of(source(tmp_path))


def test_a_model_that_says_other_things_than_its_family_is_refused(word_folder, monkeypatch) -> None:
    record = replace(family("cnn"), name="words", says="next-words")
    monkeypatch.setattr(families, "families", lambda: {family.name: family for family in (*HOUSE, record)})
    with pytest.raises(BadModel, match="got a model that says classes, possible is one that says next-words"):
        load_model(source(word_folder / "cnn", family="words"), CPU)


def test_a_family_without_its_folder_says_so() -> None:
    with pytest.raises(BadModel, match="no such folder"):
        load_model(source("/nowhere", family="bow"), CPU)


def test_a_model_without_a_classifier_is_refused(bert_folder, tmp_path) -> None:
    for file in bert_folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    config = (
        (tmp_path / "config.json")
        .read_text(encoding="utf-8")
        .replace("BertForSequenceClassification", "BertForTokenClassification")
    )
    (tmp_path / "config.json").write_text(config)
    with pytest.raises(BadModel, match=r"m is no classifier: got BertForTokenClassification"):
        load_model(source(tmp_path), CPU)


# From other packages --------------------------------------------------------------------------------------------------

MODULE = """
from pathlib import Path
from espalier.models.families import Family
from espalier.models.sources import Facts

catalog = Path(__file__).with_name("catalog.toml")
family = Family(
    "rule",
    load="outside.model:load",
    describe=lambda source: Facts(("no", "yes"), 50, "1"),
    recognises=lambda source: source.folder is not None and (source.folder / "rule.txt").is_file(),
)
"""

MODEL = """
import numpy as np
from espalier.models.callable import CallableModel

def load(source, device):
    word = (source.folder / "rule.txt").read_text(encoding="utf-8").strip()
    model = CallableModel(lambda texts: [[0.1, 0.9] if word in text else [0.9, 0.1] for text in texts], ["no", "yes"])
    model.name, model.revision = source.name, "1"
    return model
"""


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder for PYTHONPATH with an installed package that adds a family and a model, and one that is broken."""
    package = tmp_path / "outside"
    package.mkdir()
    (package / "__init__.py").write_text(MODULE)
    (package / "model.py").write_text(MODEL)
    (package / "rule.txt").write_text("lovely")
    (package / "catalog.toml").write_text('[models.lovely]\ntitle = "Lovely or not"\nsource = "."\n')
    install(tmp_path, "outside", "[espalier.families]\nrule = outside:family\n[espalier.models]\nr = outside:catalog\n")
    broken = "[espalier.families]\nbroken = missing_module:family\nodd = outside:catalog\n"
    install(tmp_path, "broken", broken + "[espalier.models]\nbroken = outside:family\n")
    return tmp_path


def install(folder: Path, name: str, entry_points: str) -> None:
    """As pip leaves a package: what is importable, and what it says of itself."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"import sys; sys.path.insert(0, {str(folder)!r})\n"
    return subprocess.run(
        [sys.executable, "-c", path + dedent(code)], capture_output=True, text=True, check=True, encoding="utf-8"
    )


@pytest.mark.slow
def test_a_family_and_a_model_of_another_package_are_used_like_the_houses_own(outside) -> None:
    code = """
    import espalier
    found = espalier.explain("A lovely film", "lovely", "leave-one-out")
    print(found.classes[found.target], [round(value, 2) for value in found.result.values])
    """
    assert run(code, outside).stdout == "yes [0.0, 0.8, 0.0]\n"


def test_what_a_package_cannot_give_is_reported_and_all_else_works(outside) -> None:
    code = """
    from espalier.models.catalog import catalog
    from espalier.models.families import families
    assert {"rule", "transformer", "bow"} <= set(families())
    print([entry.name for entry in catalog().entries()][-1])
    """
    done = run(code, outside)
    assert done.stdout == "lovely\n"
    assert "broken (missing_module:family), ModuleNotFoundError" in done.stderr
    assert "got odd, a PosixPath; possible is a Family" in done.stderr
    assert "got broken, a Family; possible is the path of a catalog file" in done.stderr


def test_code_of_another_package_that_fails_later_is_reported_and_hides_no_other_model(outside) -> None:
    raising = "recognises=lambda source: 1 / 0, describe=lambda source: {}['facts']"
    module = outside / "outside" / "__init__.py"
    module.write_text(MODULE + f"\nfailing = Family('failing', load='outside.model:load', {raising})\n")
    (outside / "outside" / "catalog.toml").write_text(
        '[models.lovely]\ntitle = "L"\nsource = "."\n[models.f]\ntitle = "F"\nsource = "."\nfamily = "failing"\n'
    )
    install(outside, "failing", "[espalier.families]\nfailing = outside:failing\nrule = outside:failing\n")
    code = """
    from espalier.models.catalog import catalog
    from espalier.models.describe import Shelf
    shelf = Shelf(catalog())
    print([each.entry.name for each in shelf.described()][-1], len(shelf.described()) == len(catalog().entries()) - 1)
    """
    done = run(code, outside)
    assert done.stdout == "lovely True\n"
    assert "got failing, ZeroDivisionError: division by zero, when asked about" in done.stderr
    assert "a second one of this name" in done.stderr
    assert done.stderr.count("model f cannot be described and is not listed") == 1


def test_a_model_of_another_package_is_described_without_torch(outside) -> None:
    code = """
    from espalier.models.catalog import catalog
    from espalier.models.describe import Shelf
    print(Shelf(catalog()).get("lovely").classes, "torch" in sys.modules)
    """
    assert run(code, outside).stdout == "('no', 'yes') False\n"


def test_the_shipped_models_belong_to_known_families() -> None:
    shipped = Catalog(settings().catalog)
    assert all(family(family_of(shipped.source(entry.name)).name) for entry in shipped.entries())


def test_models_that_are_loaded_at_once_have_all_their_numbers() -> None:
    """Building one without numbers changes torch for all threads."""
    names = ("mlm-movies", "mlm-general", "sst2-minilm", "emotion-minilm")
    with ThreadPoolExecutor(len(names)) as threads:
        loaded = threads.map(lambda name: load_model(catalog().source(name), catalog().device), names)
        assert [model.name for model in loaded] == list(names)
