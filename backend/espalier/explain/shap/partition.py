"""Partition SHAP: Owen values on the tree, where the words of a constituent arrive together (Owen, 1977; Winter,
1989).

An order of arrival is admissible when the words under every node follow one another. The value of a word is what it
adds on its arrival, averaged over all admissible orders. By recursion from the root: before a node's turn any of its
siblings may have arrived, as in the Shapley value of the game among the siblings, and the same holds at every level
above. A word at depth d under nodes with k children each is so compared in 2^((k-1) d) contexts. All of them are taken
where they fit the budget: always up to 12 words, and for one sentence in four of 13 to 25 words at the usual budget
(half of them need less than 7,000 coalitions). Elsewhere the average is over random admissible orders, each with its
reverse.
"""

from math import comb

import numpy as np

from espalier.explain.plan import BoolArray, FloatArray
from espalier.explain.shap.orders import IntArray
from espalier.trees.tree import SpanTree


def coalitions_needed(tree: SpanTree) -> int:
    """Distinct coalitions that exact Owen values compare: in each of a node's contexts all subsets of its children,
    but for none and all of them, which belong to the node above."""
    contexts = [1] * len(tree.nodes)
    needed = 2
    for position, node in enumerate(tree.nodes):
        for child in node.children:
            contexts[child] = contexts[position] * 2 ** (len(node.children) - 1)
        if node.children:
            needed += contexts[position] * (2 ** len(node.children) - 2)
    return needed


def comparisons(tree: SpanTree) -> tuple[IntArray, BoolArray, FloatArray]:
    """What exact Owen values compare, row by row: the word, who is there before it, and the weight of what it adds."""
    waiting = [(0, np.zeros((1, tree.size), dtype=bool), np.ones(1))]
    words: list[IntArray] = []
    befores: list[BoolArray] = []
    weights: list[FloatArray] = []
    while waiting:
        position, contexts, chances = waiting.pop()
        node = tree.nodes[position]
        if node.is_leaf:
            words.append(np.full(len(contexts), node.start))
            befores.append(contexts)
            weights.append(chances)
        for child in node.children:
            siblings = [tree.nodes[other] for other in node.children if other != child]
            arrived, chance = _earlier(tree.size, [(sibling.start, sibling.end) for sibling in siblings])
            both = (contexts[:, None, :] | arrived[None, :, :]).reshape(-1, tree.size)
            waiting.append((child, both, np.outer(chances, chance).ravel()))
    return np.concatenate(words), np.concatenate(befores), np.concatenate(weights)


def _earlier(size: int, siblings: list[tuple[int, int]]) -> tuple[BoolArray, FloatArray]:
    """All sets of siblings that may have arrived before, and how likely each is in a random order."""
    count = len(siblings)
    chosen = (np.arange(2**count)[:, None] >> np.arange(count)) & 1 == 1
    rows = np.zeros((len(chosen), size), dtype=bool)
    for sibling, (start, end) in enumerate(siblings):
        rows[:, start:end] = chosen[:, sibling, None]
    return rows, np.array([1 / ((count + 1) * comb(count, int(arrived))) for arrived in chosen.sum(axis=1)])


def admissible_orders(tree: SpanTree, count: int, seed: int) -> IntArray:
    """Random orders in which the words of every node follow one another; the reverse of one is one, too.

    The first orders of a seed do not depend on how many are asked for.
    """
    generator = np.random.default_rng([seed, tree.size])
    orders = np.empty((count, tree.size), dtype=np.int64)
    for row in orders:
        keys = generator.random(len(tree.nodes))
        waiting, place = [0], 0
        while waiting:
            node = tree.nodes[waiting.pop()]
            if node.is_leaf:
                row[place] = node.start
                place += 1
            waiting.extend(sorted(node.children, key=lambda child: keys[child]))
    return orders
