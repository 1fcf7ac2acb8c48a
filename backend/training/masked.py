"""Train the masked language models: an adapter and a head that guess hidden words from the words around them.

    python -m training.masked mlm-movies
    python -m training.masked mlm-general

The backbone lost its own head when it was tuned to compare sentences. The output layer is its token vectors, as it was
when it was pretrained; before it a transform that starts as the identity, and a bias that starts at how often each
token occurs, so that the first step already knows what a frequent word is.
"""

import argparse
import csv
import hashlib
import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import save_file
from torch import nn
from transformers import AutoTokenizer, BertForMaskedLM, PreTrainedTokenizerBase

from espalier.models.masked_network import HEAD
from training import corpus, data
from training.adapters import BACKBONE, MODELS, backbone_folder, collate
from training.batches import by_length
from training.checkpoint import Checkpoint

MAX_TOKENS = 64
SHARE = 0.15
COUNTED = 10_000
"""Sentences in which tokens are counted for the start of the bias."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'])")


def column(path: Path, *names: str) -> list[str]:
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [text.strip() for row in rows if (text := next((row[name] for name in names if row.get(name)), ""))]


def sentences(texts: list[str]) -> list[str]:
    return [sentence for text in texts for sentence in _SENTENCE.split(text) if sentence.count(" ") >= 3]


def letters(text: str) -> str:
    """The same for one sentence however it is split and capitalised."""
    return "".join(character for character in text.lower() if character.isalnum())


def films() -> tuple[list[str], list[str]]:
    """Sentences of SST, of the MR snippets and of IMDB's training half; held out are SST's dev and IMDB's test half."""
    folder = data.data_folder()
    treebank = column(folder / "sst" / "sst2_train.tsv", "sentence", "text")
    held_treebank = column(folder / "sst" / "sst2_dev.tsv", "sentence", "text")
    # The treebank was made from those snippets: what is held out there must not be learned here.
    known = {letters(text) for text in held_treebank}
    snippets = [
        text for text in column(folder / "mr_subj" / "mr.tsv", "sentence", "text") if letters(text) not in known
    ]
    reviews = sentences([text for text, _ in corpus.reviews("train")])
    held_reviews = sentences([text for text, _ in corpus.reviews("test")[::100]])
    return treebank + snippets + reviews, held_treebank[:400] + held_reviews[:1000]


def general() -> tuple[list[str], list[str]]:
    """Sentences of Wikipedia, news and everyday comments; held out are the test parts of the three."""
    folder = data.data_folder()

    def gathered(encyclopedia: str, news: str, comments: str) -> tuple[list[str], list[str], list[str]]:
        return (
            # A hidden word of WikiText cannot be learned from, and would itself be guessed at.
            [text for text in sentences(corpus.wikipedia(encyclopedia)) if corpus.HIDDEN_WORD not in text],
            column(folder / "ag_news" / news, "text", "sentence"),
            column(folder / "goemotions" / comments, "text", "sentence"),
        )

    training = gathered("valid", "ag_train.tsv", "goemotions_train.tsv")
    held = gathered("test", "ag_test.tsv", "goemotions_test.tsv")
    return [text for part in training for text in part], [text for part in held for text in part[:500]]


@dataclass(frozen=True)
class Recipe:
    load: Callable[[], tuple[list[str], list[str]]]
    steps: int
    rank: int = 16
    batch_size: int = 32
    learning_rate: float = 1e-3
    cooldown: float = 0.3
    seed: int = 7


RECIPES = {"mlm-movies": Recipe(films, steps=4000), "mlm-general": Recipe(general, steps=2000)}


