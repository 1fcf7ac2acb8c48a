"""Train the shipped constituency parser: benepar's chart parser over the installed backbone.

    python -m training.parser            train, then export
    python -m training.parser --export   export again from the last checkpoint

Word embeddings stay frozen, the six layers and the parsing head are tuned. What ships is small: the change of each
layer's matrices as a product of two thin ones (truncated singular value decomposition), and the head, as half floats.

benepar's margin loss runs a chart parser inside every step. Cross-entropy over the spans of the chart needs none and
is several times cheaper; only spans with start <= end exist, so only those are scored.
"""

import argparse
import hashlib
import json
import math
import random
import time
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional

from espalier.trees.shim import nkutil, parse_chart
from training import treebank
from training.adapters import BACKBONE, MODELS, backbone_folder
from training.batches import by_length
from training.brackets import score

NAME = "minilm-benepar"
SEED = 7
RANK = 96
HPARAMS = {
    "use_pretrained": True,
    "use_chars_lstm": False,
    "use_encoder": True,
    "pretrained_model": BACKBONE,
    "d_model": 512,
    "num_layers": 1,
    "num_heads": 8,
    "d_kv": 64,
    "d_ff": 1024,
    "d_label_hidden": 250,
    "d_tag_hidden": 250,
    "tag_loss_scale": 0.2,
    "encoder_max_len": 512,
    "morpho_emb_dropout": 0.2,
    "attention_dropout": 0.2,
    "relu_dropout": 0.1,
    "residual_dropout": 0.2,
    "predict_tags": True,
    "force_root_constituent": True,
}


class UpperTriangle(nn.Module):
    """Score only the spans that exist: start <= end."""

    def __init__(self, scorer: nn.Module) -> None:
        super().__init__()
        self.scorer = scorer

    def forward(self, span_features: torch.Tensor) -> torch.Tensor:
        starts, ends = torch.triu_indices(span_features.shape[1], span_features.shape[2])
        return self.scorer(span_features[:, starts, ends])


def build(labels: dict[str, int], tags: dict[str, int]) -> parse_chart.ChartParser:
    folder = str(backbone_folder())
    parser = parse_chart.ChartParser(tags, labels, None, nkutil.HParams(**HPARAMS), pretrained_model_path=folder)
    pretrained = parse_chart.AutoModel.from_pretrained(folder)
    parser.pretrained_model.load_state_dict(pretrained.state_dict())
    parser.pretrained_model.pooler = None
    for parameter in parser.pretrained_model.embeddings.parameters():
        parameter.requires_grad = False
    return parser


