"""What hidden states say of the next token: the asked tokens and all others together, never a table of them all."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from espalier.models.causal.next_tokens import EIGHT, ScoresTokens
from espalier.models.protocol import FloatArray

CHUNK = 64
"""Hidden states whose scores of the whole vocabulary are in memory at once: 12 MB of 49,152 tokens."""

NOTHING = 80.0
"""How many times e less than the likeliest the rest is, at least, where the asked tokens are the whole vocabulary."""


class Candidate(NamedTuple):
    """A token that may come next."""

    token: int
    probability: float


def chunks(hidden: torch.Tensor) -> list[torch.Tensor]:
    """Hidden states in chunks of multiples of eight, the missing ones being copies (see `models.batches`)."""
    missing = -len(hidden) % EIGHT
    filled = torch.cat([hidden, hidden[-1:].expand(missing, -1)]) if missing else hidden
    return list(filled.split(CHUNK))


def _log_sum(scores: torch.Tensor) -> torch.Tensor:
    """Of every row of scores. Always eight rows at a time: how a sum is split among threads depends on its shape."""
    return torch.cat([torch.logsumexp(each, dim=1) for each in scores.split(EIGHT)])


@torch.inference_mode()
def log_probabilities(
    network: ScoresTokens, hidden: torch.Tensor, tokens: Sequence[int]
) -> tuple[FloatArray, FloatArray]:
    """Logarithms of the probabilities of some tokens, float[rows, tokens], and of all others together, float[rows].

    The others are summed up by themselves, not subtracted from one, so that they are right where they are almost
    nothing.
    """
    columns = torch.as_tensor(list(tokens), dtype=torch.int64, device=hidden.device)
    asked, others = [], []
    for chunk in chunks(hidden):
        scores = network.logits(chunk).float()
        found = scores[:, columns]
        scores[:, columns] = -torch.inf
        rest = torch.maximum(_log_sum(scores), found.amax(1) - NOTHING)
        asked.append(found.cpu().numpy())
        others.append(rest.cpu().numpy())
    scores_of = np.concatenate(asked)[: len(hidden)].astype(np.float64)
    rest_of = np.concatenate(others)[: len(hidden)].astype(np.float64)
    total = np.logaddexp(np.logaddexp.reduce(scores_of, axis=1), rest_of)
    return scores_of - total[:, None], rest_of - total


@torch.inference_mode()
def likeliest(network: ScoresTokens, hidden: torch.Tensor, count: int) -> list[list[Candidate]]:
    """The tokens that are most likely to come next at each hidden state, the likeliest first."""
    found: list[list[Candidate]] = []
    for chunk in chunks(hidden):
        scores = network.logits(chunk).float()
        total = _log_sum(scores)
        best = torch.topk(scores, min(count, scores.shape[1]), dim=1)
        likely = (best.values - total[:, None]).double().exp()
        found += [
            [Candidate(int(token), float(share)) for token, share in zip(tokens, shares, strict=True)]
            for tokens, shares in zip(best.indices.tolist(), likely.tolist(), strict=True)
        ]
    return found[: len(hidden)]


@torch.inference_mode()
def log_probability_of(network: ScoresTokens, hidden: torch.Tensor, tokens: Sequence[int]) -> FloatArray:
    """The logarithm of the probability of one token at each hidden state, float[rows]: the token that really came."""
    found: list[torch.Tensor] = []
    came = torch.as_tensor([*tokens, *([tokens[-1]] * (-len(tokens) % EIGHT))], device=hidden.device)
    for chunk, own in zip(chunks(hidden), came.split(CHUNK), strict=True):
        scores = network.logits(chunk).float()
        found.append(scores.gather(1, own[:, None])[:, 0].double() - _log_sum(scores).double())
    result: FloatArray = torch.cat(found)[: len(hidden)].cpu().numpy()
    return result
