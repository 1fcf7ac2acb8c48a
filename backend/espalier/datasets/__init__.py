"""Texts to work on: the project's own sentences, texts given directly, or a file that somebody uploads."""
