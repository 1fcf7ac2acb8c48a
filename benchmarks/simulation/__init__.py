"""How many workers do so many people need? A model of the queue: people think, ask, and wait for the answer."""
