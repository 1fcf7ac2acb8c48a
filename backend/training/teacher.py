"""Train the teacher: SmolLM2 as a classifier of sentiment, a LoRA adapter and a head on the last token.

    python -m training.teacher                  about an hour on two cores
    python -m training.teacher --resume         goes on where it was stopped
    python -m training.teacher --steps 20       a short try: of so many steps, saved nowhere

The language model is the shipped one, as it is converted for explanations of next words; its own weights stay as they
are. Most of the time goes into multiplying by them, so they are kept in bfloat16, in which training multiplies. What is
measured at the end is what ships: adapter in half precision, everything else in single.
"""

import argparse
import itertools
import json
import random
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import torch
from peft import LoraConfig, PeftModel, get_peft_model, get_peft_model_state_dict
from safetensors.torch import save_file
from transformers import AutoTokenizer, LlamaForSequenceClassification, PreTrainedTokenizerBase

from espalier.models.causal.packaged import converted, packaged_file
from espalier.models.manifest import read_manifest
from espalier.settings import settings
from training import data, sentiment
from training.batches import under_budget
from training.checkpoint import Checkpoint
from training.descent import Descent

NAME = "sst2-smollm2"
BACKBONE = "smollm2"
MODELS = Path(__file__).parents[1] / "models"
MAX_LENGTH = 512
PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]

Ids = list[list[int]]
Network = TypeVar("Network", bound=torch.nn.Module)


@dataclass(frozen=True)
class Recipe:
    rank: int = 16
    batch_tokens: int = 1024
    learning_rate: float = 3e-4
    seed: int = 7


def backbone_folder() -> Path:
    """The language model as transformers loads it, made now if it is not there."""
    manifest = read_manifest(MODELS / BACKBONE)
    file = packaged_file(manifest["package"], manifest["file"])
    return converted(file, manifest["sha256"], settings().data / "models")


def tokenizer_and_start(folder: Path) -> tuple[PreTrainedTokenizerBase, int]:
    """Texts begin after the token that they do for the language model."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    return tokenizer, tokenizer.convert_tokens_to_ids(read_manifest(MODELS / BACKBONE)["start"])


def encode(folder: Path, texts: list[str]) -> Ids:
    tokenizer, start = tokenizer_and_start(folder)
    found = tokenizer(texts, add_special_tokens=False, split_special_tokens=True)["input_ids"]
    return [[start, *ids[: MAX_LENGTH - 1]] for ids in found]


def classifier(folder: Path) -> LlamaForSequenceClassification:
    # Written-out attention: torch's own takes a quarter of a step to go back through rows as short as these.
    return LlamaForSequenceClassification.from_pretrained(
        folder, num_labels=len(data.SENTIMENTS), dtype=torch.float32, attn_implementation="eager"
    )


def build(folder: Path, recipe: Recipe) -> PeftModel:
    """The frozen language model in bfloat16, the adapter and the head in single precision."""
    model = get_peft_model(
        classifier(folder),
        LoraConfig(
            task_type="SEQ_CLS",
            r=recipe.rank,
            lora_alpha=2 * recipe.rank,
            target_modules=PROJECTIONS,
            modules_to_save=["score"],
        ),
    )
    return halved(model)


def halved(model: Network) -> Network:
    """Keep the projections' own weights in bfloat16: casting them for every batch would take longer than some of the
    products."""
    for name, module in model.named_modules():
        if name.removesuffix(".base_layer").endswith(tuple(PROJECTIONS)) and isinstance(module, torch.nn.Linear):
            module.weight.data = module.weight.data.bfloat16()
    return model


def logits(model: torch.nn.Module, ids: Ids, half: bool) -> torch.Tensor:
    """float[rows, classes], read at each row's last token."""
    pad = model.config.pad_token_id
    rows = [torch.tensor(row) for row in ids]
    tokens = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad)
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        found: torch.Tensor = model(input_ids=tokens, attention_mask=(tokens != pad).long(), use_cache=False).logits
    return found.float()


@torch.no_grad()
def accuracy(model: torch.nn.Module, ids: Ids, labels: list[int], half: bool) -> float:
    model.eval()
    batches = under_budget([len(row) for row in ids], 2048, random.Random(0), len(ids))
    right = 0
    for chosen in batches:
        predicted = logits(model, [ids[index] for index in chosen], half).argmax(1)
        right += int((predicted == torch.tensor([labels[index] for index in chosen])).sum())
    model.train()
    return right / len(ids)


