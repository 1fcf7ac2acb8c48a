"""Let benepar 0.2.0 run on transformers 5.

benepar's retokenizer asks the tokenizer for `build_inputs_with_special_tokens([-100])` to learn how many special
tokens (CLS, SEP, …) come before and after a text. transformers 5 removed that method together with the slow
tokenizers. The same fact can be read off an encoded word, so the method is put back, once, for every tokenizer.
With transformers 4 nothing is touched. torch-struct, which decodes for benepar, is quietened as well: its
distributions declare no constraints on their arguments, and torch warns of that at every batch.

Import benepar only through this module, so that the patch always comes first.
"""

import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder

from transformers import PreTrainedTokenizerBase


def _build_inputs_with_special_tokens(self: PreTrainedTokenizerBase, token_ids: list[int]) -> list[int]:
    encoded = self("a", return_special_tokens_mask=True)
    ids, special = list(encoded["input_ids"]), list(encoded["special_tokens_mask"])
    start = special.index(0)
    stop = len(special) - special[::-1].index(0)
    return ids[:start] + list(token_ids) + ids[stop:]


if not hasattr(PreTrainedTokenizerBase, "build_inputs_with_special_tokens"):
    PreTrainedTokenizerBase.build_inputs_with_special_tokens = _build_inputs_with_special_tokens


class _NotHere(MetaPathFinder):
    """Names that one thread cannot import. Others can, at the same time: a method may be loading scikit-learn while the
    parser is made ready behind it."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._thread = threading.get_ident()

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname in self._names and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"not looked for here: {fullname}", name=fullname)


@contextmanager
def _without(*names: str) -> Iterator[None]:
    """Modules that this thread cannot import meanwhile. NLTK, under benepar, looks for scikit-learn and SciPy's
    statistics for parts of its own that nobody here uses: seconds at every start."""
    finder = _NotHere(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


with warnings.catch_warnings(), _without("sklearn", "scipy.stats"):
    # torch-struct, under benepar, still imports names that NumPy and torch call deprecated.
    warnings.simplefilter("ignore")
    import benepar
    import torch_struct
    from benepar import decode_chart, nkutil, parse_chart, ptb_unescape
    from benepar.integrations import downloader as benepar_files
    from benepar.parse_base import BaseInputExample

torch_struct.TreeCRF.arg_constraints = {}

__all__ = ["BaseInputExample", "benepar", "benepar_files", "decode_chart", "nkutil", "parse_chart", "ptb_unescape"]
