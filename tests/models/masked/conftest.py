"""Small masked language models with random weights over a vocabulary made here: no files, no hub."""

from collections.abc import Iterator

import pytest
import torch
from tests.models.masked.made import masked_model

from espalier.models.masked.model import MaskedModel


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Networks so small are slower on two."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def model() -> MaskedModel:
    return masked_model()
