"""The economical ladder: a race of cuts in which only those are evaluated that can still win."""
