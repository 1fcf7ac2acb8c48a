"""Pairs of players: what each adds with and without each other, and the directed graph this makes."""
