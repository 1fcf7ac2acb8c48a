"""The shipped transformer itself, once: it is large, and making it ready takes its time."""

import numpy as np
import pytest
import torch

from espalier.models.catalog import catalog
from espalier.models.protocol import TokenRow
from espalier.text import read

LOBSTER = "The common lobster lives in the eastern Atlantic Ocean, the Mediterranean Sea and parts"


@pytest.mark.slow
def test_the_shipped_transformer_goes_on_as_it_should_with_the_same_bits_in_any_company():
    model = catalog().load("smollm2")
    encoding = model.encode(read(LOBSTER))
    assert encoding.tokens[0] == "<|endoftext|>"
    outcomes = model.choose(encoding, [" of", " Reykjavik"], count=2)
    whole = encoding.row()
    likely = dict(zip(outcomes.names, np.exp(model.outputs([whole], outcomes)[0]), strict=True))
    assert likely[" of"] == pytest.approx(0.993, abs=0.002)
    assert sum(likely.values()) == pytest.approx(1)

    kept = [np.flatnonzero(np.r_[True, np.random.default_rng(seed).random(15) < 0.5]) for seed in range(12)]
    rows = [TokenRow(whole.ids[each], each, 16) for each in kept]
    together = model.network.ends(rows)
    model.network.forget()
    alone = torch.cat([model.network.ends([row]) for row in rows[:4]])
    assert torch.equal(alone, together[:4])
