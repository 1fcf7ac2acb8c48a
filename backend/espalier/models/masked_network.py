"""The network of the masked language models: the installed backbone, an adapter merged into it, and a head.

A folder of the family `masked-lm` holds `adapter_config.json` and `adapter_model.safetensors` (LoRA over the encoder),
`head.safetensors` (the transform before the output layer, and a bias for each token) and `espalier.json`, which names
the backbone and its digest. The output layer itself is the backbone's own token vectors and is not shipped.

    network, tokenizer = load_masked_network(folder)
    network(input_ids=…, attention_mask=…).logits       rows × length × tokens, to be read where `[MASK]` stands
"""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from safetensors.torch import load_file

from espalier.models.backbone import backbone, verify
from espalier.models.manifest import read_manifest
from espalier.problems import BadModel

if TYPE_CHECKING:
    from transformers import BertForMaskedLM, PreTrainedTokenizerBase

HEAD = (
    "transform.dense.weight",
    "transform.dense.bias",
    "transform.LayerNorm.weight",
    "transform.LayerNorm.bias",
    "bias",
)
"""The parameters of the head that ship, by their names inside `cls.predictions`."""


def load_masked_network(folder: Path) -> "tuple[BertForMaskedLM, PreTrainedTokenizerBase]":
    """The whole network in single precision, ready to be asked, with its tokenizer."""
    from peft import PeftModel  # slow to import, and only needed here
    from transformers import AutoTokenizer, BertForMaskedLM

    manifest = read_manifest(folder)
    base = backbone(manifest["backbone"])
    verify(base, manifest["backbone_sha256"], folder.name)
    for needed in ("adapter_model.safetensors", "head.safetensors"):
        if not (folder / needed).is_file():
            raise BadModel(f"incomplete masked language model: got {folder} without {needed}")
    network = BertForMaskedLM.from_pretrained(base.folder, use_safetensors=True)
    head = load_file(folder / "head.safetensors")
    if set(head) != set(HEAD):
        raise BadModel(f"head does not fit in {folder}: got {', '.join(sorted(head))}, possible is {', '.join(HEAD)}")
    predictions = network.cls.predictions
    predictions.load_state_dict({key: value.float() for key, value in head.items()}, strict=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network.bert = PeftModel.from_pretrained(network.bert, str(folder)).merge_and_unload()
    return network.eval(), AutoTokenizer.from_pretrained(base.folder)
