"""Small real models, made once: the families' own loading code reads them from disk."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from transformers import (
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
    RobertaConfig,
    RobertaForSequenceClassification,
)

from espalier.models.backbone import backbone

BACKBONE = "sentence-transformers/all-MiniLM-L6-v2"
SMALL = {
    "vocab_size": 30522,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "initializer_range": 0.5,
}


def _save(folder: Path, model: torch.nn.Module) -> Path:
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(backbone(BACKBONE).folder).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def bert_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A three-class BERT with random weights, as save_pretrained writes it."""
    torch.manual_seed(1)
    labels = {0: "red", 1: "green", 2: "blue"}
    model = BertForSequenceClassification(BertConfig(**SMALL, num_labels=3, id2label=labels))
    return _save(tmp_path_factory.mktemp("bert"), model)


@pytest.fixture(scope="session")
def roberta_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """RoBERTa counts positions from its pad id on."""
    torch.manual_seed(2)
    config = RobertaConfig(**SMALL, num_labels=2, pad_token_id=0, max_position_embeddings=130, type_vocab_size=1)
    return _save(tmp_path_factory.mktemp("roberta"), RobertaForSequenceClassification(config))


@pytest.fixture
def catalog_file(tmp_path: Path) -> Path:
    return tmp_path / "catalog.toml"


@pytest.fixture(scope="session")
def word_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A parent folder with a bow, a cnn and an lstm of random weights over a dozen words."""
    from espalier.models.networks import BagOfWords, BidirectionalLSTM, KimCNN

    parent = tmp_path_factory.mktemp("words")
    words = ["the", "film", "is", "not", "good", "bad", "n't", "well", "made", ",", ".", "well-known"]
    torch.manual_seed(3)
    for family, network in (("bow", BagOfWords), ("cnn", KimCNN), ("lstm", BidirectionalLSTM)):
        folder = parent / family
        folder.mkdir()
        made = network(len(words) + 2, 2)
        save_file(made.state_dict(), folder / "weights.safetensors")
        (folder / "vocabulary.txt").write_text("\n".join(words) + "\n")
        manifest = {"family": family, "classes": ["negative", "positive"], "max_length": 50}
        (folder / "espalier.json").write_text(json.dumps(manifest))
    return parent
