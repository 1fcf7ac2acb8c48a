"""Models over whole words: bag of words, Kim CNN, bidirectional LSTM. They load in milliseconds."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from safetensors.torch import load_file
from torch import nn

from espalier.models.batches import by_width
from espalier.models.inside import answer
from espalier.models.manifest import read_manifest
from espalier.models.networks import BagOfWords, BidirectionalLSTM, KimCNN
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import Encoding, FloatArray, TokenRow
from espalier.models.revision import revision
from espalier.models.sources import Source
from espalier.models.transfer import on_device
from espalier.models.vocabulary import PAD, UNKNOWN, Vocabulary
from espalier.problems import BadModel
from espalier.text import Passage

NETWORKS: dict[str, type[nn.Module]] = {"bow": BagOfWords, "cnn": KimCNN, "lstm": BidirectionalLSTM}


class WordModel:
    """A network over word ids. Absent words are the pad vector in their place, so that positions are kept."""

    mask_id: int | None = UNKNOWN
    pad_id: int | None = PAD

    def __init__(
        self,
        name: str,
        family: str,
        network: nn.Module,
        vocabulary: Vocabulary,
        classes: tuple[str, ...],
        revision: str,
        device: torch.device,
        max_length: int,
    ) -> None:
        self.name = name
        self.family = family
        self.network = network.to(device).eval()
        self.vocabulary = vocabulary
        self.classes = classes
        self.outcomes = Outcomes(classes)
        self.revision = revision
        self.device = device
        self.max_length = max_length

    def encode(self, passage: Passage, pair: Passage | None = None) -> Encoding:
        return self.vocabulary.encode(self.name, self.max_length, passage, pair)

    def width(self, row: TokenRow) -> int:
        """The text's own length: a recurrent network of other lengths is another computation, see `batches`."""
        return max(1, row.length)

    @torch.inference_mode()
    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        return by_width(rows, self.width, self._forward)

    def _forward(self, rows: Sequence[TokenRow], width: int) -> FloatArray:
        return cast(FloatArray, self.network(*self.batch(rows)).float().cpu().numpy())

    def batch(self, rows: Sequence[TokenRow]) -> tuple[torch.Tensor, torch.Tensor]:
        lengths = np.asarray([row.length for row in rows], dtype=np.int64)
        ids = np.zeros((len(rows), max(1, int(lengths.max()))), dtype=np.int64)
        owners = np.repeat(np.arange(len(rows)), [len(row.ids) for row in rows])
        ids[owners, np.concatenate([row.positions for row in rows])] = np.concatenate([row.ids for row in rows])
        return on_device(ids, self.device), on_device(lengths, self.device)

    def inspect(self, question: str, **arguments: Any) -> Any:
        return answer(self, question, arguments)


def load(source: Source, device: torch.device) -> WordModel:
    return load_word_model(source.name, source.own_folder(), device)


def load_word_model(name: str, folder: Path, device: torch.device) -> WordModel:
    manifest = read_manifest(folder)
    for needed in ("weights.safetensors", "vocabulary.txt"):
        if not (folder / needed).is_file():
            raise BadModel(f"incomplete word model: got {folder} without {needed}")
    family = manifest["family"]
    if family not in NETWORKS:
        raise BadModel(f"not a word model in {folder}: got {family!r}, possible are {', '.join(NETWORKS)}")
    vocabulary = Vocabulary((folder / "vocabulary.txt").read_text(encoding="utf-8").splitlines())
    network = NETWORKS[family](len(vocabulary), len(manifest["classes"]), **manifest.get("network", {}))
    try:
        weights = load_file(folder / "weights.safetensors")
        network.load_state_dict({key: value.float() for key, value in weights.items()})
    except (RuntimeError, ValueError, json.JSONDecodeError) as error:
        raise BadModel(f"weights do not fit the {family} network in {folder}: {str(error).splitlines()[0]}") from error
    return WordModel(
        name, family, network, vocabulary, tuple(manifest["classes"]), revision(folder), device, manifest["max_length"]
    )
