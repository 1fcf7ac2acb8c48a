"""The default engine: worker processes of this server's own, one for each device, and jobs in its store."""