def loss(parser: parse_chart.ChartParser, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    span_scores, tag_scores = parser(batch)
    starts, ends = torch.triu_indices(*batch["span_labels"].shape[1:])
    span_labels = batch["span_labels"][:, starts, ends]
    words = (batch["tag_labels"] != -100).sum()
    span_loss = functional.cross_entropy(
        span_scores.flatten(0, 1), span_labels.flatten(), ignore_index=-100, reduction="sum"
    )
    tag_loss = functional.cross_entropy(
        tag_scores.flatten(0, 1), batch["tag_labels"].flatten(), ignore_index=-100, reduction="sum"
    )
    return (span_loss + parser.tag_loss_scale * tag_loss) / words


def evaluate(parser: parse_chart.ChartParser, sentences: list[treebank.TreebankSentence]) -> str:
    predicted = parser.parse(sentences, subbatch_max_tokens=1500)
    return str(score(zip((sentence.tree for sentence in sentences), predicted, strict=True)))


def train(checkpoint: Path, epochs: int, batch_size: int = 32) -> None:
    torch.manual_seed(SEED)
    random_source = random.Random(SEED)
    trees = treebank.training_trees(SEED)
    labels, tags = treebank.frequent_labels(trees), treebank.tags(trees)
    sentences = [treebank.sentence(tree) for tree in trees]
    held_out = [treebank.sentence(tree) for tree in treebank.gum("dev", commercial_only=False)]
    parser = build(labels, tags)
    encoded = [parser.encode(sentence) for sentence in sentences]
    lengths = [len(item["input_ids"]) for item in encoded]
    scorer = parser.f_label
    backbone = [p for p in parser.pretrained_model.parameters() if p.requires_grad]
    inside = set(map(id, backbone))
    head = [p for p in parser.parameters() if p.requires_grad and id(p) not in inside]
    optimizer = torch.optim.AdamW(
        [{"params": backbone, "lr": 2e-4}, {"params": head, "lr": 1e-3}],
        weight_decay=0.01,
        betas=(0.9, 0.98),
        fused=True,
    )
    total = epochs * math.ceil(len(encoded) / batch_size)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / 120) * (1 - step / total)
    )
    trainable = backbone + head
    averaged = [parameter.detach().clone() for parameter in trainable]
    print(f"{len(trees)} trees, {len(labels)} labels, {total} steps", flush=True)
    step, started, running = 0, time.time(), 0.0

    def swap() -> None:
        for parameter, average in zip(trainable, averaged, strict=True):
            kept = parameter.data.clone()
            parameter.data.copy_(average)
            average.copy_(kept)

    while step < total:
        for chosen in by_length(lengths, batch_size, random_source):
            parser.train()
            parser.f_label = UpperTriangle(scorer)
            value = loss(parser, parser.pad_encoded([encoded[index] for index in chosen]))
            value.backward()
            torch.nn.utils.clip_grad_norm_(trainable, 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            parser.f_label = scorer
            step += 1
            decay = min(0.998, (1 + step) / (10 + step))
            for parameter, average in zip(trainable, averaged, strict=True):
                average.lerp_(parameter.detach(), 1 - decay)
            running = 0.98 * running + 0.02 * value.item() if step > 1 else value.item()
            if step % 50 == 0:
                print(f"step {step}/{total} loss {running:.3f} {time.time() - started:.0f} s", flush=True)
            if step % 500 == 0 or step == total:
                swap()
                part = held_out if step == total else held_out[::4]
                print(f"step {step}, averaged: {evaluate(parser, part)}", flush=True)
                torch.save({"labels": labels, "tags": tags, "state": parser.state_dict()}, checkpoint)
                swap()
            if step == total:
                break


def thin(change: torch.Tensor, rank: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Two matrices of the given rank whose product is closest to the change."""
    left, values, right = torch.linalg.svd(change.float(), full_matrices=False)
    root = values[:rank].sqrt()
    return left[:, :rank] * root, root[:, None] * right[:rank]


def export(checkpoint: Path, rank: int) -> None:
    """Write the shipped form: thin changes of the backbone, the head, and what benepar needs to build itself."""
    saved = torch.load(checkpoint, weights_only=True)
    original = parse_chart.AutoModel.from_pretrained(backbone_folder()).state_dict()
    tensors: dict[str, torch.Tensor] = {}
    for name, value in saved["state"].items():
        base = name.removeprefix("pretrained_model.")
        if name == base:
            tensors[name] = value
        elif "embeddings" in name:
            continue
        elif value.dim() == 2:
            tensors[f"{name}.up"], tensors[f"{name}.down"] = thin(value - original[base], rank)
        else:
            tensors[name] = value
    folder = MODELS / NAME
    folder.mkdir(parents=True, exist_ok=True)
    save_file({name: value.half().contiguous() for name, value in tensors.items()}, folder / "parser.safetensors")
    manifest = {
        "family": "benepar-adapter",
        "backbone": BACKBONE,
        "backbone_sha256": hashlib.sha256((backbone_folder() / "model.safetensors").read_bytes()).hexdigest(),
        "rank": rank,
        "hparams": HPARAMS,
        "label_vocab": saved["labels"],
        "tag_vocab": saved["tags"],
    }
    (folder / "espalier.json").write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    size = (folder / "parser.safetensors").stat().st_size
    print(f"wrote {folder.name}: {size / 1e6:.1f} MB at rank {rank}")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Train and export the shipped constituency parser.")
    arguments.add_argument("--checkpoint", type=Path, default=Path("parser-checkpoint.pt"))
    arguments.add_argument("--epochs", type=int, default=8)
    arguments.add_argument("--rank", type=int, default=RANK)
    arguments.add_argument("--export", action="store_true", help="export the last checkpoint without training")
    chosen = arguments.parse_args()
    if not chosen.export:
        train(chosen.checkpoint, chosen.epochs)
    export(chosen.checkpoint, chosen.rank)
