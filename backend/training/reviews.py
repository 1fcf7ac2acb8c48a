"""Train the word models of whole film reviews: bag of words, Kim CNN and bidirectional LSTM on IMDB.

    python -m training.reviews imdb-bow imdb-cnn imdb-lstm

The networks are those of `training.words`. Reviews have 230 words on average and up to 2,800: the networks are trained
on windows, wider with each epoch, and measured on whole reviews. Every tenth training review is held out for choosing;
the test half is read once, at the end.
"""

import argparse
from collections import Counter

import torch
from torch import nn

from espalier.models.networks import BidirectionalLSTM, KimCNN
from espalier.models.vocabulary import Vocabulary
from training import corpus
from training.words import (
    SEED,
    Rows,
    accuracy,
    certain,
    fit_bag_of_words,
    glove,
    save,
    start_vectors,
    train_network,
)

WORDS = 25_000
MAX_LENGTH = 3000
INVERSE_PENALTY = 0.02
"""Of the logistic regression; not tuned yet. Long texts have many words: weights must be small."""
EFFORT = {
    "cnn": {"crops": (200, 300, 400), "memory": 500},
    "lstm": {"crops": (100, 150, 200, 300), "memory": 300},
}
HELD_WHILE_TRAINING = 500


def training_vocabulary(texts: corpus.Texts) -> Vocabulary:
    counts = Counter(word for text in texts for word in text)
    return Vocabulary([word for word, _ in counts.most_common(WORDS)])


def encode(vocabulary: Vocabulary, part: str) -> Rows:
    """The same ids as `Vocabulary.encode` gives for the review; each word is taken apart only once."""
    texts = corpus.review_words(part)
    pieces = {word: [vocabulary.id(piece) for piece in vocabulary.pieces(word)] for text in texts for word in text}
    ids = [[id for word in text for id in pieces[word]] for text in texts]
    return ids, [label for _, label in corpus.reviews(part)]


def every_tenth(rows: Rows) -> tuple[Rows, Rows]:
    ids, labels = rows
    kept = [index for index in range(len(ids)) if index % 10]
    return ([ids[i] for i in kept], [labels[i] for i in kept]), (ids[::10], labels[::10])


def main(names: list[str]) -> None:
    vocabulary = training_vocabulary(corpus.review_words("train"))
    train, held = every_tenth(encode(vocabulary, "train"))
    test = by_length(encode(vocabulary, "test"))
    held = by_length(held)
    some = (held[0][:: len(held[0]) // HELD_WHILE_TRAINING], held[1][:: len(held[1]) // HELD_WHILE_TRAINING])
    vectors = glove()
    print(f"{len(vocabulary)} words, {len(train[0])} reviews, {len(held[0])} held out", flush=True)
    for name in names:
        torch.manual_seed(SEED)
        family = name.removeprefix("imdb-")
        if family == "bow":
            network: nn.Module = fit_bag_of_words(vocabulary, train, INVERSE_PENALTY)
        else:
            network = {"cnn": KimCNN, "lstm": BidirectionalLSTM}[family](len(vocabulary), 2)
            with torch.no_grad():
                network.embedding.weight.copy_(start_vectors(vocabulary, vectors))
            effort = EFFORT[family]
            network = train_network(
                name, network, (train[0], certain(train[1])), some, epochs=len(effort["crops"]), **effort
            )
        network = network.half().float()
        save(name, family, network, vocabulary, MAX_LENGTH)
        print(f"{name}: accuracy {accuracy(network, *held):.4f} held out", flush=True)
        print(f"{name}: accuracy {accuracy(network, *test):.4f} test", flush=True)


def by_length(rows: Rows) -> Rows:
    """Short reviews first, so that the batches in which accuracy is measured are hardly padded."""
    ids, labels = rows
    order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
    return [ids[index] for index in order], [labels[index] for index in order]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train the word models of whole reviews.")
    parser.add_argument("names", nargs="+", choices=["imdb-bow", "imdb-cnn", "imdb-lstm"])
    main(parser.parse_args().names)
