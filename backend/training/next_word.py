"""Train the word-level language model: an LSTM over the reader's words of film reviews and Wikipedia.

    python -m training.next_word

The text is one stream of words with an edge before each document, cut into lanes that are read side by side; the state
is carried from chunk to chunk. Training compares the right word with the 1,000 most frequent words and as many others
drawn at random, whose share is made up for by their number: an estimate of the full normaliser that costs a tenth of
it. What ships gives the exact one, and perplexity is measured with that.
"""

import json
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

from espalier.models.next_word import EDGE, NextWordLSTM
from espalier.models.vocabulary import Vocabulary
from training import corpus
from training.checkpoint import Checkpoint
from training.words import glove, start_vectors

NAME = "word-lstm-lm"
MODELS = Path(__file__).parents[1] / "models"
SEED = 7
WORDS = 20_000


@dataclass(frozen=True)
class Effort:
    steps: int = 1500
    lanes: int = 80
    chunk: int = 40
    learning_rate: float = 3e-3
    cooldown: float = 0.3
    """The share of the steps, at the end, in which the learning rate falls to zero."""
    dropout: float = 0.1
    openings: float = 0.05
    """How often a lane forgets its state and reads an edge instead of its first word, as a prompt begins."""
    compared: int = 1000


SIZES = {"vector_size": 160, "hidden": 400, "layers": 1}


def documents() -> corpus.Texts:
    """Reviews once, Wikipedia's few paragraphs twice."""
    return corpus.review_words("train") + 2 * corpus.wikipedia_words("valid")


def training_vocabulary(texts: corpus.Texts) -> Vocabulary:
    counts = Counter(word for text in texts for word in text)
    del counts[corpus.HIDDEN_WORD]
    return Vocabulary([word for word, _ in counts.most_common(WORDS)])


def ids_of(vocabulary: Vocabulary, texts: corpus.Texts) -> list[torch.Tensor]:
    """Each text as ids, an edge first. Words fall apart as they do when the model is asked: `Vocabulary.pieces`."""
    pieces = {word: [vocabulary.id(piece) for piece in vocabulary.pieces(word)] for text in texts for word in text}
    return [torch.tensor([EDGE, *(id for word in text for id in pieces[word])]) for text in texts if text]


