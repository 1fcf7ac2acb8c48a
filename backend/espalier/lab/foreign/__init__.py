"""Explanations that were made elsewhere: read, aligned with the words of the house, measured beside its own methods."""
