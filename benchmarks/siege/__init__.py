"""Hostile clients beside honest ones, against a real server on this machine's loopback address: `make siege`."""
