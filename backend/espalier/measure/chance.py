"""What is drawn at random for a text: the same whenever, wherever and beside whatever else it is measured."""

import hashlib

import numpy as np
from numpy.typing import NDArray

RANDOM_ORDERS = 20


def generator(seed: int, text: str, purpose: str) -> np.random.Generator:
    digest = hashlib.sha256(f"{seed}\n{purpose}\n{text}".encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest[:8]))


def random_orders(seed: int, text: str, words: int) -> NDArray[np.int64]:
    """int[20, words]: what a method that knows nothing would rank."""
    drawn = generator(seed, text, "orders")
    return np.stack([drawn.permutation(words) for _ in range(RANDOM_ORDERS)])
