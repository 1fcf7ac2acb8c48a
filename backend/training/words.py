"""Train the word models: bag of words (logistic regression), Kim CNN, bidirectional LSTM.

    python -m training.words sst2-bow sst2-cnn sst2-lstm
    python -m training.words sst2-cnn --checkpoints epochs --epochs 10

The second keeps the model after every epoch (epochs/sst2-cnn-1, …), each a folder as the catalog has them, and leaves
the shipped one alone: what a test of overfitting looks at (`espalier diagnose --train`).

The networks learn what the small transformer does (`distil`): graded phrases and sentences of the treebank, sentences
of reviews and fragments that the teacher was asked about, and those that teach composition. The bag of words and
checkpoints have the labelled phrases alone.

Vectors start from GloVe where it has the word and at random elsewhere. Beyond the training words, the vocabulary takes
the most frequent GloVe words of movie reviews, so that a sentence from outside is not mostly unknown words.
"""

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from sklearn.linear_model import LogisticRegression
from torch import nn

from espalier.models.networks import BagOfWords, BidirectionalLSTM, KimCNN
from espalier.models.vocabulary import Vocabulary
from espalier.text import read
from training import data
from training.batches import by_length

MODELS = Path(__file__).parents[1] / "models"
SEED = 7
EXTRA_WORDS = 6000
MAX_LENGTH = 4000
Ids = list[list[int]]
Rows = tuple[Ids, list[int]]
"""Texts as numbers of words, and their classes."""

EFFORT = {"cnn": {"epochs": 3, "memory": 1000}, "lstm": {"epochs": 5, "memory": 500}}
"""Passes over the data, and how many steps the averaged weights remember."""


def encode(vocabulary: Vocabulary, texts: Iterable[str]) -> Ids:
    """Of nothing at all there are no words: what explanations begin with is learned, too."""
    return [list(vocabulary.encode("", 10**6, read(text), None).ids) if text else [] for text in texts]


def labelled(vocabulary: Vocabulary, rows: data.Labelled) -> Rows:
    return encode(vocabulary, (text for text, _ in rows)), [label for _, label in rows]


def certain(labels: list[int], classes: int = 2) -> torch.Tensor:
    """Probabilities of classes, float[rows, classes], where each row is surely of one."""
    return nn.functional.one_hot(torch.tensor(labels), classes).float()


def taught(vocabulary: Vocabulary) -> tuple[Ids, torch.Tensor]:
    """What the teacher and the treebank say, with the probabilities of both classes."""
    from training import distil

    lessons = distil.lessons(random.Random(SEED))
    texts, targets = distil.targets(distil.answered(lessons), lessons)
    return encode(vocabulary, texts), targets


def glove() -> dict[str, np.ndarray]:
    folder = data.data_folder() / "glove"
    vectors = np.load(folder / "glove100_subset_f16.npy")
    words = (folder / "glove100_subset_words.txt").read_text(encoding="utf-8").split("\n")
    return dict(zip(words, vectors, strict=False))


def training_vocabulary(rows: data.Labelled, vectors: dict[str, np.ndarray]) -> Vocabulary:
    """Words seen at least twice, and frequent GloVe words of reviews that training did not have."""
    counts = Counter(word.text.lower() for text, _ in rows for word in read(text).words)
    known = [word for word, count in counts.most_common() if count >= 2]
    reviews = (data.data_folder() / "imdb" / "imdb_train_subset.tsv").read_text(encoding="utf-8").lower()
    frequent = Counter(token.strip(".,!?;:\"'()") for token in reviews.split())
    seen = set(known)
    extra = [word for word, _ in frequent.most_common() if word in vectors and word not in seen and word.isalpha()]
    return Vocabulary(known + extra[:EXTRA_WORDS])


