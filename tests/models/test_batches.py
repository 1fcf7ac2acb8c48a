"""A row's outputs are a function of the row alone, bit for bit, for every family that is shipped."""

import numpy as np
import pytest
import torch

from espalier.engine.host import ModelHost
from espalier.models.batches import filled, stepped
from espalier.models.catalog import catalog
from espalier.models.protocol import TokenRow

NAMES = ("sst2-minilm", "sst2-lstm", "sst2-cnn", "sst2-bow")
LENGTHS = (2, 3, 5, 8, 11, 14, 18, 23)


@pytest.fixture(scope="module", params=NAMES)
def model(request):
    return catalog().load(request.param)


@pytest.fixture(params=(1, 2))
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


def random_rows(count, seed, lengths=LENGTHS):
    """Texts of several lengths with a third of their words absent."""
    generator = np.random.default_rng(seed)
    rows = []
    for length in generator.choice(lengths, count):
        kept = np.flatnonzero(generator.random(length) < 2 / 3)
        kept = kept if len(kept) else np.array([0])
        rows.append(TokenRow(generator.integers(2, 900, len(kept)), kept, int(length)))
    return rows


@pytest.fixture(scope="module")
def alone(model):
    """Each row on its own, on one thread: the truth for all that follows."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    found = np.concatenate([model.outputs([row]) for row in random_rows(12, seed=1)])
    torch.set_num_threads(before)
    return found


def test_a_row_alone_gives_the_same_bits_on_any_number_of_threads(model, alone, threads):
    np.testing.assert_array_equal(np.concatenate([model.outputs([row]) for row in random_rows(12, seed=1)]), alone)


@pytest.mark.parametrize(("inputs", "outputs"), [(384, 384), (384, 1536), (1536, 384), (384, 2), (300, 100), (32, 64)])
def test_a_product_gives_a_row_the_same_bits_whatever_their_number(threads, inputs, outputs):
    """Of torch's own products, without which nothing below can hold. Some processors need to be told."""
    generator = torch.Generator().manual_seed(0)
    rows, weight, bias = (
        torch.randn(size, generator=generator) for size in ((256, inputs), (outputs, inputs), outputs)
    )
    together = torch.nn.functional.linear(rows, weight, bias)
    for count in range(4, 132, 4):
        assert torch.equal(torch.nn.functional.linear(rows[:count].clone(), weight, bias), together[:count]), count


@pytest.mark.parametrize("company", [0, 1, 2, 5, 19])
def test_a_row_in_company_gives_the_same_bits_as_alone(model, alone, threads, company):
    rows = random_rows(12, seed=1) + random_rows(company, seed=2)
    order = np.random.default_rng(company).permutation(len(rows))
    outputs = np.empty((len(rows), len(model.classes)), dtype=np.float32)
    outputs[order] = model.outputs([rows[index] for index in order])
    np.testing.assert_array_equal(outputs[:12], alone)


@pytest.mark.parametrize("batch_tokens", [1, 40, 300])
def test_a_host_gives_the_same_bits_whatever_its_batches_and_other_jobs(model, alone, batch_tokens):
    with ModelHost(model, batch_tokens) as host:
        before, order, after = (
            host.submit(rows, client)
            for rows, client in (
                (random_rows(9, seed=3), "first"),
                (random_rows(12, seed=1), "second"),
                (random_rows(7, seed=4), "third"),
            )
        )
        np.testing.assert_array_equal(order.future.result().astype(np.float32), alone)
        before.future.result(), after.future.result()


def test_a_long_text_gives_the_same_bits_with_a_short_one_beside_it():
    model = catalog().load("sst2-minilm")
    long = TokenRow(np.arange(1000, 1100), np.arange(100), 100)
    short = TokenRow(np.array([101, 2054, 102]), np.arange(3), 3)
    np.testing.assert_array_equal(model.outputs([short, long, short])[1], model.outputs([long])[0])


def test_widths_grow_in_steps_that_waste_less_than_a_quarter():
    assert [stepped(length) for length in (0, 1, 2, 3, 16, 17, 32, 33, 64, 65)] == [2, 2, 2, 4, 16, 20, 32, 40, 64, 80]
    assert all(length <= stepped(length) < 1.25 * length for length in range(4, 513))


def test_batches_are_filled_to_a_multiple_of_four():
    assert [filled(count) for count in (1, 3, 4, 5, 8, 9)] == [4, 4, 4, 8, 8, 12]
