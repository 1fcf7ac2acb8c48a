"""A classifier over a causal language model: a LoRA adapter, and a head that reads the last token.

The language model is the one that a package carries, made ready at its first use; the adapter is a few megabytes that
ship. Absent words are left out as they are for next words, so rows share what they begin with (see `trie`).
"""

import warnings
from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase

from espalier.models.causal.head import chunks
from espalier.models.causal.load import OPTIONS, longest_of, start_of
from espalier.models.causal.packaged import converted, packaged_file
from espalier.models.causal.reading import CausalReader
from espalier.models.causal.transformer import CausalTransformer
from espalier.models.causal.writing import SubwordWriting
from espalier.models.manifest import read_manifest
from espalier.models.outcomes import Outcomes
from espalier.models.protocol import FloatArray, TokenRow
from espalier.models.revision import revision
from espalier.models.sources import Source
from espalier.problems import BadModel
from espalier.settings import settings

FAMILY = "causal-classifier"


class CausalClassifier(CausalReader):
    """Logits of classes, read at the last token that is there; of no text, at the token every text begins after."""

    network: CausalTransformer

    def __init__(
        self,
        name: str,
        network: CausalTransformer,
        writing: SubwordWriting,
        classes: tuple[str, ...],
        revision: str,
        max_length: int,
    ) -> None:
        super().__init__(name, FAMILY, network, writing, revision, max_length)
        self.classes = classes
        self.outcomes = Outcomes(classes)

    @torch.inference_mode()
    def outputs(self, rows: Sequence[TokenRow], outcomes: Outcomes | None = None) -> FloatArray:
        with self._remembering():
            hidden = self.network.ends(rows)
            scores = torch.cat([self.network.logits(chunk) for chunk in chunks(hidden)])
        found: FloatArray = scores[: len(rows)].float().cpu().numpy()
        return found


def load(source: Source, device: torch.device) -> CausalClassifier:
    """Merge the adapter into the language model that its manifest names."""
    folder = source.own_folder()
    manifest = read_manifest(folder)
    if missing := {"package", "file", "sha256"} - manifest.keys():
        raise BadModel(f"incomplete espalier.json in {folder}: got no {', '.join(sorted(missing))}")
    made = converted(
        packaged_file(manifest["package"], manifest["file"]), manifest["sha256"], settings().data / "models"
    )
    classes = tuple(manifest["classes"])
    tokenizer = AutoTokenizer.from_pretrained(made, **OPTIONS)
    network = merged(made, folder, len(classes))
    return wrap(
        source.name,
        network,
        tokenizer,
        classes,
        revision(folder),
        device,
        manifest["max_length"],
        manifest.get("start"),
    )


def merged(backbone: Path, folder: Path, classes: int) -> PreTrainedModel:
    """The language model with an adapter in its weights, and the adapter's head."""
    from peft import PeftModel  # slow to import, and only needed here

    if not (folder / "adapter_model.safetensors").is_file():
        raise BadModel(f"unsafe or missing weights in {folder}: got no adapter_model.safetensors, pickle is not read")
    network = AutoModelForSequenceClassification.from_pretrained(
        backbone, num_labels=classes, use_safetensors=True, dtype=torch.float32, **OPTIONS
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            adapted = PeftModel.from_pretrained(network, str(folder))
    except (RuntimeError, ValueError) as error:
        raise BadModel(
            f"an adapter of another network in {folder}: got {str(error).splitlines()[0]}, possible is one that was "
            "trained over the language model that its espalier.json names"
        ) from error
    return adapted.merge_and_unload()


def wrap(
    name: str,
    network: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    classes: tuple[str, ...],
    mark: str,
    device: torch.device,
    max_length: int | None = None,
    start: str | None = None,
) -> CausalClassifier:
    """A classifier that is in memory already."""
    longest = longest_of(network.config, max_length)
    writing = SubwordWriting(name, tokenizer, start_of(name, network.config, tokenizer, start))
    return CausalClassifier(name, CausalTransformer(name, network, device, longest), writing, classes, mark, longest)
