"""Explanations of a small model that can be worked out by hand."""

from tests.judge import added_up, judged, verdicts  # noqa: F401  (fixtures)
