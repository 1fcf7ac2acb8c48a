"""MAHE's Figure 3a as it was measured for this project: `python -m espalier.commands.gallery functions` makes it."""

from functools import cache
from importlib import resources

from espalier.lab.interactions.synthetic_fit import SyntheticFit

FILE = resources.files(__name__.rpartition(".")[0]) / "functions.json"

POINTS, TRIALS = 10, 1
"""Fewer than the paper's 20 and 10: what some minutes of a busy processor had room for."""


@cache
def shipped_fit() -> SyntheticFit:
    return SyntheticFit.model_validate_json(FILE.read_bytes())