def start_vectors(vocabulary: Vocabulary, vectors: dict[str, np.ndarray]) -> torch.Tensor:
    generator = np.random.default_rng(SEED)
    start = generator.normal(0, 0.3, (len(vocabulary), 100)).astype(np.float32)
    start[0] = 0
    for index, word in enumerate(vocabulary.words):
        if word in vectors:
            start[index + 2] = vectors[word]
    return torch.as_tensor(start)


def collate(ids: Ids) -> tuple[torch.Tensor, torch.Tensor]:
    lengths = torch.tensor([len(sequence) for sequence in ids])
    padded = torch.zeros((len(ids), max(1, int(lengths.max()))), dtype=torch.long)
    for row, sequence in enumerate(ids):
        padded[row, : len(sequence)] = torch.tensor(sequence)
    return padded, lengths


@torch.no_grad()
def accuracy(network: nn.Module, ids: Ids, labels: list[int]) -> float:
    network.eval()
    right = 0
    for start in range(0, len(ids), 128):
        predicted = network(*collate(ids[start : start + 128])).argmax(1)
        right += int((predicted == torch.tensor(labels[start : start + 128])).sum())
    return right / len(ids)


def window(sequence: list[int], width: int, random_source: random.Random) -> list[int]:
    start = random_source.randint(0, max(0, len(sequence) - width))
    return sequence[start : start + width]


def train_network(
    name: str,
    network: nn.Module,
    train: tuple[Ids, torch.Tensor],
    held: Rows,
    epochs: int,
    memory: int,
    crops: Sequence[int] = (),
    after_epoch: Callable[[int], None] = lambda epoch: None,
) -> nn.Module:
    """Texts are learned with the probabilities of their classes. `crops` shortens long texts to a random window of so
    many words, another number for each epoch. `after_epoch` is told which one is over, with the network's own weights
    in place, not the averaged ones."""
    ids, targets = train
    random_source = random.Random(SEED)
    optimizer = torch.optim.Adam(
        [
            {"params": network.embedding.parameters(), "lr": 5e-4},
            {"params": [p for n, p in network.named_parameters() if not n.startswith("embedding")], "lr": 1e-3},
        ]
    )
    averaged = {key: value.detach().clone() for key, value in network.state_dict().items()}
    step = 0
    # Unknown words must mean something at prediction time: now and then a word is hidden from the network.
    hide = torch.Generator().manual_seed(SEED)
    for epoch in range(epochs):
        started = time.time()
        seen = [window(sequence, crops[epoch], random_source) for sequence in ids] if crops else ids
        for chosen in by_length([len(sequence) for sequence in seen], 64, random_source):
            network.train()
            padded, lengths = collate([seen[index] for index in chosen])
            hidden = (torch.rand(padded.shape, generator=hide) < 0.03) & (padded > 0)
            logits = network(padded.masked_fill(hidden, 1), lengths)
            loss = nn.functional.cross_entropy(logits, targets[chosen])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 3.0)
            optimizer.step()
            step += 1
            if step % 100 == 0:
                print(f"{name} step {step} loss {loss.item():.3f} {time.time() - started:.0f} s", flush=True)
            decay = min(1 - 1 / memory, (1 + step) / (10 + step))
            for key, value in network.state_dict().items():
                averaged[key].lerp_(value, 1 - decay)
        raw = accuracy(network, *held)
        after_epoch(epoch + 1)
        kept = {key: value.detach().clone() for key, value in network.state_dict().items()}
        network.load_state_dict(averaged)
        print(
            f"{name} epoch {epoch + 1}: held-out {raw:.4f}, averaged {accuracy(network, *held):.4f}, "
            f"{time.time() - started:.0f} s",
            flush=True,
        )
        if epoch + 1 < epochs:
            network.load_state_dict(kept)
    return network


