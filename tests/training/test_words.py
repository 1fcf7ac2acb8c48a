"""Checkpoints of a training: one for each epoch, each a model that can be explained."""

import random
from pathlib import Path

import torch

from espalier.models.networks import KimCNN
from espalier.models.vocabulary import Vocabulary
from espalier.models.word_model import load_word_model
from training.words import certain, keeping, train_network

WORDS = ["good", "bad", "film", "the", "dull", "fun"]


def test_every_epoch_is_kept_with_the_weights_it_had(tmp_path: Path) -> None:
    torch.manual_seed(0)
    vocabulary = Vocabulary(WORDS)
    source = random.Random(0)
    ids = [[source.randrange(2, len(vocabulary)) for _ in range(5)] for _ in range(96)]
    rows = ids, [int(2 in row) for row in ids]
    network = KimCNN(len(vocabulary), 2)
    outputs = []
    keep = keeping(tmp_path, "small", "cnn", network, vocabulary)

    def after_epoch(epoch: int) -> None:
        keep(epoch)
        network.eval()
        with torch.no_grad():
            outputs.append(network(torch.tensor(ids[:4]), torch.tensor([5] * 4)))

    train_network("small", network, (ids, certain(rows[1])), rows, epochs=3, memory=10, after_epoch=after_epoch)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small-1", "small-2", "small-3"]
    for epoch, seen in enumerate(outputs, start=1):
        kept = load_word_model("small", tmp_path / f"small-{epoch}", torch.device("cpu")).network
        with torch.no_grad():
            again = kept(torch.tensor(ids[:4]), torch.tensor([5] * 4))
        torch.testing.assert_close(again, seen, atol=2e-3, rtol=0)
    assert not torch.allclose(outputs[0], outputs[2], atol=2e-3)
