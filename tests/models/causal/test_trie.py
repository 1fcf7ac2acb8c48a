"""Rows through a trie: the same numbers as plain rows, the same bits in any company, and no token twice."""

import numpy as np
import pytest
import torch
from tests.models.causal.conftest import ARCHITECTURES, network

from espalier.models.causal.transformer import CausalTransformer
from espalier.models.causal.trie import Trie, in_order, new_nodes, nodes
from espalier.models.protocol import TokenRow

IDS = np.random.default_rng(3).integers(1, 200, 20)


def rows_of(count: int, size: int = 20, seed: int = 0) -> list[TokenRow]:
    """Coalitions of a text whose first token never leaves."""
    random = np.random.default_rng(seed)
    kept = [np.flatnonzero(np.r_[True, random.random(size - 1) < 0.6]) for _ in range(count)]
    return [TokenRow(IDS[each], each, size) for each in kept]


def prefixes(rows: list[TokenRow]) -> int:
    """The nodes of a trie, counted as different beginnings."""
    return len(
        {
            tuple(zip(row.ids[:end].tolist(), row.positions[:end].tolist(), strict=True))
            for row in rows
            for end in range(1, len(row.ids) + 1)
        }
    )


@pytest.fixture(params=[1, 2])
def threads(request, one_thread):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_hidden_states_are_those_of_plain_rows(architecture):
    plain = network(architecture)
    model = CausalTransformer("tiny", network(architecture), torch.device("cpu"), 96)
    rows = rows_of(40)
    assert model.shares
    with torch.inference_mode():
        expected = torch.stack(
            [
                plain.base_model(
                    input_ids=torch.as_tensor(row.ids[None]), position_ids=torch.as_tensor(row.positions[None])
                ).last_hidden_state[0, -1]
                for row in rows
            ]
        )
    torch.testing.assert_close(model.ends(rows), expected, atol=2e-5, rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_row_has_the_same_bits_in_any_company(architecture, threads):
    model = CausalTransformer("tiny", network(architecture), torch.device("cpu"), 96)
    rows = rows_of(150)
    together = model.ends(rows)
    model.forget()
    alone = []
    for row in rows:
        alone.append(model.ends([row]))
        model.forget()
    assert torch.equal(torch.cat(alone), together)
    some = torch.empty_like(together)
    mixed = np.random.default_rng(1).permutation(len(rows))
    for start in range(0, len(rows), 37):  # each batch after those before it, whose tokens are remembered
        some[mixed[start : start + 37]] = model.ends([rows[index] for index in mixed[start : start + 37]])
    assert torch.equal(some, together)


def test_a_token_is_computed_once_however_many_rows_begin_with_it():
    model = CausalTransformer("tiny", network("llama"), torch.device("cpu"), 96)
    rows = rows_of(60)
    before = model.computed
    model.ends(rows)
    assert model.computed - before == prefixes(rows) < sum(len(row.ids) for row in rows)
    model.ends(list(reversed(rows)))
    assert model.computed - before == prefixes(rows)


def test_the_size_of_a_trie_is_the_number_of_different_beginnings():
    rows = rows_of(300, 12)
    assert nodes(rows) == prefixes(rows)
    assert sum(new_nodes([rows[index] for index in in_order(rows)])) == prefixes(rows)


def test_a_trie_too_small_for_all_rows_costs_little_more_than_the_whole_one():
    rows = rows_of(1024, 20)
    trie = Trie(capacity=1500)
    for _ in trie.passes(rows, 768):
        assert len(trie) <= 1500
    assert trie.computed <= 1.08 * prefixes(rows)


def test_all_rows_are_answered_once_each():
    rows = rows_of(200, 16, seed=4)
    asked = [index for batch, _ in Trie(400).passes(rows, 100) for index in batch]
    assert sorted(asked) == list(range(200))


def test_every_node_sees_its_own_beginning_and_nothing_else():
    rows = rows_of(50, 10)
    tokens: dict[int, tuple[int, int]] = {}
    for batch, growth in Trie(1000).passes(rows, 64):
        tokens |= dict(
            zip(growth.places.tolist(), zip(growth.ids.tolist(), growth.positions.tolist(), strict=True), strict=True)
        )
        seen = {int(path[-1]): path.tolist() for level in growth.levels for path in level}
        for index, end in zip(batch, growth.ends.tolist(), strict=True):
            if end in seen:
                row = rows[index]
                expected = list(zip(row.ids.tolist(), row.positions.tolist(), strict=True))
                assert [tokens[place] for place in seen[end]] == expected


def test_what_was_half_computed_is_not_remembered(monkeypatch):
    model = CausalTransformer("tiny", network("llama"), torch.device("cpu"), 96)
    rows = rows_of(20)
    expected = model.ends(rows)
    model.forget()
    with monkeypatch.context() as broken:
        broken.setattr(model, "_base", lambda **_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            model.ends(rows)
    assert torch.equal(model.ends(rows), expected)