def fit_bag_of_words(vocabulary: Vocabulary, train: Rows, inverse_penalty: float = 1.0) -> BagOfWords:
    """Logistic regression on word counts. Counts, not presence: a repeated word must add up twice, or it interacts."""
    from scipy.sparse import csr_matrix

    ids, labels = train
    rows = np.repeat(np.arange(len(ids)), [len(sequence) for sequence in ids])
    columns = np.concatenate([np.asarray(sequence, dtype=np.int64) for sequence in ids])
    counts = csr_matrix((np.ones(len(columns)), (rows, columns)), shape=(len(ids), len(vocabulary)))
    fitted = LogisticRegression(C=inverse_penalty, max_iter=300).fit(counts, labels)
    network = BagOfWords(len(vocabulary), 2)
    weights = torch.as_tensor(fitted.coef_[0], dtype=torch.float32)
    weights[:2] = 0
    with torch.no_grad():
        network.embedding.weight.copy_(torch.stack([-weights / 2, weights / 2], 1))
        network.bias.copy_(torch.tensor([-0.5, 0.5]) * float(fitted.intercept_[0]))
    return network


def save(
    name: str,
    family: str,
    network: nn.Module,
    vocabulary: Vocabulary,
    max_length: int = MAX_LENGTH,
    models: Path = MODELS,
) -> None:
    folder = models / name
    folder.mkdir(parents=True, exist_ok=True)
    save_file(
        {key: value.half().contiguous() for key, value in network.state_dict().items()}, folder / "weights.safetensors"
    )
    (folder / "vocabulary.txt").write_text("\n".join(vocabulary.words) + "\n", encoding="utf-8")
    manifest = {"family": family, "classes": list(data.SENTIMENTS), "max_length": max_length}
    (folder / "espalier.json").write_text(json.dumps(manifest, indent=2) + "\n")


def main(names: list[str], checkpoints: Path | None = None, epochs: int | None = None) -> None:
    """With `checkpoints` a folder for each epoch there, and nothing else; without it the shipped model."""
    torch.manual_seed(SEED)
    training_rows, held_out = data.sst2()
    vectors = glove()
    vocabulary = training_vocabulary(training_rows, vectors)
    held = labelled(vocabulary, held_out)
    print(f"{len(vocabulary)} words, {len(training_rows)} phrases", flush=True)
    for name in names:
        torch.manual_seed(SEED)
        family = name.removeprefix("sst2-")
        if family == "bow":
            network: nn.Module = fit_bag_of_words(vocabulary, labelled(vocabulary, training_rows))
        else:
            network = {"cnn": KimCNN, "lstm": BidirectionalLSTM}[family](len(vocabulary), 2)
            with torch.no_grad():
                network.embedding.weight.copy_(start_vectors(vocabulary, vectors))
            if checkpoints is None:
                train = taught(vocabulary)
            else:
                ids, labels = labelled(vocabulary, training_rows)
                train = ids, certain(labels)
            effort = EFFORT[family] | ({"epochs": epochs} if epochs else {})
            keep = keeping(checkpoints, name, family, network, vocabulary)
            network = train_network(name, network, train, held, **effort, after_epoch=keep)
        print(f"{name}: held-out accuracy {accuracy(network.half().float(), *held):.4f}", flush=True)
        if checkpoints is None:
            save(name, family, network, vocabulary)


def keeping(
    checkpoints: Path | None, name: str, family: str, network: nn.Module, vocabulary: Vocabulary
) -> Callable[[int], None]:
    """Writes the network as it is after an epoch, if somebody wants to have it."""

    def keep(epoch: int) -> None:
        if checkpoints is not None:
            save(f"{name}-{epoch}", family, network, vocabulary, models=checkpoints)

    return keep


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train the word models.")
    parser.add_argument("names", nargs="+", choices=["sst2-bow", "sst2-cnn", "sst2-lstm"])
    parser.add_argument("--checkpoints", type=Path, help="keep the model after every epoch in this folder instead")
    parser.add_argument("--epochs", type=int, help="passes over the data; those of the shipped model when left out")
    arguments = parser.parse_args()
    main(arguments.names, arguments.checkpoints, arguments.epochs)
