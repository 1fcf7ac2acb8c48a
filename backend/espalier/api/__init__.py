"""The HTTP service: thin routes over the rest of the house, and the built interface on the same port."""
