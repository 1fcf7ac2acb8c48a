"""Experiments with people: what is shown to whom, what they answer, and what follows from it."""
