"""Intervals, tests and agreement. Nothing here reads a database or a clock, or knows what was measured."""
