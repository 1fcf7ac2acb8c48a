import numpy as np

from espalier.games.pool import EMPTY_POOL, Pool, Pools, keys_of


def test_equal_coalitions_have_equal_keys_and_others_do_not():
    rows = np.array(list(np.ndindex((2,) * 9)), dtype=bool)
    keys = keys_of(rows)
    assert len(set(keys)) == 512
    assert keys == keys_of(rows.copy())


def test_a_pool_keeps_what_was_put_first():
    pool = Pool()
    pool.put([b"a"], np.ones((1, 3, 2)))
    pool.put([b"a"], np.zeros((1, 3, 2)))
    assert pool.get(b"a").max() == 1
    assert pool.get(b"b") is None


def test_a_pool_forgets_the_oldest_beyond_its_bound():
    pool = Pool(maximum_bytes=10_000)
    for index in range(200):
        pool.put([bytes([index])], np.zeros((1, 3, 2)))
    assert pool.bytes <= 10_000
    assert bytes([199]) in pool
    assert bytes([0]) not in pool


def test_pools_forget_the_game_not_played_for_longest():
    pools = Pools(maximum_bytes=12_000)
    for game in "abc":
        pools.pool(game).put([bytes([k]) for k in range(10)], np.zeros((10, 3, 2)))
        pools.pool("a")
    assert len(pools.pool("a")) == 10
    assert len(pools.pool("b")) == 0


def test_what_all_pools_have_is_known_without_looking_at_each():
    pools = Pools(maximum_bytes=100_000)
    generator = np.random.default_rng(0)
    held = []
    for game in range(200):
        pool = pools.pool(game % 70)
        held.append(pool)
        # Pools that were forgotten are still used by their jobs.
        for each in (pool, held[generator.integers(len(held))]):
            coalitions = generator.random((20, 9)) < 0.5
            each.put(keys_of(coalitions), np.zeros((20, 2)))
        assert pools._bytes == sum(EMPTY_POOL + each.bytes for each in pools._pools.values())
        assert set(pools._counted) == set(pools._pools.values())
    assert len(pools._pools) < 70
    assert pools._bytes <= 100_000 + 2 * max(EMPTY_POOL + each.bytes for each in held)
