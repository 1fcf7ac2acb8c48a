"""One module for each resource. A route reads the request, calls the house, and shapes the answer."""
