"""Masked language models: which word a blank stands for, and words that fill a text in."""
