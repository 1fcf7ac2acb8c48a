"""The inside of a model: one file for each question about it, answered by the families that can."""

from espalier.models.inside.questions import answer

__all__ = ["answer"]
