"""Explanations as SVG: self-contained, with every number in a `data-` attribute and in words for screen readers."""

from espalier.pictures.svg.page import svg

__all__ = ["svg"]