def train(resume: bool = False, steps: int | None = None, recipe: Recipe = Recipe()) -> None:  # noqa: B008
    torch.manual_seed(recipe.seed)
    random_source = random.Random(recipe.seed)
    folder = backbone_folder()
    lessons = sentiment.lessons(random_source)
    ids = encode(folder, [text for text, _ in lessons])
    positive = torch.tensor([value for _, value in lessons])
    targets = torch.stack([1 - positive, positive], 1)
    held = data.sst2()[1]
    held_ids, held_labels = encode(folder, [text for text, _ in held]), [label for _, label in held]
    batches = under_budget([len(row) for row in ids], recipe.batch_tokens, random_source)[:steps]
    model = build(folder, recipe)
    descent = Descent(model, len(batches), recipe.learning_rate)
    checkpoint = Checkpoint(NAME)
    if resume and (found := checkpoint.load()):
        descent.restore(found["descent"])
    sizes = [sum(len(ids[index]) for index in batch) for batch in batches]
    print(f"{NAME}: {len(ids)} texts, {sum(sizes)} tokens, {descent.size} numbers to tune", flush=True)
    print(f"from step {descent.done} to {descent.total}", flush=True)
    progress = Progress(sizes, descent.done)
    model.train()
    for batch in itertools.islice(batches, descent.done, None):
        found_logits = logits(model, [ids[index] for index in batch], half=True)
        loss = torch.nn.functional.cross_entropy(found_logits, targets[batch])
        descent.step(loss)
        progress.tell(descent.done, loss.item())
        if descent.done % max(descent.total // 8, 1) == 0 and steps is None:
            with descent.averaged():
                share = accuracy(model, held_ids, held_labels, half=True)
                save(model)
            print(f"step {descent.done}: averaged weights {share:.4f} on {len(held)} held-out sentences", flush=True)
        if steps is None and (checkpoint.is_due() or descent.done == descent.total):
            checkpoint.save(random_source, descent=descent.state())
    if steps is None:
        with descent.averaged():
            save(model)
        share = accuracy(shipped(folder), held_ids, held_labels, half=False)
        print(f"{NAME}: accuracy {share:.4f} on {len(held)} held-out sentences, as it ships", flush=True)


class Progress:
    """How fast it goes, and how long it will take: by tokens, since steps differ."""

    def __init__(self, sizes: list[int], done: int) -> None:
        self._sizes = sizes
        self._from = done
        self._loss: float | None = None
        self._started = time.monotonic()

    def tell(self, done: int, loss: float | None = None) -> None:
        if loss is not None:
            self._loss = loss if self._loss is None else 0.98 * self._loss + 0.02 * loss
        if done % 20 and done < len(self._sizes):
            return
        elapsed = time.monotonic() - self._started
        speed = sum(self._sizes[self._from : done]) / elapsed
        left = sum(self._sizes[done:]) / speed
        loss_said = "" if self._loss is None else f"loss {self._loss:.3f} "
        print(
            f"step {done}/{len(self._sizes)} {loss_said}{speed:.0f} tokens/s "
            f"{elapsed / 60:.1f} min, {left / 60:.1f} min left",
            flush=True,
        )


def save(model: PeftModel) -> None:
    """Write the adapter in half precision, and the manifest that says which language model it stands on."""
    folder = MODELS / NAME
    folder.mkdir(parents=True, exist_ok=True)
    weights = get_peft_model_state_dict(model, save_embedding_layers=False)
    state = {key: value.half().contiguous() for key, value in weights.items()}
    save_file(state, folder / "adapter_model.safetensors")
    config = model.peft_config["default"]
    config.inference_mode = True
    config.base_model_name_or_path = BACKBONE
    # A set has no order of its own, and the same run must write the same file.
    config.target_modules = sorted(config.target_modules)
    config.save_pretrained(folder)
    stands_on: dict[str, Any] = read_manifest(MODELS / BACKBONE)
    manifest = {
        "family": "causal-classifier",
        **{name: stands_on[name] for name in ("package", "file", "sha256", "start")},
        "classes": list(data.SENTIMENTS),
        "max_length": MAX_LENGTH,
    }
    (folder / "espalier.json").write_text(json.dumps(manifest, indent=2) + "\n")


def shipped(folder: Path) -> torch.nn.Module:
    """The saved adapter in its language model, all in single precision."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        merged: torch.nn.Module = PeftModel.from_pretrained(classifier(folder), str(MODELS / NAME)).merge_and_unload()
    return merged


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train SmolLM2 as a classifier of sentiment.")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--steps", type=int, help="so many steps only, and nothing is saved")
    arguments = parser.parse_args()
    train(arguments.resume, arguments.steps)