class Lanes:
    """The documents in random order as one stream, cut into equal lanes. A new order for each pass."""

    def __init__(self, texts: Sequence[torch.Tensor], lanes: int, chunk: int, random_source: random.Random) -> None:
        self.texts, self.lanes, self.chunk, self.random = texts, lanes, chunk, random_source
        self.at, self.order, self.width = 0, list(range(len(texts))), 0

    def shuffle(self) -> None:
        self.order = list(range(len(self.texts)))
        self.random.shuffle(self.order)
        self.lay(0)

    def lay(self, at: int) -> None:
        stream = torch.cat([self.texts[index] for index in self.order])
        self.width = len(stream) // self.lanes
        self.rows = stream[: self.width * self.lanes].view(self.lanes, self.width)
        self.at = at

    def next(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Words read and words to be predicted, one further on."""
        if self.width == 0 or self.at + self.chunk + 1 > self.width:
            self.shuffle()
        start, self.at = self.at, self.at + self.chunk
        return self.rows[:, start : self.at], self.rows[:, start + 1 : self.at + 1]


def compared_loss(network: NextWordLSTM, features: torch.Tensor, targets: torch.Tensor, compared: int) -> torch.Tensor:
    """Cross entropy against frequent words and a sample of the rest, as if against all.

    The frequent words (ids are in order of frequency) enter as they are. Each of the sampled ones stands for
    rest / sampled words, so the logarithm of that is added to its logit. The right word's own logit is put beside
    them; where it was drawn as well, its second appearance is left out.
    """
    vocabulary = network.embedding.num_embeddings
    rest = vocabulary - compared
    drawn = compared + torch.randperm(rest)[:compared]
    ids = torch.cat([torch.arange(compared), drawn])
    logits = network.logits(features, ids).float()
    logits = torch.cat([logits[:, :compared], logits[:, compared:] + math.log(rest / compared)], 1)
    logits = logits.masked_fill(ids[None] == targets[:, None], float("-inf"))
    right = (features * network.embedding(targets)).sum(-1).float() + network.bias[targets]
    return (torch.logsumexp(torch.cat([right[:, None], logits], 1), 1) - right).mean()


@torch.no_grad()
def perplexity(network: NextWordLSTM, texts: Sequence[torch.Tensor], rows: int = 16) -> float:
    """Exact, each text from its own edge, over its words (every unknown word counts as the one unknown word)."""
    network.eval()
    surprise, count = 0.0, 0
    ordered = sorted(texts, key=len)
    for start in range(0, len(ordered), rows):
        batch = ordered[start : start + rows]
        ids = nn.utils.rnn.pad_sequence(list(batch), batch_first=True, padding_value=-1)
        features, _ = network(ids[:, :-1].clamp(min=0), network.start(len(batch)))
        wanted = ids[:, 1:]
        for row, targets in zip(features, wanted, strict=True):
            there = targets >= 0
            surprise += float(nn.functional.cross_entropy(network.logits(row[there]), targets[there], reduction="sum"))
            count += int(there.sum())
    network.train()
    return math.exp(surprise / count)


def rate(step: int, effort: Effort) -> float:
    """A short rise, then constant, then a straight line to zero."""
    return min(1.0, (step + 1) / 100, (effort.steps - step) / (effort.cooldown * effort.steps))


def train(effort: Effort) -> tuple[NextWordLSTM, Vocabulary]:
    torch.manual_seed(SEED)
    random_source = random.Random(SEED)
    texts = documents()
    vocabulary = training_vocabulary(texts)
    lanes = Lanes(ids_of(vocabulary, texts), effort.lanes, effort.chunk, random_source)
    words = sum(map(len, lanes.texts))
    held = (
        ids_of(vocabulary, corpus.review_words("test")[::500]),
        ids_of(vocabulary, corpus.wikipedia_words("test")[::40]),
    )
    network = NextWordLSTM(len(vocabulary), **SIZES, dropout=effort.dropout)
    vectors = start_vectors(vocabulary, glove())
    with torch.no_grad():
        network.embedding.weight.normal_(0, 0.1)
        network.embedding.weight[:, : vectors.shape[1]] = 0.3 * vectors
    optimizer = torch.optim.Adam(network.parameters(), lr=effort.learning_rate, fused=True)
    state, step, running = network.start(effort.lanes), 0, 0.0
    checkpoint = Checkpoint(NAME)
    if found := checkpoint.load():
        network.load_state_dict(found["network"])
        optimizer.load_state_dict(found["optimizer"])
        random_source.setstate(found["random"])
        lanes.order, state, step, running = found["order"], found["state"], found["step"], found["running"]
        lanes.lay(found["at"])
    print(f"{NAME}: {len(vocabulary)} ids, {words} words, from step {step} to {effort.steps}", flush=True)
    started = time.time()
    network.train()
    while step < effort.steps:
        read, wanted = lanes.next()
        fresh = torch.rand(effort.lanes) < effort.openings
        state = tuple(part.detach().masked_fill(fresh[None, :, None], 0.0) for part in state)
        read = torch.cat([read[:, :1].masked_fill(fresh[:, None], EDGE), read[:, 1:]], 1)
        for group in optimizer.param_groups:
            group["lr"] = effort.learning_rate * rate(step, effort)
        features, state = network(read, state)
        loss = compared_loss(network, features.flatten(0, 1), wanted.flatten(), effort.compared)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        step += 1
        running = 0.98 * running + 0.02 * loss.item() if step > 1 else loss.item()
        if step % 50 == 0:
            print(f"step {step}/{effort.steps} loss {running:.3f} {time.time() - started:.0f} s", flush=True)
        if step % 400 == 0:
            reviews, wikipedia = (perplexity(network, part) for part in held)
            print(f"step {step}: perplexity {reviews:.1f} reviews, {wikipedia:.1f} Wikipedia (parts)", flush=True)
        if checkpoint.is_due() or step == effort.steps:
            checkpoint.save(
                random_source,
                network=network.state_dict(),
                optimizer=optimizer.state_dict(),
                order=lanes.order,
                at=lanes.at,
                state=tuple(part.detach() for part in state),
                step=step,
                running=running,
            )
    return network, vocabulary


def save(network: NextWordLSTM, vocabulary: Vocabulary) -> None:
    folder = MODELS / NAME
    folder.mkdir(parents=True, exist_ok=True)
    weights = {key: value.half().contiguous() for key, value in network.state_dict().items()}
    save_file(weights, folder / "weights.safetensors")
    (folder / "vocabulary.txt").write_text("\n".join(vocabulary.words) + "\n", encoding="utf-8")
    manifest = {"family": "word-lm", "classes": [], "max_length": 1000, "network": SIZES}
    (folder / "espalier.json").write_text(json.dumps(manifest, indent=2) + "\n")


def main() -> None:
    effort = Effort()
    print(asdict(effort), flush=True)
    network, vocabulary = train(effort)
    network = network.half().float()
    save(network, vocabulary)
    for name, texts in (
        ("500 reviews of IMDB's test half", corpus.review_words("test")[::50]),
        ("WikiText-2's test part", corpus.wikipedia_words("test")),
    ):
        ids = ids_of(vocabulary, texts)
        known = sum(int((text != 1).sum()) for text in ids) / sum(map(len, ids))
        print(f"{NAME}: perplexity {perplexity(network, ids):.1f} on {name} ({known:.1%} of words known)", flush=True)


if __name__ == "__main__":
    main()
