"""Causal language models: what comes next, and why."""