def hide(
    tokens: torch.Tensor, tokenizer: PreTrainedTokenizerBase, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Choose 15 % of the tokens: eight of ten become the mask, one another token, one stays. Tokens shown, and chosen.

    Every row has a chosen token, or short sentences would often teach nothing.
    """
    ordinary = ~torch.isin(tokens, torch.tensor(tokenizer.all_special_ids))
    chance = torch.rand(tokens.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = (chance < SHARE) | (chance == chance.amin(1, keepdim=True))
    chosen &= ordinary
    kind = torch.rand(tokens.shape, generator=generator)
    others = torch.randint(1000, len(tokenizer), tokens.shape, generator=generator)
    shown = tokens.masked_fill(chosen & (kind < 0.8), tokenizer.mask_token_id)
    return torch.where(chosen & (kind >= 0.9), others, shown), chosen


def guesses(network: nn.Module, shown: torch.Tensor, pad: int, chosen: torch.Tensor) -> torch.Tensor:
    """Logits at the chosen places only: the output layer is half of the work when it is asked everywhere.

    Training multiplies in bfloat16, which takes half the time on processors that can; measuring is in full.
    """
    with torch.autocast("cpu", torch.bfloat16, enabled=network.training):
        read = network.bert(input_ids=shown, attention_mask=(shown != pad).long()).last_hidden_state
        return network.cls(read[chosen]).float()


@torch.no_grad()
def measure(network: nn.Module, ids: list[list[int]], tokenizer: PreTrainedTokenizerBase) -> tuple[float, float, int]:
    """Shares of hidden tokens guessed first and among the first five, and how many there were; all are masked."""
    network.eval()
    generator = torch.Generator().manual_seed(0)
    first = five = count = 0
    ordered = sorted(ids, key=len)
    for start in range(0, len(ordered), 64):
        tokens = collate(ordered[start : start + 64], tokenizer.pad_token_id)["input_ids"]
        _, chosen = hide(tokens, tokenizer, generator)
        shown = tokens.masked_fill(chosen, tokenizer.mask_token_id)
        best = guesses(network, shown, tokenizer.pad_token_id, chosen).topk(5).indices
        right = best == tokens[chosen][:, None]
        first, five, count = first + int(right[:, 0].sum()), five + int(right.any(1).sum()), count + len(right)
    network.train()
    return first / count, five / count, count


def build(recipe: Recipe, ids: list[list[int]]) -> BertForMaskedLM:
    network = BertForMaskedLM.from_pretrained(backbone_folder())
    predictions = network.cls.predictions
    counts = torch.bincount(torch.cat([torch.tensor(row[1:-1]) for row in ids]), minlength=network.config.vocab_size)
    with torch.no_grad():
        nn.init.eye_(predictions.transform.dense.weight)
        nn.init.zeros_(predictions.transform.dense.bias)
        predictions.bias.copy_(torch.log((counts + 0.1) / counts.sum()))
    for parameter in network.parameters():
        parameter.requires_grad_(False)
    for name in HEAD:
        predictions.get_parameter(name).requires_grad_(True)
    network.bert = get_peft_model(
        network.bert,
        LoraConfig(
            r=recipe.rank,
            lora_alpha=2 * recipe.rank,
            target_modules=["query", "key", "value", "dense"],
            base_model_name_or_path=BACKBONE,
        ),
    )
    return network


def in_blocks(lengths: list[int], batch_size: int, random_source: random.Random, window: int = 50) -> list[list[int]]:
    """Batches of similar length, block by block: a longer run begins with all batches of a shorter one."""
    width = batch_size * window
    return [
        [start + index for index in batch]
        for start in range(0, len(lengths), width)
        for batch in by_length(lengths[start : start + width], batch_size, random_source, window)
    ]


def parts(network: BertForMaskedLM) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """What is trained and shipped: the adapter, and the head."""
    head = {name: network.cls.predictions.get_parameter(name).detach() for name in HEAD}
    return get_peft_model_state_dict(network.bert), head


def train(name: str) -> None:
    recipe = RECIPES[name]
    torch.manual_seed(recipe.seed)
    random_source = random.Random(recipe.seed)
    generator = torch.Generator().manual_seed(recipe.seed)
    tokenizer = AutoTokenizer.from_pretrained(backbone_folder())
    texts, held_texts = recipe.load()
    random_source.shuffle(texts)
    texts = texts[: recipe.steps * recipe.batch_size]
    ids, held = (tokenizer(part, truncation=True, max_length=MAX_TOKENS)["input_ids"] for part in (texts, held_texts))
    network = build(recipe, ids[:COUNTED])
    trainable = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=recipe.learning_rate, weight_decay=0.01, fused=True)
    batches = in_blocks([len(row) for row in ids], recipe.batch_size, random_source)
    step, running, seconds = 0, 0.0, 0.0
    checkpoint = Checkpoint(name)
    if found := checkpoint.load():
        set_peft_model_state_dict(network.bert, found["adapter"])
        network.cls.predictions.load_state_dict(found["head"], strict=False)
        optimizer.load_state_dict(found["optimizer"])
        generator.set_state(found["generator"])
        step, running, seconds = found["step"], found["running"], found["seconds"]
    print(f"{name}: {len(texts)} sentences, from step {step} to {len(batches)}", flush=True)
    started = time.time()
    network.train()
    for chosen_rows in batches[step:]:
        fall = (len(batches) - step) / (recipe.cooldown * len(batches))
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate * min(1.0, (step + 1) / 50, fall)
        tokens = collate([ids[index] for index in chosen_rows], tokenizer.pad_token_id)["input_ids"]
        shown, chosen = hide(tokens, tokenizer, generator)
        loss = nn.functional.cross_entropy(guesses(network, shown, tokenizer.pad_token_id, chosen), tokens[chosen])
        loss.backward()
        nn.utils.clip_grad_norm_(trainable, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        running = 0.98 * running + 0.02 * loss.item() if step > 1 else loss.item()
        if step % 50 == 0:
            print(f"step {step}/{len(batches)} loss {running:.3f} {time.time() - started:.0f} s", flush=True)
        if step % 500 == 0:
            first, five, count = measure(network, held[::5], tokenizer)
            print(f"step {step}: first {first:.3f}, among five {five:.3f} of {count} hidden tokens", flush=True)
        if checkpoint.is_due() or step == len(batches):
            adapter, head = parts(network)
            checkpoint.save(
                random_source,
                adapter=adapter,
                head=head,
                optimizer=optimizer.state_dict(),
                generator=generator.get_state(),
                step=step,
                running=running,
                seconds=seconds + time.time() - started,
            )
    save(name, network, tokenizer)
    first, five, count = measure(network, held, tokenizer)
    print(f"{name}: first {first:.4f}, among five {five:.4f} of {count} held-out hidden tokens", flush=True)


def save(name: str, network: BertForMaskedLM, tokenizer: PreTrainedTokenizerBase) -> None:
    folder = MODELS / name
    folder.mkdir(parents=True, exist_ok=True)
    for part, file in zip(parts(network), ("adapter_model.safetensors", "head.safetensors"), strict=True):
        save_file({key: value.half().contiguous() for key, value in part.items()}, folder / file)
    config = network.bert.peft_config["default"]
    config.inference_mode = True
    config.base_model_name_or_path = BACKBONE
    # A set has no order of its own, and the same run must write the same file.
    config.target_modules = sorted(config.target_modules)
    config.save_pretrained(folder)
    manifest = {
        "family": "masked-lm",
        "backbone": BACKBONE,
        "backbone_sha256": hashlib.sha256((backbone_folder() / "model.safetensors").read_bytes()).hexdigest(),
        "classes": [],
        "max_length": 512,
    }
    (folder / "espalier.json").write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a masked language model over the backbone.")
    parser.add_argument("name", choices=sorted(RECIPES))
    train(parser.parse_args().name)
