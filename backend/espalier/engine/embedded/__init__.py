"""The default engine: worker processes of this server's own, one for each device, and jobs in its store."""

from espalier.engine.embedded.engine import EmbeddedEngine, Limits

__all__ = ["EmbeddedEngine", "Limits"]
