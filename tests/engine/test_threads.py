"""The algebra runs on one thread, whichever thread asks, so that results are the same bits wherever they are made."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from threadpoolctl import ThreadpoolController

from espalier.engine.threads import one_thread_for_algebra
from espalier.explain.coalitions.draw import draw
from espalier.explain.coalitions.estimate import pair_estimate, weigh
from espalier.explain.coalitions.weights import synergy


def threads() -> set[int]:
    import scipy.linalg  # noqa: F401

    return {library.num_threads for library in ThreadpoolController().select(user_api="blas").lib_controllers}


def test_it_holds_on_every_thread_again_and_again_and_is_taken_back() -> None:
    before = threads()

    def inside(_: int) -> set[int]:
        with one_thread_for_algebra():
            return threads()

    assert inside(0) == {1}
    with ThreadPoolExecutor(8) as pool:
        assert {frozenset(each) for each in pool.map(inside, range(100))} == {frozenset({1})}
    with ThreadPoolExecutor(2) as pool:
        assert {frozenset(each) for each in pool.map(inside, range(20))} == {frozenset({1})}
    assert threads() == before


def test_estimates_are_the_same_bits_on_many_threads() -> None:
    sample = draw(15, 300, seed=0)
    values = np.random.default_rng(0).normal(size=(2, len(sample.strata)))

    def estimate(_: int) -> bytes:
        with one_thread_for_algebra():
            return pair_estimate(weigh(sample, values), synergy(15)).values.tobytes()

    with ThreadPoolExecutor(8) as pool:
        assert len({estimate(0), *pool.map(estimate, range(60))}) == 1
